import { type Day, dayMs, ecuadorDay, startOfEcuadorDay } from '../../domain/clock.ts';
import type { Account, Store } from '../../domain/settings.ts';
import type { ServiceCalls } from '../../service/client.ts';
import type { CreditMovement } from '../../service/inferred-accounts.ts';
import { type AccountingDeps, patiently } from '../sources.ts';
import type { CreditDay } from './day-close.ts';

export { creditWords } from '../../messages/closing.ts';

export function walletsOf(all: Iterable<Store>, chosen: readonly Store[]): Account[] {
  const ids = new Set(chosen.map(({ id }) => id));
  const issuing = [...all].filter(({ issuer }) => issuer.ambiente === 2);
  const accounts = new Map(issuing.map(({ account }) => [account.id, account]));
  for (const { id, account } of issuing) if (!ids.has(id)) accounts.delete(account.id);
  return [...accounts.values()];
}

/** A document of ambiente 2 costs one credit (spec, key rules). `not-compared`: assumption A7. */
export async function creditDay(deps: AccountingDeps, account: Account, day: Day): Promise<CreditDay> {
  const calls = deps.service(account, null);
  const [consumed, rolledBack, recharged] = [
    await sumOf(calls, 'consumo', day),
    await sumOf(calls, 'rollback', day),
    await sumOf(calls, 'recarga', day),
  ];
  const documents = await authorisedOn(deps, account, day);
  const reported = { account: account.id, day, documents: documents.count };
  if (consumed === null || rolledBack === null || recharged === null)
    return { ...reported, result: 'not-compared', consumed: null, rolledBack: null, recharged: null };
  const net = consumed - rolledBack;
  const agrees = net >= documents.least && net <= documents.most;
  return { ...reported, result: agrees ? 'agrees' : 'differs', consumed, rolledBack, recharged };
}

/** A document authorised this close to midnight may be charged on the other day. */
const nearMidnight = 10 * 60_000;
/** The authority may authorise a document days after its issue date, not weeks. */
const lookBackDays = 7;

/** Documents still pending may be authorised already, so the credits may cover more. */
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
    // A service without pages repeats the same page.
    const text = JSON.stringify(movimientos);
    if (movimientos.length > 0 && text === before) return null;
    before = text;
    sum += movimientos
      .filter((one, n) => days[n] === day && isOf(one, tipo))
      .reduce((all, { cantidad }) => all + Math.abs(cantidad), 0);
    const isNewestFirst = days.every((one, n) => n === 0 || String(one) <= String(days[n - 1]));
    if (movimientos.length < pageSize || (isNewestFirst && String(days.at(-1)) < day)) return sum;
  }
  return null;
}

/** The service may ignore the filters. */
const isOf = (movement: CreditMovement, tipo: string): boolean =>
  movement.tipo === tipo && (tipo === 'recarga' || movement.ambiente !== 1);

/** An instant, or a day or time of Ecuador in a usual form; null for anything else. */
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
