import { createHash } from 'node:crypto';
import type { FaultInput } from '../sandbox/emulator/index.ts';
import { drawDisasters, drawTroubles } from './disasters.ts';
import { storesPerAccount } from './installation.ts';
import { drawCommands, type OperatorCommand } from './operator.ts';
import type { Options } from './options.ts';
import type { Twist } from './proxy.ts';
import { openRandom, type Random } from './random.ts';
import { drawRefunds, drawSale, type GivenBack, type Sale } from './sales.ts';
import type { Spoilt, TroubledShop, TroubleKind } from './shop.ts';

/** Delivery of a webhook: which endpoint, how often, how many events later, or not at all. */
export interface Hint {
  /** Which of the platform's topics (deliveries.ts). */
  topic: number;
  endpoint: number;
  times: number;
  late: number;
  lost: boolean;
  /** Sent repeatedly until it is accepted. */
  insists?: boolean;
}

export type Happening =
  | { what: 'order'; order: number; store: number; sale: Sale; hints: Hint[] }
  | { what: 'refund'; order: number; back: GivenBack; hints: Hint[] }
  /** Another change of an order, with a webhook. */
  | { what: 'echo'; order: number; hints: Hint[] }
  | { what: 'kill'; part: number }
  | { what: 'restart'; server: 'postgres' | 'redis'; crash: boolean }
  | { what: 'fault'; fault: FaultInput }
  | { what: 'trouble'; store: number; kind: TroubleKind }
  /** A shop accepts calls and answers none until `answers`, and sends webhooks of unpaid orders from this number on. */
  | { what: 'hangs'; store: number; first: number; orders: number; sale: Sale }
  | { what: 'answers'; store: number }
  /** The following events wait for the last seconds of the day in Ecuador. */
  | { what: 'midnight' }
  /** The next order cannot be read, until `heal`. */
  | { what: 'spoil'; order: number; how: Spoilt }
  | { what: 'heal'; order: number }
  | { what: 'unpay'; order: number; hints: Hint[] }
  | { what: 'copy'; order: number; of: number; renewal: boolean; hints: Hint[] }
  | { what: 'edit'; order: number; more: boolean; hints: Hint[] }
  | { what: 'twist-service'; kind: ServiceAnswer; twist: Twist }
  | { what: 'twist-shop'; store: number; kind: Parameters<TroubledShop['twist']>[0]; twist: Twist }
  | { what: 'shop-backup' | 'shop-restored'; store: number }
  | { what: 'move'; store: number; keepOld: boolean }
  /** Its error in milliseconds from now on. */
  | { what: 'shop-clock'; store: number; ms: number }
  | { what: 'own-clock'; ms: number }
  | { what: 'ledger-backup' | 'ledger-restored' }
  | { what: 'disk'; full: boolean }
  /** Redis takes no write. */
  | { what: 'redis'; full: boolean }
  /** Every worker process is dead. */
  | { what: 'workers'; gone: boolean }
  /** A person runs a command of the product. */
  | { what: 'command'; command: OperatorCommand };

/** Answers of the tax service that can be confused. */
export type ServiceAnswer = 'emission' | 'status' | 'xml' | 'pdf';

export interface Schedule {
  happenings: Happening[];
  stores: number;
  /** Identifies the schedule: runs with the same hash have the same events. */
  hash: string;
}

/** The events in order, determined by the seed alone: counted, never timed. */
export function makeSchedule(options: Options): Schedule {
  const { seed, orders, accounts } = options;
  const stores = accounts * storesPerAccount;
  const random = openRandom(seed, 'sales');
  const sold = Array.from({ length: orders }, (_, order): Happening & { what: 'order' } => ({
    what: 'order',
    order,
    store: order < stores ? order : random.below(stores),
    sale: drawSale(random, order + 1),
    hints: drawHints(random, 1 + random.below(3)),
  }));
  const trade = insertAll([...sold], [...refundsOf(sold, options.refunds, seed), ...echoes(seed, orders)]);
  const troubles = drawTroubles(options, trade.length);
  const happenings = insertAll(trade, [
    ...troubles,
    ...drawDisasters(options, trade),
    ...drawCommands(options, trade.length),
  ]);
  const text = JSON.stringify({ happenings, stores });
  return { happenings, stores, hash: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}

/** An event to insert before the event at index `at`. */
export interface Placed {
  at: number;
  happening: Happening;
}

function insertAll(events: readonly Happening[], placed: readonly Placed[]): Happening[] {
  const byPlace = Map.groupBy(placed, ({ at }) => Math.min(at, events.length));
  const before = (at: number) => (byPlace.get(at) ?? []).map(({ happening }) => happening);
  return [...events.flatMap((event, at) => [...before(at), event]), ...before(events.length)];
}

export function drawHints(random: Random, most: number): Hint[] {
  return Array.from({ length: most }, () => ({
    topic: random.below(3),
    endpoint: random.below(2),
    times: random.chance(0.25) ? 2 + random.below(2) : 1,
    late: random.chance(0.4) ? 1 + random.below(12) : 0,
    lost: random.chance(0.12),
  }));
}

/** Refunds of random orders: some at once with the sale, most after its factura. */
function refundsOf(sold: readonly (Happening & { what: 'order' })[], count: number, seed: number): Placed[] {
  const random = openRandom(seed, 'refunds');
  const open = sold.map(({ order }) => order);
  const placed: Placed[] = [];
  while (placed.length < count && open.length > 0) {
    const [order = 0] = open.splice(random.below(open.length), 1);
    const sale = sold[order]?.sale;
    if (!sale) continue;
    let at = order + 1;
    for (const back of drawRefunds(random, sale).slice(0, count - placed.length)) {
      at += random.chance(0.3) ? random.below(3) : 40 + random.below(160);
      const hints = drawHints(random, 1 + random.below(2));
      placed.push({ at, happening: { what: 'refund', order, back, hints } });
    }
  }
  return placed;
}

function echoes(seed: number, orders: number): Placed[] {
  const random = openRandom(seed, 'echoes');
  return Array.from({ length: Math.floor(orders / 5) }, () => {
    const order = random.below(orders);
    const at = order + 1 + random.below(80);
    return { at, happening: { what: 'echo', order, hints: drawHints(random, 1) } };
  });
}
