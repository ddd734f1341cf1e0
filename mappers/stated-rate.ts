import { decimal, toAmount } from '../src/domain/money.ts';
import type { IvaCode } from '../src/domain/money-policy.ts';
import type { Tax } from '../src/domain/order.ts';
import { isForeign } from './destination.ts';
import { Hold } from './hold.ts';
import { inForceWhen, nearestDecree } from './in-force.ts';
import type { Facts } from './rules.ts';
import { decreeOn } from './tables/decreed-days.ts';
import { type IvaRow, isIvaInForce, ivaTable } from './tables/iva.ts';

const rowsByRate = new Map(ivaTable.filter(({ byRate }) => byRate).map((row) => [row.rate, row]));
/** What is or was a rate of Ecuador and says nothing by itself; of 13 % not one was ever charged. */
const otherRates = new Map(
  ivaTable.filter(({ until, only }) => until !== null || only !== null).map((row) => [row.rate, row]),
);
const isZero = (amount: string): boolean => !/[1-9]/.test(amount);

/**
 * The code a tax has by its stated rate alone: 0 and 15 in sales of Ecuador. A rate says how much, not whose tax it is
 * nor for what: 5 % is Canada's GST and Ecuador's construction materials, 8 % is Japan's and a decree's.
 */
export function byStatedRate(stated: Tax, facts: Facts, today: string): IvaCode {
  const { rate, title, amount } = stated;
  const { name } = facts;
  if (isForeign(stated)) throw foreignTax(stated, facts);
  if (rate === null) {
    throw new Hold(
      'unmapped-tax',
      `El impuesto «${title}» de «${name}», por ${toAmount(amount)}, no indica su tarifa. Asígnele un código en policy.tax.rules.`,
    );
  }
  const percent = decimal(rate).toFixed();
  const row = rowsByRate.get(percent) ?? otherRates.get(percent);
  if (!row) {
    throw new Hold(
      'unmapped-tax',
      `El impuesto «${title}» de «${name}» es del ${rate} % (${toAmount(amount)}), que no es una tarifa de IVA del Ecuador. Corríjalo en la tienda o asígnele un código en policy.tax.rules.`,
    );
  }
  if (row.code !== 8 && !isIvaInForce(row, today)) {
    throw new Hold(
      'rate-not-in-force',
      `El ${row.name} de «${name}» (${toAmount(amount)}) no rige hoy, ${today}: ${inForceWhen(row, today)}. Corrija el impuesto en la tienda.`,
    );
  }
  if (!row.byRate) throw onlyByRule(row, stated, facts, today);
  return row.code;
}

/** A tax of another country's name that no rule names: what is charged in a foreign tax is not declared as IVA. */
export function refuseForeign(stated: Tax | null, facts: Facts): void {
  if (stated && !isZero(stated.amount) && isForeign(stated)) throw foreignTax(stated, facts);
}

/** Of a sale that leaves Ecuador only the merchant, told by his accountant, knows the code. */
export function saleAbroad(stated: readonly Tax[], { name, destination, taxes }: Facts): Hold {
  const where = `La venta de «${name}» es fuera del Ecuador (${destination.why})`;
  const charged = stated.filter(({ amount }) => !isZero(amount));
  const [only, ...others] = charged;
  if (only) {
    const told = charged.map(({ title, rate, amount }) => {
      const percent = rate === null ? '' : ` del ${rate} %`;
      return `${toAmount(amount)} por «${title}»${percent}`;
    });
    const home = others.length > 0 || isForeign(only) ? undefined : homeRow(only.rate);
    const next = home
      ? `: si es IVA del Ecuador, escriba en policy.tax.rules: ${written({ abroad: true, rate: home.rate }, home.code)}; si no, emita esta factura a mano`
      : ' y emita esta factura a mano';
    return new Hold(
      'sale-abroad',
      `${where} y la tienda cobró ${told.join(' y ')}, que no se toma por IVA del Ecuador. Consulte a su contador${next}.`,
    );
  }
  const [zero] = taxes;
  const isRate = zero !== undefined && zero.rate !== null && isZero(zero.rate);
  const what = zero
    ? ` y la tienda declara «${zero.title}» de 0.00${isRate ? ', al 0 %' : ''}, pero`
    : ', sin impuesto, y la tienda';
  const when = zero ? (isRate ? { rate: '0' } : {}) : { untaxed: true };
  return new Hold(
    'sale-abroad',
    `${where}${what} no dice por qué. Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: ${written({ abroad: true, ...when }, 0)}.`,
  );
}

function foreignTax({ title, rate, amount, country }: Tax, { name, destination }: Facts): Hold {
  const whose =
    country === undefined ? 'es el nombre de un impuesto de otro país' : `es una tarifa de ${country}`;
  const code = homeRow(rate)?.code;
  const abroad = destination.abroad ? { abroad: true } : {};
  const rule =
    code === undefined
      ? ''
      : `; si es IVA del Ecuador con otro nombre, escriba en policy.tax.rules: ${written({ ...abroad, title }, code)}`;
  return new Hold(
    'foreign-tax',
    `«${title}» ${whose}; la tienda lo cobró por «${name}» (${toAmount(amount)}) en una venta ${destination.abroad ? 'fuera del' : 'en el'} Ecuador (${destination.why}). Corrija el impuesto en la tienda${rule}.`,
  );
}

/** The row a stated rate chooses by itself. */
const homeRow = (rate: string | null): IvaRow | undefined =>
  rate === null ? undefined : rowsByRate.get(decimal(rate).toFixed());

function onlyByRule(row: IvaRow, { title, rate, amount }: Tax, { name, sku }: Facts, today: string): Hold {
  const decree = decreeOn(today);
  const day =
    row.code !== 8
      ? ''
      : `. Hoy, ${today}, ${decree ? `es uno (${decree.decree})` : `no lo es: ${nearestDecree(today)}`}`;
  return new Hold(
    'unmapped-tax',
    `El impuesto «${title}» de «${name}» es del ${rate} % (${toAmount(amount)}), ${row.only === null ? 'que solo se elige por una regla' : `que en el Ecuador es solo de ${row.only}`}${day}. Si es el caso, escriba en policy.tax.rules: ${written({ ...(sku === null ? {} : { sku }), rate: row.rate }, row.code)}; si no, corrija el impuesto en la tienda.`,
  );
}

/** A rule as it is written in the config. */
function written(when: Readonly<Record<string, string | boolean>>, iva: IvaCode): string {
  const conditions = Object.entries(when).map(
    ([key, value]) => `${key}: ${key === 'title' || key === 'sku' ? JSON.stringify(value) : value}`,
  );
  return `{ when: { ${conditions.join(', ')} }, then: { iva: ${iva} } }`;
}
