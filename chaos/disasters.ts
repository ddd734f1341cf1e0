import type { FaultInput } from '../sandbox/emulator/index.ts';
import { platformOf, storesPerAccount } from './installation.ts';
import type { Options } from './options.ts';
import type { Twist } from './proxy.ts';
import { openRandom, type Random } from './random.ts';
import { drawSale } from './sales.ts';
import { drawHints, type Happening, type Placed } from './schedule.ts';
import type { Spoilt, TroubleKind } from './shop.ts';

/** Random faults of the sandbox on any request or event, during the whole run. */
const everyKind = [
  'delayAnswerMs',
  'cutBeforeStoring',
  'dropAnswer',
  'failBeforeStoring',
  'status500AfterStoring',
  'htmlAnswer',
  'brokenJson',
  'creadoAsString',
  'tooManyRequests',
  'dropWebhooks',
  'duplicateWebhooks',
  'delayWebhooksMs',
  'reorderWebhooks',
  'badSignatureV1',
  'badSignatureV2',
  'staleTimestamp',
] as const;

/** Events of every run: kills and crashes spread evenly with some jitter, faults and hanging shops between them, midnight in the middle. */
export function drawTroubles(
  { seed, orders, kills, accounts, embedded, servers }: Options,
  length: number,
): Placed[] {
  const random = openRandom(seed, 'disasters');
  const somewhere = (nth: number, of: number) =>
    Math.min(length, Math.max(1, Math.floor((length * (nth + 0.2 + 0.6 * random.next())) / of)));
  const chaos: FaultInput = {
    chaos: { seed, probability: 0.1, kinds: [...everyKind], ms: 400 },
  };
  const placed: Placed[] = [
    { at: 0, happening: { what: 'fault', fault: chaos } },
    { at: Math.floor(length / 2), happening: { what: 'midnight' } },
  ];
  for (let kill = 0; kill < kills; kill += 1) {
    const at = somewhere(kill, kills);
    // Every second process dies while emissions are in flight.
    if (kill % 2 === 1)
      placed.push({ at: Math.max(at - 2, 1), happening: { what: 'fault', fault: midAnswer(random) } });
    placed.push({ at, happening: { what: 'kill', part: random.below(embedded ? 1 : 4) } });
  }
  const restarts = embedded || servers ? 0 : Math.max(2, Math.round(kills / 10));
  for (let restart = 0; restart < restarts; restart += 1) {
    const server = restart % 2 === 0 ? ('redis' as const) : ('postgres' as const);
    const happening = { what: 'restart', server, crash: random.chance(0.6) } as const;
    placed.push({ at: somewhere(restart, restarts), happening });
  }
  const troubles = Math.floor(length / 8);
  for (let trouble = 0; trouble < troubles; trouble += 1) {
    const kind = random.pick<TroubleKind>(['busy', 'lost', 'slowDown']);
    const store = random.below(accounts * storesPerAccount);
    placed.push({ at: somewhere(trouble, troubles), happening: { what: 'trouble', store, kind } });
  }
  return [...placed, ...drawHangs({ seed, accounts, orders }, length)];
}

/** Unpaid orders of a hanging shop, each with its own signed webhook. */
const hintsOfHanging = 200;
/** Above the number of every sale. */
const firstUnpaid = 10_000_000;

/** A shop hangs for an eighth of the events at least, one after the other; two in a long run's thousand orders. */
function drawHangs(
  { seed, accounts, orders }: Pick<Options, 'seed' | 'accounts' | 'orders'>,
  length: number,
): Placed[] {
  const random = openRandom(seed, 'hangs');
  const hangs = Math.max(1, Math.round(orders / 500));
  return Array.from({ length: hangs }, (_, nth): Placed[] => {
    const store = random.below(accounts * storesPerAccount);
    const from = Math.floor((length * (nth + 0.1 + 0.3 * random.next())) / hangs);
    const to = Math.min(length, from + Math.ceil(length / 8 / hangs) + random.below(10));
    const first = firstUnpaid + nth * hintsOfHanging;
    const sale = drawSale(random, first);
    return [
      { at: from, happening: { what: 'hangs', store, first, orders: hintsOfHanging, sale } },
      { at: to, happening: { what: 'answers', store } },
    ];
  }).flat();
}

function midAnswer(random: Random): FaultInput {
  const times = 2 + random.below(3);
  return random.chance(0.5)
    ? { delayAnswerMs: { ms: 1_500, times } }
    : { delayAnswerMs: { ms: 1_500, times }, dropWebhooks: { times } };
}

/** The sales of a run and the frequency of each disaster. */
interface Draw {
  random: Random;
  options: Options;
  trade: readonly Happening[];
}

const minutes = 60_000;
const hours = 60 * minutes;

