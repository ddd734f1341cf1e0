import { paymentForms } from '../../mappers/tables/payment-forms.ts';
import type { ItemTrace, MappingTrace } from '../../mappers/trace.ts';
import { indent, signed } from './explain-text.ts';

/** The rule behind each tax code, the payment codes, and every cent of a factura. */
export function explainFactura({ items, taxes, payments, money, notes }: MappingTrace): string[] {
  const { charged, document, difference, lines, rounding, outside } = money;
  return [
    'Impuesto de cada línea',
    ...indent(items.flatMap(item)),
    'Impuestos del documento',
    ...indent(
      taxes.map(
        (one) =>
          `${one.tax} ${one.rate} % (código ${one.code}): base ${one.base}, valor ${one.valor}, ${signed(one.difference)} frente a base × tarifa (${one.why})`,
      ),
    ),
    'Formas de pago',
    ...indent(
      payments.map(
        ({ gateway, tipo, by, amount }) =>
          `${gateway || 'sin nombre'} → ${tipo} ${paymentForms[tipo]?.name ?? ''}: ${amount} (${by})`,
      ),
    ),
    'Centavos',
    ...indent([
      ...outside.map(({ name, amount }) => `fuera del documento por política: «${name}» ${amount}`),
      `cobrado ${charged}; suman las líneas de la tienda ${lines}; redondeo de la tienda ${signed(rounding)}`,
      `documento ${document}; diferencia con lo cobrado ${signed(difference)}`,
    ]),
    ...(notes.length > 0 ? ['Notas', ...indent(notes)] : []),
  ];
}

function item(one: ItemTrace): string[] {
  const { name, iva, tipo, ice, irbpnr, shop, document, notes } = one;
  const cents = `tienda ${shop.net} + ${shop.tax}, documento ${document.base}`;
  return [
    `${name}: IVA ${iva.rate} % (código ${iva.code}) por «${iva.by}»; ${tipo.value} por «${tipo.by}»; ${cents}`,
    ...indent([
      ...(ice ? [`ICE ${ice.codigo} por «${ice.by}»`] : []),
      ...(irbpnr ? [`IRBPNR por «${irbpnr.by}»`] : []),
      ...notes,
    ]),
  ];
}
