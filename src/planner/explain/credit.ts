import type { CreditTrace } from '../../../mappers/credit/trace.ts';
import { creditRounding } from '../../domain/credit-rounding.ts';
import { decimal } from '../../domain/money.ts';
import type { Explained } from './text.ts';

/** What a nota de crédito takes back of its factura: by which basis, of which lines, with which taxes, and the rest. */
export function explainCredit(trace: CreditTrace): Explained[] {
  const { refund, original, money, document, owed, basis, discrepancy, left, items, taxes, notes } = trace;
  const took = taxes.map(
    ({ codigo, codigo_porcentaje, base, valor }) =>
      `${taxNames[codigo] ?? `impuesto ${codigo}`} (código ${codigo_porcentaje}): base ${base}, valor ${valor}`,
  );
  return [
    {
      title: 'Reembolso',
      lines: [
        `el reembolso ${refund} devolvió ${money} de la factura ${original}`,
        `reparto: ${bases[basis]}`,
        ...roundedOff(money, document, owed),
        ...stated(discrepancy),
      ],
    },
    { title: 'Qué se devuelve de cada línea', lines: items.map(item) },
    { title: 'Impuestos que se devuelven', lines: took },
    { title: 'Lo que queda de la factura', lines: [`antes ${left.before}, después ${left.after}`] },
    ...(notes.length > 0 ? [{ title: 'Notas', lines: notes }] : []),
  ];
}

/** Older decisions in the ledger tell neither figure. */
function roundedOff(
  money: string,
  document: string | undefined,
  owed: CreditTrace['owed'] | undefined,
): string[] {
  const why = creditRounding(money, document ?? money);
  return why === null
    ? []
    : [`${why} Pendiente por redondeo: antes ${owed?.before}, después ${owed?.after}.`];
}

const bases: Record<CreditTrace['basis'], string> = {
  parts: 'por las líneas que nombra el reembolso',
  'parts-reduced':
    'por las líneas que nombra el reembolso, todas rebajadas por igual hasta el dinero devuelto',
  'parts-and-rest':
    'por las líneas que nombra el reembolso, y lo que las excede a prorrata de lo que queda de la factura',
  amount: 'el reembolso solo dice un monto: a prorrata de lo que queda de la factura',
  rest: 'devuelve todo lo que quedaba de la factura, línea por línea',
};

/** SRI's codes of taxes (ficha técnica, tabla 16). */
const taxNames: Record<string, string> = { '2': 'IVA', '3': 'ICE', '5': 'IRBPNR' };

function stated(discrepancy: string): string[] {
  const difference = decimal(discrepancy);
  if (difference.isZero()) return [];
  const side = difference.isNegative() ? 'menos' : 'más';
  return [
    `la tienda declara que devolvió ${difference.abs().toFixed(2)} ${side} que lo que suman las líneas`,
  ];
}

function item({ source, name, asked, units, base, leftBase }: CreditTrace['items'][number]): string {
  const count = decimal(units);
  const what = count.isZero()
    ? 'sin devolver unidades'
    : `${units} ${count.equals(1) ? 'unidad' : 'unidades'}`;
  const money = asked === null ? '' : `, le corresponden ${asked} con impuestos`;
  return `${name} («${source}»): ${what}${money}; base ${base}, quedan ${leftBase} de su base`;
}