/** Disasters of shops, their ids and clocks, answers, our own clock, disk and backups. Each can be left out. */
const draws = {
  /** Orders whose JSON cannot be read, half of them permanently. */
  'poisoned-orders'({ random, options, trade }) {
    return pick(random, orderEvents(trade), Math.max(2, options.orders / 50)).flatMap(
      ({ at, order }, nth) => {
        const how: Spoilt = random.chance(0.5) ? 'figure' : 'warning';
        const end = { at: at + 10 + random.below(40), happening: { what: 'heal' as const, order } };
        return [{ at, happening: { what: 'spoil', order, how } }, ...(nth % 2 === 0 ? [end] : [])];
      },
    );
  },

  /** Orders that their shop lists and signs, and answers with 404 or as they were before they were paid; a third for good. */
  'hidden-orders'({ random, options, trade }) {
    return pick(random, orderEvents(trade), Math.max(3, options.orders / 50)).flatMap(
      ({ at, order }, nth) => {
        const how: Spoilt = random.chance(0.5) ? 'missing' : 'stale';
        const end = { at: at + 40 + random.below(120), happening: { what: 'heal' as const, order } };
        return [{ at, happening: { what: 'spoil', order, how } }, ...(nth % 3 === 0 ? [] : [end])];
      },
    );
  },

  /** Payments that are reversed, before the factura and after it. */
  'unpaid-orders'({ random, options, trade }) {
    const refunded = new Set(trade.flatMap((one) => (one.what === 'refund' ? [one.order] : [])));
    const open = orderEvents(trade).filter(({ order }) => !refunded.has(order));
    return pick(random, open, Math.max(2, options.orders / 50)).map(({ at, order }) => ({
      at: at + 1 + random.below(80),
      happening: { what: 'unpay', order, hints: drawHints(random, 2) },
    }));
  },

  /** A gateway's own 409 instead of the service's answer to an emission that it stored. */
  'gateway-conflicts'({ random, options, trade }) {
    return Array.from({ length: Math.max(2, Math.round(options.orders / 50)) }, () => ({
      at: random.below(trade.length),
      happening: { what: 'twist-service' as const, kind: 'emission' as const, twist: 'conflict' as const },
    }));
  },

  /** Orders copied with our keys on them, by hand and as renewals. */
  'duplicated-orders'({ random, options, trade }) {
    return pick(random, ofWordPress(trade), Math.max(2, options.orders / 50)).map(({ at, order }, nth) => ({
      at: at + 20 + random.below(60),
      happening: {
        what: 'copy',
        order: options.orders + nth,
        of: order,
        renewal: random.chance(0.5),
        hints: drawHints(random, 2),
      },
    }));
  },

  /** Orders changed after they were paid, before their factura and after it. */
  'edited-orders'({ random, options, trade }) {
    const refunded = new Set(trade.flatMap((one) => (one.what === 'refund' ? [one.order] : [])));
    const open = ofWordPress(trade).filter(({ order }) => !refunded.has(order));
    return pick(random, open, Math.max(2, options.orders / 50)).map(({ at, order }) => ({
      at: at + 1 + (random.chance(0.5) ? 0 : random.below(40)),
      happening: { what: 'edit', order, more: random.chance(0.5), hints: drawHints(random, 1) },
    }));
  },

  /** Answers of the service and of shops that belong to other requests: exchanged on their way, or from a cache. */
  'swapped-answers'({ random, options, trade }) {
    const stores = options.accounts * storesPerAccount;
    return Array.from({ length: Math.ceil(trade.length / 6) }, () => {
      const twist = random.pick<Twist>(['swap', 'cache']);
      const at = random.below(trade.length);
      return random.chance(0.5)
        ? {
            at,
            happening: {
              what: 'twist-service',
              kind: random.pick(['emission', 'status', 'xml', 'pdf']),
              twist,
            },
          }
        : {
            at,
            happening: {
              what: 'twist-shop',
              store: random.below(stores),
              kind: random.pick(['order', 'refunds', 'list']),
              twist,
            },
          };
    });
  },

  /** WordPress shops restored from a backup: later sales are gone, and their ids are reused. */
  'restored-shop'({ random, options, trade }) {
    return busiest(trade, Math.max(1, options.orders / 400)).flatMap(({ store, at }) => {
      const [backup = 0, restore = 0] = [
        Math.floor(at.length * 0.3),
        Math.max(Math.floor(at.length * 0.3) + 1, Math.floor(at.length * (0.5 + 0.2 * random.next()))),
      ];
      return [
        { at: at[backup] ?? 0, happening: { what: 'shop-backup', store } },
        { at: (at[restore] ?? trade.length) + 1, happening: { what: 'shop-restored', store } },
      ] satisfies Placed[];
    });
  },

  /** WordPress shops that move to another address while documents are under way; some still answer at the old one. */
  'moved-shop'({ random, options, trade }) {
    return pick(random, ofWordPress(trade), Math.max(2, options.orders / 300)).map(({ at, store }) => ({
      at: at + 1 + random.below(5),
      happening: { what: 'move', store, keepOld: random.chance(0.3) },
    }));
  },

  /** A shop's clock is wrong during one write, seconds or a day, ahead or behind. */
  'shop-clock'({ random, options, trade }) {
    const refunded = new Set(trade.flatMap((one) => (one.what === 'refund' ? [one.order] : [])));
    const all = orderEvents(trade);
    const some = Math.max(6, options.orders / 40);
    return [
      ...pick(
        random,
        all.filter(({ order }) => refunded.has(order)),
        some,
      ),
      ...pick(random, all, some / 2),
    ].flatMap(({ at, store }) => {
      const ms = random.pick([4_000, 15 * minutes, 3 * hours, 24 * hours, -4_000, -15 * minutes, -2 * hours]);
      return [
        { at, happening: { what: 'shop-clock', store, ms } },
        { at: at + 1, happening: { what: 'shop-clock', store, ms: 0 } },
      ] satisfies Placed[];
    });
  },

  /** Our own clock is stepped and corrected later. It is a day ahead at the first start of the product. */
  'own-clock'({ random, options, trade }) {
    const handlers = Math.max(2, Math.round(options.orders / 250));
    return Array.from({ length: handlers }, (_, nth) => {
      const at = Math.floor((trade.length * (nth + 0.2 + 0.4 * random.next())) / handlers);
      const ms = random.pick([26 * hours, 2 * hours, 90_000, -10 * minutes, -2 * hours]);
      const back = Math.min(trade.length, at + 5 + random.below(Math.ceil(trade.length / handlers / 4)));
      return [
        { at, happening: { what: 'own-clock', ms } },
        { at: back, happening: { what: 'own-clock', ms: 0 } },
      ] satisfies Placed[];
    }).flat();
  },

  /** The ledger is restored from a backup. */
  'restored-ledger'({ random, trade }) {
    const at = Math.floor(trade.length * (0.3 + 0.2 * random.next()));
    return [
      { at, happening: { what: 'ledger-backup' } },
      { at: at + Math.ceil(trade.length / 8), happening: { what: 'ledger-restored' } },
    ];
  },

  /** The ledger's disk is full for a while. */
  'disk-full'({ random, trade }) {
    const at = Math.floor(trade.length * (0.6 + 0.2 * random.next()));
    return [
      { at, happening: { what: 'disk', full: true } },
      { at: at + Math.ceil(trade.length / 12), happening: { what: 'disk', full: false } },
    ];
  },

  /** The memory of Redis is full for a while, and it drops nothing. */
  'redis-full'({ random, trade }) {
    const at = Math.floor(trade.length * (0.3 + 0.08 * random.next()));
    return [
      { at, happening: { what: 'redis', full: true } },
      { at: at + Math.ceil(trade.length / 12), happening: { what: 'redis', full: false } },
    ];
  },

  /** Every worker process is dead for a while, and every web process takes webhooks. */
  'workers-gone'({ random, trade }) {
    const at = Math.floor(trade.length * (0.1 + 0.1 * random.next()));
    return [
      { at, happening: { what: 'workers', gone: true } },
      { at: at + Math.ceil(trade.length / 12), happening: { what: 'workers', gone: false } },
    ];
  },
} satisfies Record<string, (draw: Draw) => Placed[]>;

