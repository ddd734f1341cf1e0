import type { Buyer } from '../src/core/order.ts';
import type { CompradorBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { oneLine, optionalLine } from './text.ts';

/** The `comprador` block. The address is required by the service; a buyer without one lives in "Ecuador". */
export function toComprador(buyer: Buyer, context: MappingContext): CompradorBody {
  const telefono = optionalLine(buyer.phone, 300);
  const correo = optionalLine(buyer.email, 300);
  return {
    identificacion: context.recipient.id,
    tipo_identificacion: context.recipient.type,
    razon_social: oneLine(context.recipient.name, 300),
    direccion: optionalLine(buyer.address, 300) ?? 'Ecuador',
    ...(telefono ? { telefono } : {}),
    ...(correo ? { correo } : {}),
  };
}
