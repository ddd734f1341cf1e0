import { countryCode, countryName } from '../src/domain/country.ts';
import type { Buyer } from '../src/domain/order.ts';
import type { CompradorBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { oneLine, optionalLine } from './text.ts';

/** The `comprador` block. What the service needs not know is left out rather than sent half. */
export function toComprador(buyer: Buyer, context: MappingContext): CompradorBody {
  const telefono = telephone(buyer.phone);
  const correo = email(buyer.asked?.answer?.email ?? buyer.email);
  return {
    identificacion: context.recipient.id,
    tipo_identificacion: context.recipient.type,
    razon_social: oneLine(context.recipient.name, 300),
    // The service demands an address; of a buyer who gave none the country is known.
    direccion:
      optionalLine(buyer.address, 300) ?? oneLine(countryName(countryCode(buyer.country) ?? 'EC'), 300),
    ...(telefono ? { telefono } : {}),
    ...(correo ? { correo } : {}),
  };
}

/** A cut address would be somebody else's: too long or unlike one, it is left out. */
function email(text: string | null): string | undefined {
  const line = optionalLine(text, 301);
  return line !== undefined && line.length <= 300 && isEmail(line) ? line : undefined;
}

const local = String.raw`[^\s@,;.<>()"\[\]]+(?:\.[^\s@,;.<>()"\[\]]+)*`;
const label = String.raw`[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?`;
const address = new RegExp(`^${local}@(?:${label}\\.)+${label}$`, 'u');

/** One address and nothing else: a service that checks it refuses the whole document for a dot too many. */
export const isEmail = (text: string): boolean => address.test(text);

function telephone(text: string | null): string | undefined {
  const line = optionalLine(text, 300);
  return line !== undefined && /\d/.test(line) ? line : undefined;
}