export type DisasterName = keyof typeof draws;
export const disasterNames = Object.keys(draws) as DisasterName[];

/** The requested disasters, each with its own random stream: leaving one out changes no other. */
export const drawDisasters = (options: Options, trade: readonly Happening[]): Placed[] =>
  options.disasters
    .flatMap((name) => draws[name]({ random: openRandom(options.seed, name), options, trade }) as Placed[])
    .map(({ at, happening }) => ({ at: Math.min(at, trade.length), happening }));

interface OrderEvent {
  at: number;
  order: number;
  store: number;
}

const orderEvents = (trade: readonly Happening[]): OrderEvent[] =>
  trade.flatMap((one, at) => (one.what === 'order' ? [{ at, order: one.order, store: one.store }] : []));

const ofWordPress = (trade: readonly Happening[]): OrderEvent[] =>
  orderEvents(trade).filter(({ store }) => platformOf(store) === 'woocommerce');

/** `count` of them at random, none twice. */
function pick<T>(random: Random, from: readonly T[], count: number): T[] {
  const open = [...from];
  const chosen: T[] = [];
  while (chosen.length < count && open.length > 0) chosen.push(...open.splice(random.below(open.length), 1));
  return chosen;
}

/** The WordPress shops with the most sales, and the times of these. With fewer than three sales there is nothing to restore. */
function busiest(trade: readonly Happening[], count: number): { store: number; at: number[] }[] {
  return [...Map.groupBy(ofWordPress(trade), ({ store }) => store)]
    .map(([store, events]) => ({ store, at: events.map(({ at }) => at) }))
    .filter(({ at }) => at.length >= 3)
    .sort((a, b) => b.at.length - a.at.length || a.store - b.store)
    .slice(0, Math.ceil(count));
}
