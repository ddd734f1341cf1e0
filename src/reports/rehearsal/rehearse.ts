import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { statedRows } from '../../../mappers/tax-computation.ts';
import { ecuadorDay } from '../../domain/clock.ts';
import type { Ambiente } from '../../domain/document.ts';
import { type FacturapuenteError, PayloadError, ShopError } from '../../domain/errors.ts';
import type { ListedOrder } from '../../domain/listing.ts';
import { type Amount, decimal, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import type { Action } from '../../planner/action.ts';
import { planPast } from '../../planner/plan.ts';
import { everyRow } from '../sources.ts';
import { type Figures, figuresOf, type PastDocument, type PastFacts } from './figures.ts';

interface Recharge {
  usd: number;
  documents: number;
}

/** A document in production consumes one credit (spec, key rules). */
interface Monthly {
  days: number;
  credits: number;
  creditsWithHelp: number;
  recharge: Recharge;
}

export interface Rehearsal extends Pick<Past, 'leftOut' | 'unreadable'> {
  store: string;
  platform: string;
  shop: string;
  ambiente: Ambiente;
  finalConsumerLimit: Amount | null;
  /** ISO instants. `since` is later than requested where there were too many orders. */
  since: string;
  until: string;
  figures: Figures;
  monthly: Monthly;
  documents: PastDocument[];
}

interface RehearsalParts {
  store: Store;
  shop: Shop;
  now: Date;
  rechargeFor(documentsPerDay: number): Recharge;
}

export async function rehearse(
  { store, shop, now, rechargeFor }: RehearsalParts,
  asked: Asked,
): Promise<Rehearsal> {
  const documents: PastDocument[] = [];
  const past = await readPast(shop, asked, (order) => {
    if (order.shop !== store.shop)
      throw new PayloadError('shop-mixed-up', {
        platform: store.platform.title,
        shop: store.shop,
        order: order.id,
        isChanging: false,
      });
    documents.push(...rehearseOrder(order, store, now));
  });
  const counted = documents
    .filter(({ at }) => Date.parse(at) >= past.since.getTime())
    .sort((a, b) => a.at.localeCompare(b.at) || a.orderId.localeCompare(b.orderId));
  const figures = figuresOf(counted, past.since, now);
  const { allowed, limit } = store.policy.finalConsumer;
  return {
    store: store.id,
    platform: store.platform.title,
    shop: store.shop,
    ambiente: store.issuer.ambiente,
    finalConsumerLimit: allowed ? limit : null,
    since: past.since.toISOString(),
    until: now.toISOString(),
    leftOut: past.leftOut,
    unreadable: past.unreadable,
    figures,
    monthly: monthlyOf(figures, daysOf(counted[0]?.at, past.since, now), rechargeFor),
    documents: counted,
  };
}

const number = '001-001-000000001';

function rehearseOrder(
  order: Order,
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  now: Date,
): PastDocument[] {
  const paidAt = order.paidAt ?? order.placedAt;
  const date = ecuadorDay(new Date(Math.min(Date.parse(paidAt), now.getTime())));
  const input = { order, store, invoiceFrom: new Date(0), now };
  const { sale, today: planned } = planPast(input, { number, date });
  const credits = planned.filter(({ kind }) => kind === 'nota-credito');
  return [
    toPast(order, sale, paidAt),
    ...credits.map((credit) => {
      const refund = order.refunds.find(({ id }) => id === credit.identity.sourceId);
      return toPast(order, credit, refund?.at ?? order.updatedAt);
    }),
  ];
}

function toPast(order: Order, planned: Action, at: string): PastDocument {
  const { kind, action, code, reason, charged, document, difference, identity } = planned;
  return {
    kind,
    orderId: order.id,
    orderName: order.name,
    sourceId: identity.sourceId,
    at,
    day: ecuadorDay(new Date(at)),
    action,
    code,
    reason,
    charged,
    document,
    difference,
    facts: action === 'emit' ? factsOf(planned) : null,
  };
}

function factsOf({ trace, body }: Action): PastFacts {
  const { mapping, identity } = trace;
  return {
    buyer: identity?.type ?? null,
    rounding: mapping?.money.rounding ?? '0.00',
    statedTax: (mapping?.taxes ?? []).some(({ difference }) => !decimal(difference).isZero()),
    taxes: (body ? statedRows(body) : []).map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
      codigo,
      porcentaje: codigo_porcentaje,
      base: toAmount(decimal(base_imponible)),
      valor: toAmount(decimal(valor)),
    })),
    payments: (body && 'pagos' in body ? (body.pagos ?? []) : []).map(({ tipo, total }) => ({
      tipo: String(tipo).padStart(2, '0'),
      amount: toAmount(decimal(total)),
    })),
  };
}

