import type {
  CreditCalculation,
  ItemCalculation,
  MappingCalculation,
  TaxCalculation,
} from '../../../mappers/calculation.ts';
import { paymentForms } from '../../../mappers/tables/payment-forms.ts';
import { ivaTable } from '../../../mappers/tables/taxes.ts';
import type { Destination } from '../../../mappers/tax-rules.ts';
import { decimal } from '../../domain/money.ts';
import { creditRounding } from '../../domain/money-policy.ts';
import type { Action } from '../action.ts';
import type { IdentityReasons } from '../identity/choice.ts';

/** Explains an action in Spanish, from the trace alone, which holds no buyers' data. */
export function explainAction(action: Action): Explained[] {
  const { identity, mapping, credit } = action.trace;
  return [
    ...(identity ? [{ title: 'Comprador', lines: buyer(identity) }] : []),
    ...(action.buyerReason ? [{ title: `Para el comprador: ${action.buyerReason}`, lines: [] }] : []),
    ...(mapping ? explainFactura(mapping) : credit ? explainCredit(credit) : held(action)),
  ];
}

const types = {
  ruc: 'RUC (04)',
  cedula: 'cédula (05)',
  pasaporte: 'pasaporte (06)',
  'consumidor-final': 'consumidor final (07)',
  exterior: 'identificación del exterior (08)',
};
const names = {
  person: 'el de la persona en el pedido',
  company: 'el de la empresa en el pedido',
  buyer: 'el que dio el comprador en la página de identificación',
  registry: 'el del registro consultado',
  law: 'el que manda la norma',
};

function buyer(identity: IdentityReasons): (string | ReportedLine)[] {
  const { type, source, name, candidates, finalConsumer, warnings } = identity;
  const from = source === null ? 'porque el pedido no trae identificación' : `de «${source}»`;
  return [
    type === null
      ? { text: 'sin identificar', tone: 'missing' as const }
      : `${types[type]}, ${from}${name ? `; nombre: ${names[name]}` : ''}`,
    ...candidates
      .filter(({ verdict }) => verdict !== 'chosen')
      .map((one) => ({ text: `«${one.source}»: ${one.why}`, tone: 'passed-over' as const })),
    ...(finalConsumer
      ? [
          `consumidor final ${finalConsumer.decision === 'allowed' ? 'permitido' : 'no permitido'}: total ${finalConsumer.total}, límite ${finalConsumer.limit}${finalConsumer.askedByBuyer ? '; lo pidió el comprador' : ''}`,
        ]
      : []),
    ...warnings.map(warning),
  ];
}

function held({ kind, action, charged, document, difference }: Action): Explained[] {
  if (action !== 'hold' || document === null) return [];
  const moved = kind === 'factura' ? 'cobrado' : 'devuelto';
  const figures = `${moved} ${charged}; el documento sumaría ${document}; diferencia ${signed(difference ?? '0.00')}`;
  return [{ title: 'Centavos', lines: [figures] }];
}

export function explainFactura(mapping: MappingCalculation): Explained[] {
  const { destination, items, taxes, payments, notes, warnings = [] } = mapping;
  const { charged, document, difference, lines, rounding, outside, computed } = mapping.money;
  const paid = payments.map(
    ({ gateway, tipo, by, amount, plazo, tiempo }) =>
      `${gateway || 'sin nombre'} → ${tipo} ${paymentForms[tipo]?.name ?? ''}: ${amount} (${by})${plazo === undefined ? '' : `, plazo ${plazo} ${tiempo}`}`,
  );
  const cents = [
    ...outside.map(({ name, amount }) => `fuera del documento por política: «${name}» ${amount}`),
    `cobrado ${charged}; suman las líneas de la tienda ${lines}; redondeo de la tienda ${signed(rounding)}`,
    `documento ${document}; diferencia con lo cobrado ${signed(difference)}`,
    ...(computed ? [ifIgnored(computed)] : []),
  ];
  return [
    {
      title: 'Impuesto de cada línea',
      lines: [...(destination ? [place(destination)] : []), ...items.flatMap(item)],
    },
    { title: 'Impuestos del documento', lines: taxes.map(taxed) },
    { title: 'Formas de pago', lines: paid },
    { title: 'Centavos', lines: cents },
    ...(warnings.length > 0 ? [{ title: 'Por revisar', lines: warnings.map(warning) }] : []),
    ...(notes.length > 0 ? [{ title: 'Notas', lines: notes }] : []),
  ];
}

