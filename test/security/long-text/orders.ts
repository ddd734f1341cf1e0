import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtInPlatforms } from '../../../src/app/platforms.ts';
import { masked } from '../../../src/assistant/tools.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { readJson } from '../../../src/domain/loose.ts';
import type { Order } from '../../../src/domain/order.ts';
import type { Platform } from '../../../src/domain/platform.ts';
import { explain } from '../../../src/operations/run/order-timeline.ts';
import { explainAction } from '../../../src/planner/explain/action.ts';
import { plan, planAsIf } from '../../../src/planner/plan.ts';
import { goldenFolder, orderOf } from '../../golden/timeline.ts';
import { noon, store } from '../../support/orders.ts';
import type { Reader } from './cost.ts';
import { type Path, placesIn, withValue } from './texts.ts';

/** An order as its shop tells it, with the refunds that came later. */
interface Recorded {
  order: unknown;
  refunds: unknown;
}

/** Every timeline of a platform, in a webhook's words (`webhook`) or in those of an answer of GraphQL. */
function recordedOf(platform: Platform, as: 'webhook' | 'graphql'): Recorded[] {
  return readdirSync(goldenFolder).flatMap((name) => {
    // One of them is as long as a body may be.
    if (!name.startsWith(`${platform.name}-`) || name.includes('treinta-mil')) return [];
    const read = (file: string): unknown =>
      readJson(readFileSync(`${goldenFolder}/${name}/${file}`, 'utf8').replace(/^\uFEFF/, ''));
    const hasRefunds = existsSync(`${goldenFolder}/${name}/refunds.json`);
    const order = read('platform.json');
    if (isAnswer(order) !== (as === 'graphql')) return [];
    return [{ order, refunds: hasRefunds ? read('refunds.json') : [] }];
  });
}

const isAnswer = (order: unknown): boolean => typeof order === 'object' && order !== null && 'data' in order;

/** The order as its platform reads it; null where it refuses. */
function readRecorded(platform: Platform, { order, refunds }: Recorded): Order | PayloadError {
  try {
    const sold = orderOf(platform, order);
    return { ...sold, refunds: platform.readRefunds(refunds, order) };
  } catch (error) {
    if (error instanceof PayloadError) return error;
    throw error;
  }
}

const issued = { number: '001-001-000000123', date: '2026-11-20' };

/** All that is done with an order without asking anybody: read, planned, explained, masked for assistant and support. */
function useOrder(platform: Platform, recorded: Recorded): unknown {
  const order = readRecorded(platform, recorded);
  if (order instanceof Error) return order;
  const seller = { store, invoiceFrom: new Date(0), now: noon };
  const actions = [
    ...plan({ ...seller, order: { ...order, refunds: [] }, documents: [] }),
    ...planAsIf({ ...seller, order }, issued),
  ];
  const reported = actions.map((action) => {
    explain(action);
    return [action.reason, explainAction(action), masked(action, new Set())];
  });
  return [order, reported];
}

interface Place {
  recorded: Recorded;
  path: Path;
}

/** Every kind of place in any timeline of a platform, with a timeline that has it. */
function placesOf(timelines: readonly Recorded[]): Map<string, Place> {
  return new Map(
    timelines.flatMap((recorded) =>
      [...placesIn(recorded)].map(([kind, path]) => [kind, { recorded, path }] as const),
    ),
  );
}

/** As much of a text as one field keeps; the rest of it stands in further rows. */
const inOneRow = 5_000;

/** The innermost list on the way to a place, with as many rows as the text takes. */
function withRows(value: unknown, path: Path, text: string): unknown {
  const at = path.findLastIndex((step) => typeof step === 'number');
  const rows = Array.from({ length: Math.ceil(text.length / inOneRow) }, (_, n) =>
    withValue(
      valueAt(value, path.slice(0, at + 1)),
      path.slice(at + 1),
      text.slice(n * inOneRow, (n + 1) * inOneRow),
    ),
  );
  return withValue(value, path.slice(0, at), rows);
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((here, step) => (here as Record<string | number, unknown>)[step], value);

/** Orders and refunds of both platforms, one place at a time; of lists one row, and as many as the text fills. */
export const orderReaders: readonly Reader[] = builtInPlatforms.flatMap((platform) =>
  (['webhook', 'graphql'] as const).flatMap((as) => {
    const places = placesOf(recordedOf(platform, as));
    if (places.size === 0) return [];
    const reader = (name: string, kinds: string[], change: typeof withValue | typeof withRows): Reader => ({
      name,
      places: kinds,
      keeps: 6_000,
      prepare(kind, text) {
        const { recorded, path } = places.get(kind) as Place;
        const changed = change(recorded, path, text) as Recorded;
        return () => useOrder(platform, changed);
      },
    });
    const kinds = [...places.keys()];
    const name = `an order of ${platform.title} (${as})`;
    return [
      reader(name, kinds, withValue),
      reader(
        `${name}, in rows`,
        kinds.filter((kind) => kind.includes('*')),
        withRows,
      ),
    ];
  }),
);
