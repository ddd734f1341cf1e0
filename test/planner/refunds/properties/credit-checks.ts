import type { NotaCreditoBody } from '../../../../mappers/body.ts';
import { notaCreditoBody } from '../../../../mappers/body.ts';
import type { Issued } from '../../../../mappers/credit/balance.ts';
import type { Action } from '../../../../src/planner/action.ts';
import { comesTo, fourWays, hasBase, netCents, percents } from '../../../mappers/four-ways.ts';

const cents = (amount: string | number | null): number => Math.round(Number(amount ?? Number.NaN) * 100);

/** What a service made of the money of a nota de crédito. */
export type Reached = 'money' | 'below' | 'above' | 'line';

/**
 * Everything a nota de crédito must be by itself, in all four ways of computing; throws with what it is not. Answers
 * whether it is the money that went back, or a cent off with its reason.
 */
export function checkCredit({ body: sent, document, difference, charged, reason, trace }: Action): Reached {
  const body = sent as NotaCreditoBody;
  if (!notaCreditoBody.safeParse(body).success) throw new Error('not a body of the service');
  if (body.totales) throw new Error('totals, which are not described');
  for (const way of fourWays) {
    const sum = comesTo(body, way);
    const byLine = way === 'line' ? trace.credit?.byLine : null;
    if (sum !== cents(byLine ?? document)) throw new Error(`${sum} by ${way} for ${document}`);
  }
  for (const item of body.items) {
    if (netCents(item) < 0 || item.descuento < 0) throw new Error('a negative line');
    if (item.precio_total_sin_impuesto !== undefined)
      throw new Error('a sum of a line, which is not described');
    const rate = item.tipo_ice === 3101 ? 0.75 : 0.135;
    const apart = Math.abs((item.valor_ice ?? 0) - (netCents(item) * rate) / 100);
    if (item.tipo_ice !== undefined && apart > 0.03)
      throw new Error(`${item.valor_ice} of ICE: ${JSON.stringify(item)}`);
  }
  const off = cents(document) - cents(charged);
  if (off !== cents(difference)) throw new Error(`${difference} between ${document} and ${charged}`);
  if (trace.credit?.byLine && !/línea por línea, saldrá por/.test(reason)) throw new Error(reason);
  if (off === 0) return trace.credit?.byLine ? 'line' : 'money';
  if (
    !reason.includes(String(document)) ||
    !/redondeo|ninguna base/.test(reason) ||
    !body.informacion_adicional.some(({ nombre }) => nombre === 'Redondeo')
  )
    throw new Error(reason);
  const owed = cents(trace.credit?.owed.after ?? null);
  if (Math.abs(off) > 2 || Math.abs(owed) > 2) throw new Error(`${off} off, ${owed} owed: ${reason}`);
  return off < 0 ? 'below' : 'above';
}

/** What a document comes to by code of IVA, ICE inside and IRBPNR outside, and its lines' shares of it; in cents. */
export function worth({ items, totales, lineReferences }: Issued) {
  const iceOf = (item: Issued['items'][number]): number => {
    if (item.tipo_ice === undefined) return 0;
    if (item.valor_ice !== undefined) return cents(item.valor_ice);
    const same = items.filter((one) => one.tipo_ice === item.tipo_ice);
    const base = same.reduce((all, one) => all + netCents(one), 0);
    const row = totales?.find((one) => one.codigo === '3' && one.codigo_porcentaje === String(item.tipo_ice));
    return base === 0 ? 0 : (100 * (row?.valor ?? 0) * netCents(item)) / base;
  };
  const byCode = Map.groupBy(items, ({ tipo_iva }) => tipo_iva);
  const grosses = new Map<number, number>();
  const lines = new Map<string, number>();
  for (const [code, own] of byCode) {
    const taxed = own.reduce((all, item) => all + netCents(item) + iceOf(item), 0);
    const stated = totales?.find((row) => row.codigo === '2' && row.codigo_porcentaje === String(code));
    const percent = Number(percents[code] ?? 0n);
    const gross = stated
      ? cents(stated.base_imponible) + cents(stated.valor)
      : taxed + Math.floor((taxed * percent + 50) / 100);
    grosses.set(code, gross);
    for (const item of own) {
      const reference = lineReferences[items.indexOf(item)];
      const base = netCents(item);
      const share = taxed === 0 ? 0 : (gross * (base + iceOf(item))) / taxed;
      for (const one of reference?.folded ?? [
        { source: reference?.source ?? '', base: String(base / 100) },
      ]) {
        const part = base === 0 ? 0 : (share * cents(one.base)) / base;
        lines.set(one.source, (lines.get(one.source) ?? 0) + part);
      }
    }
  }
  return { grosses, lines };
}

/**
 * No rate of a factura is credited beyond what it was, nor a line beyond its share and the cent it is rounded to, taxes
 * included. Answers how many cents are left of it.
 */
export function leftOf(factura: Issued, credits: readonly Issued[]): number {
  const sold = worth(factura);
  const taken = credits.map(worth);
  let left = 0;
  for (const [code, gross] of sold.grosses) {
    const rest = taken.reduce((all, { grosses }) => all - (grosses.get(code) ?? 0), gross);
    if (rest < 0) throw new Error(`${-rest} cents of ${code} beyond ${gross}`);
    left += rest;
  }
  for (const [source, gross] of sold.lines) {
    const rest = taken.reduce((all, { lines }) => all - (lines.get(source) ?? 0), gross);
    if (rest < -mostOver) throw new Error(`${source}: ${-rest} cents beyond ${gross}`);
  }
  for (const { lines } of taken)
    for (const source of lines.keys()) if (!sold.lines.has(source)) throw new Error(`${source} was not sold`);
  return left + bottlesLeft(factura, credits);
}

/** Cents. A cent of base is up to 1.15 with its IVA, and more with ICE. */
const mostOver = 2.1;

function bottlesLeft(factura: Issued, credits: readonly Issued[]): number {
  const count = ({ items }: Issued) =>
    items.reduce((all, { tipo_irbpnr, cantidad }) => all + (tipo_irbpnr === undefined ? 0 : cantidad), 0);
  const left = credits.reduce((all, one) => all - count(one), count(factura));
  if (left < 0) throw new Error(`${-left} bottles beyond those sold`);
  return Math.round(left * 2);
}

/**
 * That no choice would have reached the money: with a cent more on the rates of the document (and cents moved between them)
 * one of them has no base, or gives more than is left of it.
 */
export function couldReach(
  factura: Issued,
  before: readonly Issued[],
  credit: Issued,
  missing: number,
): boolean {
  const sold = worth(factura).grosses;
  const taken = before.map((one) => worth(one).grosses);
  const rates = [...worth(credit).grosses].filter(([code, gross]) => gross > 0 && percents[code] !== 0n);
  const tries = rates.reduce<number[][]>(
    (some, _) => some.flatMap((one) => [-1, 0, 1].map((step) => [...one, step])),
    [[]],
  );
  return tries.some(
    (steps) =>
      steps.reduce((all, step) => all + step, 0) === missing &&
      rates.every(([code, gross], at) => {
        const wanted = gross + (steps[at] ?? 0);
        const limit = taken.reduce((all, one) => all - (one.get(code) ?? 0), sold.get(code) ?? 0);
        return wanted > 0 && wanted <= limit && hasBase(wanted, code);
      }),
  );
}