function taxed({ tax, rate, code, base, valor, difference, why }: TaxCalculation): string {
  if (tax === 'IRBPNR') return `IRBPNR (código ${code}): ${base} unidades a ${rate}, valor ${valor}`;
  return `${taxLabel(tax, code, rate)} (código ${code}): base ${base}, valor ${valor}, ${signed(difference)} frente a base × tarifa (${why})`;
}

const place = ({ abroad, why }: Destination): string =>
  abroad
    ? `venta fuera del Ecuador: ${why}; solo una regla con abroad da su IVA`
    : `venta en el Ecuador: ${why}`;

function ifIgnored(computed: NonNullable<MappingCalculation['money']['computed']>): string {
  const said = computed.map(({ way, total }) => `${total} ${wayWords[way]}`).join(', ');
  return `si el servicio no usara los totales declarados: ${said}`;
}

const wayWords = { group: 'por tarifa', line: 'por línea', unrounded: 'sin redondear las líneas' };

/** The table's name: exento and no objeto are not called 0 %. */
const taxName = ({ code, rate }: Pick<ItemCalculation['iva'], 'code' | 'rate'>): string =>
  ivaTable.find((row) => row.code === code)?.name ?? `IVA ${rate} %`;

const taxLabel = (tax: string, code: number, rate: string): string =>
  tax === 'IVA' ? taxName({ code, rate }) : `${tax} ${rate} %`;

function item(one: ItemCalculation): string[] {
  const { name, iva, tipo, ice, irbpnr, shop, document, notes } = one;
  const cents = `tienda ${shop.net} + ${shop.tax}, documento ${document.base}`;
  return [
    `${name}: ${taxName(iva)} (código ${iva.code}) por «${iva.by}»; ${tipo.value} por «${tipo.by}»; ${cents}`,
    ...indent([
      ...(ice ? [`ICE ${ice.codigo} por «${ice.by}»`] : []),
      ...(irbpnr ? [`IRBPNR por «${irbpnr.by}»`] : []),
      ...notes,
    ]),
  ];
}

function explainCredit(trace: CreditCalculation): Explained[] {
  const { refund, original, money, basis, discrepancy, left, items, taxes, notes } = trace;
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
        ...roundedOff(trace),
        ...stated(discrepancy),
      ],
    },
    { title: 'Qué se devuelve de cada línea', lines: items.map(creditItem) },
    { title: 'Impuestos que se devuelven', lines: took },
    { title: 'Lo que queda de la factura', lines: [`antes ${left.before}, después ${left.after}`] },
    ...(notes.length > 0 ? [{ title: 'Notas', lines: notes }] : []),
  ];
}

function roundedOff({ money, document, owed }: CreditCalculation): string[] {
  const why = creditRounding(money, document);
  return why === null ? [] : [`${why} Pendiente por redondeo: antes ${owed.before}, después ${owed.after}.`];
}

const bases: Record<CreditCalculation['basis'], string> = {
  parts: 'por las líneas que nombra el reembolso',
  'parts-reduced':
    'por las líneas que nombra el reembolso, todas rebajadas por igual hasta el dinero devuelto',
  'parts-and-rest':
    'por las líneas que nombra el reembolso, y lo que las excede a prorrata de lo que queda de la factura',
  amount: 'el reembolso solo dice un monto: a prorrata de lo que queda de la factura',
  rest: 'devuelve todo lo que quedaba de la factura, línea por línea',
};

/** SRI's tax codes (ficha técnica, tabla 16). */
export const taxNames: Record<string, string> = { '2': 'IVA', '3': 'ICE', '5': 'IRBPNR' };

function stated(discrepancy: string): string[] {
  const difference = decimal(discrepancy);
  if (difference.isZero()) return [];
  const side = difference.lt(0) ? 'menos' : 'más';
  return [
    `la tienda declara que devolvió ${difference.abs().toFixed(2)} ${side} que lo que suman las líneas`,
  ];
}

function creditItem(one: CreditCalculation['items'][number]): string {
  const { source, name, asked, units, base, leftBase } = one;
  const count = decimal(units);
  const what = count.isZero()
    ? 'sin devolver unidades'
    : `${units} ${count.equals(1) ? 'unidad' : 'unidades'}`;
  const money = asked === null ? '' : `, le corresponden ${asked} con impuestos`;
  return `${name} («${source}»): ${what}${money}; base ${base}, quedan ${leftBase} de su base`;
}

interface Explained {
  title: string;
  lines: readonly (string | ReportedLine)[];
}

export interface ReportedLine {
  text: string;
  tone: 'missing' | 'passed-over' | 'warning';
}

const warning = (text: string): ReportedLine => ({ text: `Atención: ${text}`, tone: 'warning' });
const signed = (amount: string): string => (/^-|^0+(\.0+)?$/.test(amount) ? amount : `+${amount}`);
export const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
