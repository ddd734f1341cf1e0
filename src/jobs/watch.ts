import type { Alert } from '../domain/alerts.ts';
import { dayMs, ecuadorDay, momentInEcuador } from '../domain/clock.ts';
import { documentNumber } from '../domain/document.ts';
import { isOutage } from '../domain/errors.ts';
import { IssuerRecord, issuersUnder } from '../domain/issuer-record.ts';
import { keepsFailing, orderSubject, readOrderSubject } from '../domain/job.ts';
import {
  failedLists,
  inSentence,
  listLosses,
  listNames,
  type ReconciliationList,
} from '../domain/listing.ts';
import { type Account, owner } from '../domain/settings.ts';
import type { FailingJob } from '../ledger/counts.ts';
import type { HeldJob } from '../ledger/jobs.ts';
import type { ShopKey } from '../ledger/schema.ts';
import type { AlertParams } from '../messages/alerts.ts';
import { jobWords, waitWords } from '../messages/timeline.ts';
import { cheapestRecharge, documentsOf } from '../service/event.ts';
import { keepOnly, orderWaiting, queueStopped, seriesAlert, shopSilent } from './alerts.ts';
import type { JobDeps } from './deps.ts';
import { heldAlert } from './retry.ts';
import { named } from './sentences.ts';

type WatchDeps = Pick<JobDeps, 'ledger' | 'clock' | 'alerts'>;

/** Checks that belong to no job. */
export function openWatches(deps: JobDeps) {
  const freshness = openFreshnessWatch(deps);
  const absentStores = openAbsentStoreWatch(deps);
  return {
    async shops(): Promise<void> {
      await freshness();
      await absentStores();
      await watchLookUps(deps);
    },
    async ledger(): Promise<void> {
      await watchHeld(deps);
      await watchFailing(deps);
      await watchExhausted(deps);
    },
    waiting: () => watchWaiting(deps),
    async accounts(): Promise<void> {
      await watchCertificates(deps);
      for (const account of deps.accounts.values()) await watchCredits(deps, account);
    },
  };
}

const runs = 6;
const atLeastMs = 3_600_000;

type FreshnessDeps = Pick<JobDeps, 'ledger' | 'clock' | 'alerts' | 'timings' | 'storeOf' | 'shop'>;

/** Alerts when the reconciliation of a shop makes no progress for a while: orders without a webhook stay unknown. */
export function openFreshnessWatch({ ledger, clock, alerts, timings, storeOf, shop: shopOf }: FreshnessDeps) {
  const stoodAt = new Map<string, { reconciledTo: string; version: number; since: number }>();
  const limit = Math.max(runs * timings.reconciliation.every, atLeastMs);
  return async (): Promise<void> => {
    const now = clock.now().getTime();
    // A shop that does not answer, refuses access or was uninstalled has an alert already, and so has a stopped queue.
    const open = await ledger.alerts.open();
    const isStopped = open.some(({ code }) => code === queueStopped.code);
    const unreachable = new Set(
      open
        .filter(({ code }) => code === shopSilent.code || code === 'shop-not-connected')
        .map(({ subject }) => subject),
    );
    for (const {
      platform,
      shop,
      storeId,
      reconciledTo,
      version,
      behind,
    } of await ledger.reconciliations.freshness()) {
      const store = storeOf(platform, shop);
      const subject = `${platform} ${shop}`;
      const name = { code: 'reconciliation-behind', subject } as const;
      const stood = stoodAt.get(subject);
      const failed = failedLists(behind);
      // A run that fails changes the row too, and is no progress.
      const still = stood?.reconciledTo === reconciledTo && (failed.length > 0 || stood.version === version);
      if (!store || !shopOf(store)) {
        await alerts.over(name);
      } else if (!stood || !still) {
        stoodAt.set(subject, { reconciledTo, version, since: now });
        // Seen for the first time: the alert may be another process's.
        if (stood) await alerts.over(name);
      } else if (now - stood.since >= limit && !unreachable.has(storeId) && !isStopped) {
        const hours = Math.floor((now - stood.since) / 3_600_000);
        await alerts.raise({
          ...name,
          about: owner.shop({ platform, shop }),
          params: { hours, doing: inVain(storeId, failed) },
        });
      }
    }
  };
}

