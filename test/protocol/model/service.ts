import type { Answer, Outcome, ServiceState, Stored, Verdict } from '../../../src/protocol/events.ts';
import { type Bounds, dayName, isOurs, type Kept, keyOf, type Line, readKey, type World } from './world.ts';

/* The service and the authority behind it, as the specification and the assumptions have them (docs/assumptions.md). */

const isRandom = ({ keys }: Bounds): boolean => keys === 'random' || keys === 'varied';
const isEnded = ({ status }: Kept): boolean =>
  status !== 'processing' && status !== 'authorized' && status !== 'in-process';

/** The key a POST of this day gets. */
function newKey(
  world: World,
  bounds: Bounds,
  { kind, number }: Pick<Line, 'kind' | 'number'>,
  day: number,
): string {
  if (!isRandom(bounds)) return keyOf(kind, number, day);
  const count = world.kept.filter((one) => one.kind === kind && one.number === number).length;
  return keyOf(kind, number, day, `r${count}`);
}

/** A body arrives: what the service makes of it, and what it answers. */
export function take(world: World, bounds: Bounds, line: Line, body: { day: number; content: string }) {
  const { day, content } = body;
  const words = { kind: 'words' } as const;
  const refused: Answer = { kind: 'refused', names: words, errors: [] };
  // The service takes today's date only.
  if (day !== world.day) return { world, answer: refused };
  const key = newKey(world, bounds, line, day);
  const there = world.kept.find((one) => one.key === key);
  const named = readKey(key, line);
  if (there && !isEnded(there)) {
    const answer: Answer = { kind: 'duplicate', key: named, errors: [] };
    return { world, answer };
  }
  const { kind, number, sale } = line;
  const kept: Kept = { key, kind, number, sale, day, content, status: 'processing' };
  const answer: Answer = { kind: 'created', key: named, serviceId: 7 };
  return { world: { ...world, kept: [...world.kept.filter((one) => one !== there), kept] }, answer };
}

/** A key the service names in a 500 and has never kept. */
export const keyOfNothing = (world: World, bounds: Bounds, line: Line, day: number): string =>
  isRandom(bounds) ? keyOf(line.kind, line.number, day, 'r9') : newKey(world, bounds, line, day);

export const serviceStateOf = ({ status }: Kept): ServiceState =>
  status === 'processing' ? { state: 'processing' } : outcomeOf(status);

export const outcomeOf = (status: Exclude<Kept['status'], 'processing'>): Outcome =>
  status === 'authorized' ? { state: 'authorized', at: null } : { state: 'error', cause: status, errors: [] };

/** What the authority says of a document of which nothing is wrong: 45 where another with its number came first. */
export function judge({ kept }: World, document: Kept): Exclude<Kept['status'], 'processing'> {
  const at = kept.indexOf(document);
  const isTaken = kept.some(
    (one, n) =>
      one !== document &&
      one.kind === document.kind &&
      one.number === document.number &&
      !isEnded(one) &&
      (n < at || one.status === 'authorized'),
  );
  return isTaken ? 'number-taken' : 'authorized';
}

/** The authority decides, and the service notifies. */
export function end(world: World, document: Kept, status: Exclude<Kept['status'], 'processing'>): World {
  const kept = world.kept.map((one) => (one === document ? { ...one, status } : one));
  const { key } = document;
  return { ...world, kept, webhooks: [...world.webhooks, { key, said: outcomeOf(status) }] };
}

/** The authorised XML under a key, compared with the attempts of a document. */
export function compare({ kept }: World, line: Line, key: string): Stored {
  const document = kept.find((one) => one.key === key);
  if (document?.status !== 'authorized' || document.isHidden) return { kind: 'unreadable' };
  if (!isOurs(document) || document.kind !== line.kind || document.number !== line.number)
    return { kind: 'not-ours' };
  if (document.sale !== line.sale) return { kind: 'another-order' };
  const alike = line.state.attempts.filter(({ buyerId }) => buyerId === document.content);
  const ofDay = alike.filter(({ issueDate }) => issueDate === dayName(document.day));
  return { kind: 'this-sale', alike: (ofDay.length > 0 ? ofDay : alike).map(({ n }) => n) };
}

/** What a search says of a key. */
export function verdictOf(world: World, line: Line, key: string): Verdict {
  const document = world.kept.find((one) => one.key === key);
  if (!document) return 'not-found';
  if (document.status === 'processing') return 'processing';
  if (document.status !== 'authorized') return 'error';
  const stored = compare(world, line, key);
  if (stored.kind === 'this-sale') return stored.alike.length > 0 ? 'ours' : 'named';
  return 'not-ours';
}
