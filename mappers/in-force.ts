import type { Day } from '../src/domain/calendar.ts';
import type { IceMeaning, IvaCode, MoneyPolicy, TaxRule } from '../src/domain/money-policy.ts';
import { Hold } from './hold.ts';
import { aroundDay, type DecreedDays } from './tables/decreed-days.ts';
import { iceRow } from './tables/excise.ts';
import { type IvaRow, isIvaInForce, ivaDays, ivaRow } from './tables/iva.ts';

/**
 * A code that a rule or a policy gives stands on a factura on its days only. The day is that of issue: the tax authority
 * compares the rate with the document's date, and the service takes no other date than today's. A nota de crédito
 * never comes here: it keeps the code of its factura.
 */
export function refuseOutOfForce(iva: IvaCode, by: string, name: string, today: Day): void {
  const row = ivaRow(iva);
  if (isIvaInForce(row, today)) return;
  if (iva === 8)
    throw new Hold(
      'rate-not-decreed',
      `«${by}» da el ${row.name} a «${name}» y hoy, ${today}, no es uno de sus días: ${nearestDecree(today)}. Corrija el impuesto en la tienda o emita esta factura a mano; si hay un decreto nuevo, actualice facturapuente.`,
    );
  const ofThatTime =
    ivaDays(row).length > 0
      ? '; si la venta es de un día en que regía, consulte a su contador y emita esta factura a mano'
      : '';
  throw new Hold(
    'rate-not-in-force',
    `«${by}» da a «${name}» el ${outOfForce(row, today)}. Quite ese código de la configuración y corrija el impuesto en la tienda${ofThatTime}.`,
  );
}

/** "IVA 12 % (código 2), que no rige hoy, 2026-11-20: rigió del 2017-06-01 al 2024-03-31". */
export const outOfForce = (row: IvaRow, today: Day): string =>
  `${row.name} (código ${row.code}), que no rige hoy, ${today}: ${inForceWhen(row, today)}`;

/** A rate's days as seen from one that is none of them. */
export function inForceWhen(row: IvaRow, today: Day): string {
  const [days] = ivaDays(row);
  if (!days) return 'no ha regido ningún día';
  const { since, until } = days;
  if (until !== null && today > until)
    return since === null ? `rigió hasta el ${until}` : `rigió del ${since} al ${until}`;
  return `rige desde el ${since}`;
}

export function nearestDecree(today: Day): string {
  const { last, next } = aroundDay(today);
  const days = ({ since, until, decree }: DecreedDays) => `del ${since} al ${until} (${decree})`;
  return [
    last ? `los últimos fueron ${days(last)}` : 'no se conocen anteriores',
    next ? `los próximos son ${days(next)}` : 'no se conocen posteriores',
  ].join(' y ');
}

/** What keeps an ICE from being declared; null where it is a percentage under a code of SRI table 18. */
export function iceFlaw(meaning: IceMeaning): { kind: 'per-unit' | 'unknown'; says: string } | null {
  const row = iceRow(meaning.codigo);
  if ('porUnidad' in meaning) return { kind: 'per-unit', says: `de ${meaning.porUnidad} por unidad` };
  if (row && row.per !== 'percent') {
    const what = row.per === 'unit' ? 'es un monto por unidad' : 'suma un monto por unidad a su porcentaje';
    return { kind: 'per-unit', says: `(${row.name}), que ${what}` };
  }
  if (row || meaning.nombre !== undefined) return null;
  return { kind: 'unknown', says: 'que no está en la tabla de códigos de facturapuente' };
}

/** Rules and policies whose code no factura of a day can bear, found before anything is sold; in Spanish. */
export function unusableRules(
  { tax, tips, duties, giftCardsSold }: Pick<MoneyPolicy, 'tax' | 'tips' | 'duties' | 'giftCardsSold'>,
  today: Day,
): string[] {
  const special = [
    { name: 'policy.tips', policy: tips },
    { name: 'policy.duties', policy: duties },
    { name: 'policy.giftCardsSold', policy: giftCardsSold },
  ].flatMap(({ name, policy }) => (policy.as === 'line' ? [{ name, means: { iva: policy.iva } }] : []));
  return [...tax.rules, ...special].flatMap((rule) => [...unusableIva(rule, today), ...unusableIce(rule)]);
}

/** A decree may name days of code 8 again, so its rules may wait. */
function unusableIva({ name, means: { iva } }: Pick<TaxRule, 'name' | 'means'>, today: Day): string[] {
  if (iva === undefined || iva === 8 || isIvaInForce(ivaRow(iva), today)) return [];
  return [`«${name}» da el ${outOfForce(ivaRow(iva), today)}`];
}

function unusableIce({ name, means: { ice } }: Pick<TaxRule, 'name' | 'means'>): string[] {
  const flaw = ice && iceFlaw(ice);
  if (!flaw) return [];
  return [`«${name}» da el ICE ${ice.codigo}${flaw.kind === 'unknown' ? ', ' : ' '}${flaw.says}`];
}