function inVain(store: string, failed: readonly ReconciliationList[]): string {
  if (failed.length === 0 || failed.includes('changes'))
    return `revisar la tienda ${store}: los pedidos cuyo aviso se perdió no se están facturando.`;
  return `leer ${inSentence(failed, listNames)} de la tienda ${store}: ${inSentence(failed, listLosses)}.`;
}

export async function watchLookUps({ ledger, clock, alerts }: WatchDeps): Promise<void> {
  const today = ecuadorDay(clock.now());
  await keepOnly({ ledger, alerts }, 'registry-limit', ({ since }) => ecuadorDay(new Date(since)) >= today);
}

export const lookBackDays = 14;
/** From here on there is time for a transfer to arrive. */
const warnDays = 10;
/** An account that issues little runs out between two looks all the same. */
const warnCredits = 20;

type CreditDeps = Pick<JobDeps, 'ledger' | 'clock' | 'alerts' | 'service' | 'log'>;

/** Warns of credits that will not last: production documents cost one each (spec, prices). */
export async function watchCredits(deps: CreditDeps, account: Account): Promise<void> {
  const { ledger, clock, alerts } = deps;
  const now = clock.now();
  const issued = await ledger.counts.issued(account.id, new Date(now.getTime() - lookBackDays * dayMs));
  const name = { code: 'credits-low', subject: account.id } as const;
  // Nothing left in production: nothing is consumed, whatever the wallet holds.
  if (issued === 0) return alerts.over(name);
  const balance = await deps.service(account, null).consultarSaldo();
  if (balance.kind !== 'balance') return;
  const { creditos, estadoSaldo } = balance;
  if (creditos === null && estadoSaldo === null) return;
  const perDay = issued / lookBackDays;
  const isLow = estadoSaldo === 'bajo' || estadoSaldo === 'agotado';
  const lasts = creditos === null || (Math.floor(creditos / perDay) >= warnDays && creditos >= warnCredits);
  if (lasts && !isLow) return alerts.over(name);
  const recharge = cheapestRecharge(perDay);
  await alerts.raise({
    ...name,
    about: owner.account(account.id),
    params: {
      left: leftWords(account.id, creditos, perDay),
      state: isLow ? estadoSaldo : null,
      usd: recharge.usd,
      documents: documentsOf(recharge),
    },
  });
}

function leftWords(account: string, creditos: number | null, perDay: number): string {
  if (creditos === null) return `A la cuenta ${account} le quedan pocos créditos.`;
  const days = Math.floor(creditos / perDay);
  return `A la cuenta ${account} le quedan ${creditos} créditos: al ritmo de las últimas dos semanas alcanzan para ${days} ${days === 1 ? 'día' : 'días'}.`;
}

type AbsentDeps = Pick<JobDeps, 'ledger' | 'alerts' | 'storeOf'>;

/** A store must be missing twice in one process: during a deploy older processes do not know new stores. */
export function openAbsentStoreWatch({ ledger, alerts, storeOf }: AbsentDeps): () => Promise<void> {
  let before = new Set<string>();
  return async () => {
    const absent = new Map<string, AbsentStore>();
    for (const one of await ledger.documents.underWayByShop())
      if (!storeOf(one.platform, one.shop)) absent.set(`${one.platform} ${one.shop}`, one);
    for (const [subject, one] of absent) if (before.has(subject)) await alerts.raise(alertOf(subject, one));
    await keepOnly({ ledger, alerts }, 'store-missing', ({ subject }) => absent.has(subject));
    before = new Set(absent.keys());
  };
}

