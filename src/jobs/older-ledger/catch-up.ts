import { z } from 'zod';
import { type Day, ecuadorDay, startOfEcuadorDay } from '../../domain/calendar.ts';
import type { Document, Series } from '../../domain/document.ts';
import { owner } from '../../domain/scope.ts';
import { done, readSeriesSubject, type Step, type StepOutcome, seriesSubject } from '../../domain/work.ts';
import type { SeriesStop } from '../../ledger/document-tables.ts';
import type { UnknownDocument } from '../../ledger/unknown-documents.ts';
import type { Event } from '../../protocol/events.ts';
import { accessKeyOf, freeDigitsOf } from '../../service/access-key.ts';
import type { FoundDocument } from '../../service/answers.ts';
import type { ServiceCalls } from '../../service/client.ts';
import { beginAlert, endAlert } from '../alerts.ts';
import type { StepDeps } from '../deps.ts';
import { digitsToAsk } from '../foreseen.ts';
import { replanHeld } from '../replan.ts';
import { standingOf } from '../sending/answers.ts';
import { happens } from '../sending/happen.ts';
import { namedKey } from '../sending/state.ts';
import { seriesAlert, takenAlert, takenBySomebody } from '../series-stop.ts';
import { meetStored, placeOf, suspectReason, unsureReason } from './meet.ts';

/** So many numbers in a row that the service does not know, and there are no more. */
const enough = 20;
/** A ledger that is older by more days than these is for a person. */
const mostDays = 31;
const day = 24 * 3_600_000;

const asked = z.object({ account: z.string(), keyHash: z.string() });

/**
 * Finds what a series' ledger lost. Where the service gives the keys of an account always the same free digits, the key of
 * each next number is foreseen for every day since the last document the ledger knows, and asked about, until so many
 * numbers in a row are unknown: then the series goes on behind the last of them. Where it does not, only its list of
 * webhooks names some, and a person says from which number the series goes on.
 */
export function catchUp(deps: StepDeps): Step {
  return async (work) => {
    const series = readSeriesSubject(work.subject);
    const { account: id, keyHash } = asked.parse(work.payload);
    const account = deps.accounts.get(id);
    const key = account?.keys.find((one) => one.keyHash === keyHash) ?? account?.keys[0];
    if (!account || !key) return done;
    const look = openLook(deps, deps.service(account, work, key.keyHash), {
      account: id,
      keyHash: key.keyHash,
    });
    if (!(await meetDelivered(deps, series, deps.service(account, null, key.keyHash), look)))
      throw unreadable();
    const digits = await digitsOf(deps, series, id);
    if (digits === null) return conclude(deps, series, 'unsure');
    if (!(await walk(deps, series, digits, look))) throw unreadable();
    return conclude(deps, series, 'whole');
  };
}

/**
 * Asks about each key of a series in the service's list of its last webhook deliveries that no document of the ledger
 * bears. False where one of them cannot be read now.
 */
export async function meetDelivered(
  { ledger }: Pick<StepDeps, 'ledger'>,
  series: Series,
  calls: Pick<ServiceCalls, 'leerWebhook'>,
  look: Look,
): Promise<boolean> {
  const answer = await calls.leerWebhook();
  const delivered = answer.kind === 'webhook' ? answer.ultimasEntregas : [];
  for (const key of new Set(delivered.flatMap(({ claveacceso }) => claveacceso ?? []))) {
    if (!/^\d{49}$/.test(key) || !isOf(series, key)) continue;
    if (await ledger.documents.byAccessKey(key)) continue;
    if ((await look(key)) === 'silent') return false;
  }
  return true;
}

/** `refused`: the number was used, and what was sent under this key was not authorised; another day may have been. */
type Seen = 'there' | 'refused' | 'not-there' | 'silent';
type Look = (accessKey: string) => Promise<Seen>;

/**
 * Asks about one key, and meets what is authorised under it; its own document learns of it. What is on its way is looked
 * at again later.
 */