const day = 24 * 3_600_000;
const month = 365 / 12;
/** Figures of a month need at least these days. */
const fewestDays = 7;

function daysOf(first: string | undefined, since: Date, now: Date): number {
  const begun = first === undefined ? since.getTime() : Date.parse(first);
  const start = begun - since.getTime() > fewestDays * day ? begun : since.getTime();
  return Math.max(Math.ceil((now.getTime() - start) / day), fewestDays);
}

function monthlyOf(
  { facturas, notasCredito, obstacles }: Figures,
  days: number,
  rechargeFor: RehearsalParts['rechargeFor'],
): Monthly {
  const issued = facturas.count + notasCredito.count;
  const held = obstacles.filter(({ action }) => action === 'hold').reduce((sum, { count }) => sum + count, 0);
  const perMonth = (count: number) => Math.ceil((count / days) * month);
  return {
    days,
    credits: perMonth(issued),
    creditsWithHelp: perMonth(issued + held),
    recharge: rechargeFor((issued + held) / days),
  };
}

/** A small host has few processes, which serve the shop's visitors. */
const atOnce = 4;
/** Waits in milliseconds, growing from one try to the next. */
const tries = 6;
const firstWait = 1_000;
const longestWait = 60_000;
/** With so many unreadable orders and no other, the shop has failed. */
const mostUnread = 5;

interface Asked {
  since: Date;
  most: number;
  progress?(done: number, of: number | null): void;
  wait?(ms: number): Promise<unknown>;
}

interface Past {
  since: Date;
  leftOut: number;
  unreadable: { id: string; reason: string }[];
}

/** Payment is a change, so orders are listed by change. Throws ShopError where retrying does not help. */
export async function readPast(shop: Shop, asked: Asked, take: (order: Order) => void): Promise<Past> {
  const { progress, wait = sleep } = asked;
  const patiently = <T>(task: () => Promise<T>) => untilAnswered(task, wait);
  const changed = await listed(shop, asked, patiently);
  const chosen = changed.slice(Math.max(changed.length - asked.most, 0));
  const leftOut = changed.length - chosen.length;
  const since = leftOut > 0 ? new Date(chosen[0]?.updatedAt ?? asked.since) : asked.since;
  const unreadable: Past['unreadable'] = [];
  const stop = new AbortController();
  const queue = new PQueue({ concurrency: atOnce });
  let done = 0;
  let taken = 0;
  const read = async (id: string) => {
    if (stop.signal.aborted) return;
    try {
      const order = await patiently(() => shop.fetchOrder(id));
      if (order) take(order);
      taken += 1;
    } catch (error) {
      const ofOrder = isOfOrder(error) && (unreadable.length < mostUnread || taken > 0);
      if (!ofOrder) {
        stop.abort();
        throw error;
      }
      unreadable.push({ id, reason: merchantWords(error) });
    }
    done += 1;
    progress?.(done, chosen.length);
  };
  await Promise.all(chosen.map(({ id }) => queue.add(() => read(id))));
  return { since, leftOut, unreadable };
}

type Patiently = <T>(task: () => Promise<T>) => Promise<T>;

async function listed(shop: Shop, { since, progress }: Asked, patiently: Patiently): Promise<ListedOrder[]> {
  const found = new Map<string, ListedOrder>();
  for await (const row of everyRow((cursor) => patiently(() => shop.changedOrders({ since, cursor })))) {
    // An order that changed while the pages were read is listed again.
    found.delete(row.id);
    found.set(row.id, row);
    progress?.(found.size, null);
  }
  const updatedAt = since.toISOString();
  const older = new Map<string, ListedOrder>();
  for await (const { orderId } of everyRow((cursor) => patiently(() => shop.newRefunds({ since, cursor }))))
    if (!found.has(orderId)) older.set(orderId, { id: orderId, updatedAt, refunds: null });
  return [...older.values(), ...found.values()];
}

async function untilAnswered<T>(task: () => Promise<T>, wait: (ms: number) => Promise<unknown>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      if (attempt >= tries || !isPassing(error as FacturapuenteError)) throw error;
      const grown = firstWait * 2 ** (attempt - 1);
      await wait(Math.min((error as ShopError).retryAfterMs ?? grown, longestWait));
    }
  }
}

const isOfOrder = (error: unknown): error is FacturapuenteError =>
  error instanceof PayloadError || (error instanceof ShopError && !error.retryable && !error.disconnected);

const merchantWords = (error: FacturapuenteError): string =>
  error.cause instanceof PayloadError ? error.cause.merchant : error.merchant;

const isPassing = (error: unknown): boolean => error instanceof ShopError && error.retryable;