interface AbsentStore extends ShopKey {
  storeId: string;
  count: number;
}

function alertOf(subject: string, { storeId, platform, shop, count }: AbsentStore): Alert {
  return {
    code: 'store-missing',
    subject,
    about: owner.shop({ platform, shop }),
    params: { store: storeId, shop, documents: count },
  };
}

/** For what has waited for a day without an alert of its own. */
export async function watchWaiting({ ledger, clock, alerts }: WatchDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - dayMs);
  const { tasks } = ledger.view(null);
  const waiting: Alert[] = [];
  const add = (subject: string, shop: ShopKey, params: AlertParams<'order-waiting'>) =>
    waiting.push({ ...orderWaiting, subject, about: owner.shop(shop), params });
  for (const { document, question } of await tasks.documents(10_000)) {
    const { id, state, createdAt, orderName, reason } = document;
    if (state !== 'held' || createdAt > before.toISOString()) continue;
    if (question && !question.passed && !question.answered) continue;
    const since = momentInEcuador(createdAt);
    add(id, document, { why: 'document', order: orderName, document: named(document), since, reason });
  }
  for (const order of await tasks.unsettledOrders(before)) {
    add(orderSubject(order), order, { why: 'money', order: order.name, reason: order.reason });
  }
  const subjects = new Set(waiting.map(({ subject }) => subject));
  await keepOnly({ ledger, alerts }, orderWaiting.code, ({ subject }) => subjects.has(subject));
  const open = new Set((await ledger.alerts.open()).map(({ code, subject }) => `${code} ${subject}`));
  for (const alert of waiting)
    if (!open.has(`${orderWaiting.code} ${alert.subject}`)) await alerts.raise(alert);
}

export async function watchExhausted({ ledger, alerts }: Pick<JobDeps, 'ledger' | 'alerts'>): Promise<void> {
  const lasting = new Set<string>();
  for (const document of await ledger.documents.list({
    states: ['held'],
    code: 'series-exhausted',
    limit: 10_000,
  })) {
    const { subject } = seriesAlert(document);
    if (lasting.has(subject)) continue;
    lasting.add(subject);
    await alerts.raise({
      code: 'series-exhausted',
      subject,
      about: owner.series(document),
      params: { series: `${document.establecimiento}-${document.puntoEmision}` },
    });
  }
  await keepOnly({ ledger, alerts }, 'series-exhausted', ({ subject }) => lasting.has(subject));
}

/** Days before the end at which people are alerted; each replaces the one before. */
const stages = [60, 30, 7, 1, 0] as const;
type CertificateDeps = Pick<JobDeps, 'ledger' | 'clock' | 'alerts' | 'accounts'>;

/** As far as `install` uploaded them. */
export async function watchCertificates({ ledger, clock, alerts, accounts }: CertificateDeps): Promise<void> {
  const now = clock.now().getTime();
  for (const name of await ledger.credentials.shops(issuersUnder)) {
    const [account = '', ruc = ''] = name.split(' ');
    const kept = await ledger.credentials.get({ platform: issuersUnder, shop: name });
    const { signature } = IssuerRecord.safeParse(kept?.value).data ?? {};
    if (!signature || !accounts.has(account)) continue;
    const left = (Date.parse(signature.until) - now) / dayMs;
    const stage = stages.findLast((days) => left <= days);
    for (const past of stages) {
      const alert = { code: 'certificate-expiring', subject: `${name} ${past}` };
      if (stage === undefined) await alerts.over(alert);
      // Replaced, not resolved: without a message that it ended.
      else if (past !== stage) await ledger.alerts.forget(alert);
    }
    if (stage === undefined) continue;
    const until = ecuadorDay(new Date(signature.until));
    await alerts.raise({
      code: 'certificate-expiring',
      subject: `${name} ${stage}`,
      about: owner.issuer(account, ruc),
      params: { owner: signature.owner, ruc, until, days: stage },
    });
  }
}