export function openLook(
  deps: StepDeps,
  calls: ServiceCalls,
  under: { account: string; keyHash: string },
): Look {
  return async (accessKey) => {
    const answer = await calls.consultarComprobante(accessKey);
    if (answer.kind === 'not-found') return 'not-there';
    if (answer.kind !== 'found' || answer.state === 'processing') return 'silent';
    if (answer.state === 'error') return 'refused';
    const xml = await calls.descargarXml(accessKey);
    if (xml.kind !== 'found') return 'silent';
    const whose = await meetStored(deps, { accessKey, stored: xml.facts, ...under });
    if (whose === 'own') {
      const { series, secuencial } = placeOf(accessKey);
      const document = await deps.ledger.documents.byNumber(series, secuencial);
      if (document && document.state !== 'authorized')
        await happens(deps, document.id, shown(document, answer), { asks: calls });
    }
    return 'there';
  };
}

/** The service shows one of ours: its document learns of it as if it had been notified. */
function shown(document: Document, answer: FoundDocument): Event {
  const key = namedKey(document, answer.claveacceso);
  const asker = { kind: 'notified', key, isError: answer.state === 'error', tries: 0 } as const;
  const because = { step: 'state', asker, n: null } as const;
  return { kind: 'found', key, standing: standingOf(answer), because };
}

/**
 * From the first number the ledger has no document of, before what came to light or is open, and then from its next one.
 * False where the service did not answer to the end.
 */
async function walk(deps: StepDeps, series: Series, digits: string, look: Look): Promise<boolean> {
  const { sequences } = deps.ledger;
  const { next, lowestOpen } = await sequences.frontier(series);
  const unknown = (await cameToLight(deps, series)).map(({ accessKey }) =>
    Number(placeOf(accessKey).secuencial),
  );
  const seen = Math.min(...[next, lowestOpen, ...unknown].filter((one) => one !== null));
  if (!Number.isFinite(seen)) return true;
  const first = ((await sequences.lastBefore(series, seen))?.number ?? seen - 1) + 1;
  const days = await daysSince(deps, series, first);
  const last = await lastFrom(deps, series, { first, days, digits }, look);
  const beyond =
    last !== null && next !== null && last + enough < next
      ? await lastFrom(deps, series, { first: next, days, digits }, look)
      : last;
  if (last === null || beyond === null) return false;
  const end = Math.max(last, beyond);
  if (end > 0) await sequences.pass(series, String(end).padStart(9, '0'));
  return true;
}

/** The last number that is used before so many that are not; 0 where the first is unused, null where nobody answers. */
async function lastFrom(
  { ledger }: StepDeps,
  series: Series,
  { first, days, digits }: { first: number; days: readonly Day[]; digits: string },
  look: Look,
): Promise<number | null> {
  let last = 0;
  for (let number = first, missing = 0; missing < enough; number += 1) {
    const secuencial = String(number).padStart(9, '0');
    const known = await ledger.documents.byNumber(series, secuencial);
    let isUsed = known?.state === 'authorized';
    for (const issueDate of isUsed ? [] : days) {
      const seen = await look(accessKeyOf({ ...series, issueDate, secuencial }, digits));
      if (seen === 'silent') return null;
      isUsed ||= seen !== 'not-there';
      if (seen === 'there') break;
    }
    missing = isUsed ? 0 : missing + 1;
    if (isUsed) last = number;
  }
  return last;
}

