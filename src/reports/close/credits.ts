import { type Day, ecuadorDay, startOfEcuadorDay } from '../../domain/calendar.ts';
import type { Account, Store } from '../../domain/settings.ts';
import type { ServiceCalls } from '../../service/client.ts';
import type { CreditMovement } from '../../service/shapes/credits.ts';
import { patiently } from '../ask-service.ts';
import type { AccountingDeps } from '../deps.ts';
import type { CreditDay, Difference } from './day-close.ts';

/** Accounts that issue in production and whose every store is among these: only their credits can be reconciled. */
export function walletsOf(all: Iterable<Store>, chosen: readonly Store[]): Account[] {
  const ids = new Set(chosen.map(({ id }) => id));
  const issuing = [...all].filter(({ issuer, shadow }) => issuer.ambiente === 2 && !shadow?.only);
  const accounts = new Map(issuing.map(({ account }) => [account.id, account]));
  for (const { id, account } of issuing) if (!ids.has(id)) accounts.delete(account.id);
  return [...accounts.values()];
}

/**
 * Lays the credits an account consumed, got back and recharged on a day beside the documents that were authorised in
 * ambiente 2 that day: each costs one (spec, key rules). A history that the service does not show, or that cannot be
 * read whole, is not compared, and the close says so (assumption A7).
 */
export async function creditDay(deps: AccountingDeps, account: Account, day: Day): Promise<CreditDay> {
  const calls = deps.service(account, null);
  const [consumed, rolledBack, recharged] = [
    await sumOf(calls, 'consumo', day),
    await sumOf(calls, 'rollback', day),
    await sumOf(calls, 'recarga', day),
  ];
  const documents = await authorisedOn(deps, account, day);
  const told = { account: account.id, day, documents: documents.count };
  if (consumed === null || rolledBack === null || recharged === null)
    return { ...told, result: 'not-compared', consumed: null, rolledBack: null, recharged: null };
  const net = consumed - rolledBack;
  const agrees = net >= documents.least && net <= documents.most;
  return { ...told, result: agrees ? 'agrees' : 'differs', consumed, rolledBack, recharged };
}

/** One line for the accountant. */
export function creditWords(told: CreditDay): string {
  const { account, consumed, rolledBack, recharged, documents, result } = told;
  const issued = documents === 1 ? 'se autorizó 1 documento' : `se autorizaron ${documents} documentos`;
  if (result === 'not-compared')
    return `Cuenta ${account}: no se compararon los créditos, el servicio no muestra su historial o no se puede leer entero; ${issued} de producción.`;
  return `Cuenta ${account}: ${consumed} consumidos, ${rolledBack} devueltos y ${recharged} recargados; ${issued} de producción.`;
}

export const creditDifferences = (days: readonly CreditDay[]): Difference[] =>
  days
    .filter(({ result }) => result === 'differs')
    .map((told) => ({
      code: 'credits-differ',
      sentence: `${creditWords(told)} Vea el historial de créditos en el panel del servicio: otro sistema puede emitir con la misma cuenta, o un documento se cobró de más.`,
      ...{ store: null, order: null, number: null },
    }));

/** What is authorised so near to midnight may be charged on the other day. */
const nearMidnight = 10 * 60_000;
const dayMs = 24 * 3_600_000;
/** The authority takes a document that was issued days ago, not weeks. */
const lookBackDays = 7;

/** How many documents the day's credits may stand for: those on their way may be authorised and not be known yet. */
async function authorisedOn(
  { ledger }: AccountingDeps,
  account: Account,
  day: Day,
): Promise<{ count: number; least: number; most: number }> {
  const begins = startOfEcuadorDay(day).getTime();
  const from = ecuadorDay(new Date(begins - lookBackDays * dayMs));
  let [count, least, most] = [0, 0, 0];
  for (const { authorizedAt } of await ledger.days.chargeable(account.id, { from, to: day })) {
    const at = authorizedAt === null ? Number.NaN : Date.parse(authorizedAt) - begins;
    if (at >= 0 && at < dayMs) count += 1;
    if (at >= nearMidnight && at < dayMs - nearMidnight) least += 1;
    if (Number.isNaN(at) || (at >= -nearMidnight && at < dayMs + nearMidnight)) most += 1;
  }
  return { count, least, most };
}

const pageSize = 100;
const mostPages = 100;

/** The credits of one kind of movement on a day; null where the history cannot be read whole. */
async function sumOf(
  calls: Pick<ServiceCalls, 'consultarHistorialCreditos'>,
  tipo: 'consumo' | 'rollback' | 'recarga',
  day: Day,
): Promise<number | null> {
  let sum = 0;
  let before = '';
  for (let page = 1; page <= mostPages; page += 1) {
    const asked = {
      limit: pageSize,
      page,
      tipo,
      ...(tipo === 'recarga' ? {} : ({ ambiente: '2' } as const)),
    };
    const answer = await patiently(() => calls.consultarHistorialCreditos(asked));
    if (answer.kind !== 'history') return null;
    const { movimientos } = answer;
    const days = movimientos.map(({ fecha }) => dayOfMovement(fecha));
    if (days.includes(null) || movimientos.some(({ cantidad }) => !Number.isSafeInteger(cantidad)))
      return null;
    // A service that knows no pages says the same again and again.
    const said = JSON.stringify(movimientos);
    if (movimientos.length > 0 && said === before) return null;
    before = said;
    sum += movimientos
      .filter((one, n) => days[n] === day && isOf(one, tipo))
      .reduce((all, { cantidad }) => all + Math.abs(cantidad), 0);
    const isNewestFirst = days.every((one, n) => n === 0 || String(one) <= String(days[n - 1]));
    if (movimientos.length < pageSize || (isNewestFirst && String(days.at(-1)) < day)) return sum;
  }
  return null;
}

/** The filters may be passed over. */
const isOf = (movement: CreditMovement, tipo: string): boolean =>
  movement.tipo === tipo && (tipo === 'recarga' || movement.ambiente !== 1);

/** An instant, or a day or time of Ecuador in one of the usual spellings; null where it is none. */
export function dayOfMovement(fecha: string): Day | null {
  const [, year, month, day, time = ''] =
    /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}.{0,30}))?$/.exec(fecha) ?? [];
  if (year !== undefined) {
    const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(time);
    const instant = Date.parse(zoned ? `${year}-${month}-${day}T${time}` : `${year}-${month}-${day}`);
    if (Number.isNaN(instant)) return null;
    return zoned ? ecuadorDay(new Date(instant)) : `${year}-${month}-${day}`;
  }
  const [, d, m, y] = /^(\d{2})[/-](\d{2})[/-](\d{4})(?: \d{2}:\d{2}.{0,30})?$/.exec(fecha) ?? [];
  return y === undefined || Number.isNaN(Date.parse(`${y}-${m}-${d}`)) ? null : `${y}-${m}-${d}`;
}