export function failingJobs({ ledger, clock }: Pick<JobDeps, 'ledger' | 'clock'>): Promise<FailingJob[]> {
  const { failures, forMs } = keepsFailing;
  return ledger.failing.list({ failures, since: new Date(clock.now().getTime() - forMs) });
}

/** One order may fail for a reason of its own, and a shop may restart. */
const silent = { jobs: 3, forMs: 2 * 60_000 };

async function watchSilentShops({ ledger, clock, alerts }: WatchDeps): Promise<ReadonlySet<string>> {
  const { jobs, forMs } = silent;
  const stores = new Set<string>();
  const since = new Date(clock.now().getTime() - forMs);
  for (const { storeId, reason } of await ledger.failing.silentShops({ jobs, since })) {
    stores.add(storeId);
    await alerts.raise({
      code: shopSilent.code,
      subject: storeId,
      about: owner.store(storeId),
      params: { store: storeId, reason: reason.slice(reason.indexOf(' ') + 1) },
    });
  }
  // Its other orders need not wait for the end of their backoff.
  for (const { code, subject } of await ledger.alerts.open())
    if (code === shopSilent.code && !stores.has(subject)) await ledger.stores.wake(subject, clock.now());
  await keepOnly({ ledger, alerts }, shopSilent.code, ({ subject }) => stores.has(subject));
  return stores;
}

/** The jobs of a shop that does not answer have one alert together. */
export async function watchFailing({ ledger, clock, alerts }: WatchDeps): Promise<void> {
  const silentStores = await watchSilentShops({ ledger, clock, alerts });
  const reported = new Set<string>();
  for (const job of await failingJobs({ ledger, clock })) {
    const { kind, storeId, reason, failures, since } = job;
    if (silentStores.has(storeId) && isOutage(reason)) continue;
    reported.add(subjectOf(job));
    await alerts.raise({
      code: 'job-keeps-failing',
      subject: subjectOf(job),
      // Of an account, a channel or a listener it is the whole installation's.
      about: storeId.includes(':') ? undefined : owner.store(storeId),
      params: {
        about: await titleOf({ ledger }, job),
        doing: jobWords[kind],
        failures,
        since,
        reason: waitWords(reason),
      },
    });
  }
  await keepOnly({ ledger, alerts }, 'job-keeps-failing', ({ subject }) => reported.has(subject));
}

export async function watchHeld({ ledger, alerts }: Pick<JobDeps, 'ledger' | 'alerts'>): Promise<void> {
  const held = await ledger.jobs.held();
  for (const job of held) {
    const { kind, storeId } = job;
    const { subject } = heldAlert(job);
    await alerts.raise({
      ...heldAlert(job),
      about: storeId.includes(':') ? undefined : owner.store(storeId),
      params: { about: await titleOf({ ledger }, job), doing: jobWords[kind], subject },
    });
  }
  const subjects = new Set(held.map((job) => heldAlert(job).subject));
  await keepOnly({ ledger, alerts }, 'job-held', ({ subject }) => subjects.has(subject));
}

const subjectOf = ({ kind, subject }: Pick<FailingJob, 'kind' | 'subject'>): string => `${kind} ${subject}`;

async function titleOf(
  { ledger }: Pick<JobDeps, 'ledger'>,
  { kind, subject, storeId }: HeldJob,
): Promise<string> {
  const document = await ledger.documents.get(subject);
  if (document) {
    const number = documentNumber(document);
    return `Pedido ${document.orderName}${number === null ? '' : `, documento ${number}`} (${storeId})`;
  }
  if (kind !== 'sync-order' && kind !== 'ask-buyer' && kind !== 'buyer-cut-off')
    return storeId.includes(':') ? subject : `Tienda ${storeId}`;
  const order = readOrderSubject(subject);
  return `Pedido ${(await ledger.orders.get(order))?.name ?? order.orderId} (${storeId})`;
}
