import type { Decimal } from '../src/domain/money.ts';
import type { ItemBody } from './body.ts';
import type { Entry } from './entries.ts';
import { oneLine, optionalLine } from './text.ts';

const codeLength = 25;
const chargeCodes = { shipping: 'ENVIO', fee: 'CARGO', tip: 'PROPINA', duty: 'ARANCEL' } as const;

/**
 * `codigo_principal` and `codigo_auxiliar`, 25 characters each (XSD): a longer SKU runs on in the second; what
 * is still left is cut and noted. A tip has one code whether the platform writes it as a line or as a charge.
 */
export function toCodes(entry: Entry): Pick<ItemBody, 'codigo_principal' | 'codigo_auxiliar'> {
  const { item, notes } = entry;
  if (!('quantity' in item)) return { codigo_principal: chargeCodes[item.kind] };
  if (item.kind === 'tip') return { codigo_principal: chargeCodes.tip };
  const whole =
    optionalLine(item.sku, 1000) ?? optionalLine(item.productId, 1000) ?? optionalLine(item.id, 25);
  if (whole === undefined) return { codigo_principal: 'SIN-CODIGO' };
  const codigo_principal = oneLine(whole, codeLength);
  const rest = optionalLine(whole.slice(codigo_principal.length), codeLength);
  if (rest === undefined) return { codigo_principal };
  const kept = codigo_principal.length + rest.length;
  notes.push(
    whole.length - kept > 1
      ? `SKU de ${whole.length} caracteres: cortado a ${kept}`
      : `SKU de ${whole.length} caracteres: sigue en codigo_auxiliar`,
  );
  return { codigo_principal, codigo_auxiliar: rest };
}

/** The name; what is sold once because no unit price multiplies says how many it was. */
export function toDescription({ item, quantity }: Entry, stated: Decimal): string {
  const name =
    stated === quantity || stated.equals(quantity) ? item.name : `${quantity.toFixed()} × ${item.name}`;
  return oneLine(name, 300) || 'Sin descripción';
}