/** What came to light of the series lately. */
async function cameToLight(
  { ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>,
  series: Series,
): Promise<UnknownDocument[]> {
  const since = new Date(clock.now().getTime() - mostDays * day);
  return (await ledger.unknownDocuments.since(since)).filter(({ accessKey }) => isOf(series, accessKey));
}

/**
 * The digits its keys bear: those of the documents that were found, and of the last one the ledger knows a key of; null
 * where they vary, or none is known.
 */
async function digitsOf(deps: StepDeps, series: Series, account: string): Promise<string | null> {
  const found = await cameToLight(deps, series);
  const digits = new Set(found.map(({ accessKey }) => freeDigitsOf(accessKey)));
  const lastKey = await deps.ledger.sequences.lastKey(series);
  const known = await digitsToAsk(deps.ledger, { ...series, account }, lastKey);
  if (known !== null) digits.add(known);
  return digits.size === 1 ? ([...digits][0] ?? null) : null;
}

/** From today back to the day of the last document before `first` that the ledger knows. */
export async function daysSince({ ledger, clock }: StepDeps, series: Series, first: number): Promise<Day[]> {
  const today = ecuadorDay(clock.now());
  const last = await ledger.sequences.lastBefore(series, first);
  const from = last?.day ?? ecuadorDay(new Date(clock.now().getTime() - day));
  const days: Day[] = [];
  for (
    let at = startOfEcuadorDay(today).getTime();
    days.length < mostDays && ecuadorDay(new Date(at)) >= from;
    at -= day
  )
    days.push(ecuadorDay(new Date(at)));
  return days;
}

const isOf = (series: Series, accessKey: string): boolean =>
  seriesSubject(placeOf(accessKey).series) === seriesSubject(series);

/** Tried again later and later. */
const unreadable = () => new Error('Not everything that the ledger lost can be read from the service now.');

/** Whether a person has raised the series beyond everything that came to light: that is his word for where it goes on. */
async function isBehind(deps: Pick<StepDeps, 'ledger' | 'clock'>, series: Series): Promise<boolean> {
  const { next, lowestOpen } = await deps.ledger.sequences.frontier(series);
  const found = await cameToLight(deps, series);
  const last = Math.max(0, ...found.map(({ accessKey }) => Number(placeOf(accessKey).secuencial)));
  return next !== null && next > last + 1 && (lowestOpen ?? next) > last;
}

/** Whether every number a series was stopped for is of a document of ours, here or lost. */
async function isExplained(
  deps: Pick<StepDeps, 'ledger' | 'clock'>,
  series: Series,
  { secuencial }: SeriesStop,
): Promise<boolean> {
  const { documents, sequences } = deps.ledger;
  const found = (await cameToLight(deps, series)).map(({ accessKey }) => placeOf(accessKey).secuencial);
  const foreign = await Promise.all((await sequences.foreign(series)).map((id) => documents.get(id)));
  const numbers = new Set([secuencial, ...foreign.map((one) => one?.secuencial ?? null)]);
  for (const number of numbers) {
    if (number === null || found.includes(number)) continue;
    if ((await documents.byNumber(series, number))?.state !== 'authorized') return false;
  }
  return true;
}

/** All is known, and the series flows again; or a person has to say from where it does. */
async function conclude(deps: StepDeps, series: Series, as: 'whole' | 'unsure'): Promise<StepOutcome> {
  const now = deps.clock.now();
  const stop = await deps.ledger.sequences.stopped(series);
  if (!stop) return done;
  if (stop.secuencial !== null && !(await isExplained(deps, series, stop))) {
    if (stop.reason !== suspectReason) return done;
    const taken = takenBySomebody({ ...series, secuencial: stop.secuencial });
    await deps.ledger.transaction(async (tables) => {
      if (!(await tables.sequences.flow(series, suspectReason))) return;
      await tables.sequences.stop(series, taken, now);
      await beginAlert(deps, tables, takenAlert(series, taken), now);
    });
    return done;
  }
  const isOver = as === 'whole' || (await isBehind(deps, series));
  await deps.ledger.transaction(async (tables) => {
    if (!(await tables.sequences.flow(series, stop.reason))) return;
    if (!isOver) {
      await tables.sequences.stop(series, { reason: unsureReason, secuencial: null }, now);
      const cure = 'Indique series.first cuando no falte ninguno.';
      const about = owner.series(series);
      await beginAlert(deps, tables, { ...seriesAlert(series), about, what: unsureReason, cure }, now);
      return;
    }
    // Digits that were seen once may vary: the service is asked again, and one document leaves first.
    deps.seriesChecks.delete(seriesSubject(series));
    await endAlert(deps, tables, seriesAlert(series), now);
    await replanHeld(tables, now, (held) => held.code === 'series-stopped');
  });
  return done;
}
