import type { FaultInput } from '../src/sandbox/index.ts';
import type { Options } from './options.ts';
import { openRandom, type Random } from './random.ts';
import { drawSale } from './sales.ts';
import { type Placed, storesPerAccount } from './schedule.ts';
import type { TroubleKind } from './shop.ts';

/** What the tax service's stand-in does by chance, to any request or event, the whole run long. */
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

/** Kills and crashes spread evenly over the run with some jitter, faults and hanging shops between them, midnight in its middle. */
export function drawDisasters(
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
    // Every other one dies while answers of emissions are still out.
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

/** Unpaid orders a shop that hangs tells of, each by a signed webhook of its own. */
const hintsOfHanging = 200;
/** No sale has so high a number. */
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
