import { logAlerts } from '../domain/alerts.ts';
import { toServiceDate } from '../domain/clock.ts';
import { type Attempt, type Document, documentNumber, type MoveNote } from '../domain/document.ts';
import { done, type JobOutcome, seriesSubject } from '../domain/job.ts';
import { withoutBuyerWords } from '../domain/privacy.ts';
import { owner } from '../domain/settings.ts';
import type { NewAttempt } from '../ledger/attempts.ts';
import type { DocumentPatch } from '../ledger/documents.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Decision } from '../protocol/decide.ts';
import type { Effect, Reply, Request } from '../protocol/effects.ts';
import type { Job } from '../protocol/events.ts';
import { freeDigitsOf } from '../service/event.ts';
import { pauseAccount, probeWait } from './account-pause.ts';
import { beginAlert, endAlert, reportMixedUp, seriesAlert, takenAlert, takenBySomebody } from './alerts.ts';
import { issuerAlert } from './announce.ts';
import type { JobDeps, SendingKey } from './deps.ts';
import { documentJob, enqueueDocument, enqueueSync, kindOf, replanHeld, wakeWaiting } from './enqueue.ts';
import { keyNames } from './load-state.ts';
import { enqueueCatchUp, logLost, noteLost, suspectReason, whoseIs } from './older-ledger/lost-documents.ts';
import type { Exchange } from './requests.ts';
import { named, reasonOf } from './sentences.ts';

export interface Subject {
  document: Document;
  attempts: readonly Attempt[];
  exchange: Exchange;
  job: Job | null;
  key: SendingKey | undefined;
  draft: NewAttempt | undefined;
  planned: string | undefined;
  facts: MoveNote;
  now: Date;
}

export interface Applied {
  document: Document;
  attempts: readonly Attempt[];
  request: Request | null;
  reply: Reply | null;
  outcome: JobOutcome;
  failed: string | null;
  /** Pauses the account this was sent or asked under; returns the outcome of its job. */
  pause: (() => Promise<JobOutcome>) | null;
  after: (() => unknown)[];
}

interface Context {
  deps: JobDeps;
  tables: Tables;
  subject: Subject;
  now: Date;
  out: Applied;
}

export async function applyEffects(
  deps: JobDeps,
  tables: Tables,
  { effects, request, reply }: Pick<Decision, 'effects' | 'request' | 'reply'>,
  subject: Subject,
): Promise<Applied> {
  const { document, attempts, now } = subject;
  const out: Applied = {
    document,
    attempts,
    request,
    reply,
    outcome: done,
    failed: null,
    pause: null,
    after: [],
  };
  for (const effect of effects) await apply({ deps, tables, subject, now, out }, effect);
  const { claimed } = subject.exchange;
  // Most jobs end here, in the same COMMIT.
  if (claimed && !out.request && out.outcome === done && out.failed === null) {
    const held = await tables.jobs.finish(claimed.id, claimed.token);
    out.outcome = { kind: 'finished', held };
  }
  return out;
}

async function apply(context: Context, effect: Effect): Promise<unknown> {
  const { deps, tables, subject, now, out } = context;
  const { document } = out;
  const { exchange } = subject;
  switch (effect.kind) {
    case 'move':
      out.document = await move(context, effect);
      if (effect.patch.code === 'reprocess') await reportIssuer(context, effect.note.cause === 'issuer');
      return;
    case 'start-attempt':
      out.attempts = [...out.attempts, await tables.attempts.add(contentOf(context, effect))];
      return;
    case 'end-attempt':
      return endAttempt(context, effect);
    case 'schedule': {
      const dueAt = new Date(effect.at);
      // Also for the job that runs: another process may have taken it over by now, and end it.
      await tables.jobs.enqueue(documentJob(kindOf[effect.job], document, dueAt));
      if (effect.job === subject.job) out.outcome = { kind: 'again', dueAt, reason: effect.why };
      return;
    }
    case 'cancel-job':
      return tables.jobs.forget(kindOf[effect.job], document.id);
    case 'put-back': {
      const dueAt = new Date(now.getTime() + probeWait(deps, 0));
      out.outcome = { kind: 'put-back', dueAt, reason: 'its account is paused' };
      return;
    }
    case 'try-again':
      out.failed = effect.why;
      return;
    case 'stop-series':
      return stopSeries(context, effect.why);
    case 'resume-series':
      return resumeSeries(context);
    case 'pause-account': {
      const account = subject.key?.account ?? exchange.sent?.key.account ?? exchange.service?.account;
      if (account) out.pause = () => pauseAccount(deps, account, effect.cause);
      return;
    }
    case 'alert':
      if (effect.code === 'series-stopped') return reportStopped(context);
      out.after.push(() => alert(deps, effect, out.document, exchange));
      return;
    case 'write-back':
      return enqueueDocument(tables, 'write-back', document, now);
    case 'replan-order':
      return effect.for === 'order'
        ? enqueueSync(tables, document, now)
        : wakeWaiting(tables, document, out.attempts, now);
    case 'verify':
      return enqueueDocument(tables, 'verify-document', document, now);
    case 'learn-digits': {
      const sent = out.attempts[effect.n - 1];
      if (sent && keyNames(document, effect.accessKey))
        await tables.keyDigits.learn(document, freeDigitsOf(effect.accessKey), sent.createdAt);
      return;
    }
    case 'digits-varied':
      logLater(
        context,
        'warn',
        'The free digits of access keys vary; none is foreseen until they are constant',
      );
      return tables.keyDigits.varied(document, now);
    case 'note-unknown-document':
      return noteUnknown(context, effect.accessKey);
    case 'send-alone':
      return sendAlone(context, effect.isNew);
    case 'series-verified': {
      const check = deps.seriesChecks.get(seriesSubject(document));
      if (check) out.after.push(() => Object.assign(check, { isVerified: true }));
      return;
    }
    case 'number-conflict-seen':
      return logLater(context, 'error', 'The service shows another document under one of our numbers');
    case 'recover-series': {
      const store = deps.storeOf(document.platform, document.shop);
      if (store) await enqueueCatchUp(tables, document, { store, ...document }, now);
    }
  }
}

function logLater({ deps, out }: Context, level: 'warn' | 'error', message: string): void {
  const fields = { store: out.document.storeId, number: documentNumber(out.document) };
  out.after.push(() => deps.log[level](fields, message));
}

type Of<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** The service quotes what was sent, and people who may not see buyers read reasons, alerts and bundles. */
const withoutBuyer = ({ out }: Context, said: readonly string[]): string[] =>
  withoutBuyerWords(
    said,
    out.attempts.map(({ body }) => body),
  );

async function move(context: Context, effect: Of<'move'>): Promise<Document> {
  const { tables, subject, now, out } = context;
  const { from, to } = effect;
  const { errors } = effect.note as { errors?: readonly string[] };
  const note = { ...effect.note, ...(errors && { errors: withoutBuyer(context, errors) }) };
  const { exchange, key, planned } = subject;
  const { issuer, reason, authorizedAt, ...rest } = effect.patch;
  const issued = issuer === 'before' ? exchange.sent?.before : undefined;
  const patch: DocumentPatch = {
    ...rest,
    ...(authorizedAt !== undefined && { authorizedAt: authorizedAt ?? now.toISOString() }),
    ...(reason !== undefined && {
      reason:
        reason &&
        reasonOf(out.document, { ...reason, words: withoutBuyer(context, reason.words ?? []) }, planned),
    }),
    ...(issuer === 'sending' && key && { account: key.account.id, keyHash: key.keyHash }),
    ...(issued && { account: issued.account, keyHash: issued.keyHash }),
  };
  // Who asked is noted with the first move only, not with what follows from it.
  const facts = out.document === subject.document ? subject.facts : {};
  const change = { from: [from], to, patch, note: { ...note, ...facts }, now };
  const moved = await tables.documents.move(out.document.id, change);
  if (!moved) throw new Error('A document moved while its row was locked.');
  return moved;
}

/** In the COMMIT of the refusal: the next answer may be hours away. */
async function reportIssuer({ deps, tables, now, out }: Context, isRefused: boolean): Promise<void> {
  const alert = issuerAlert(out.document);
  if (!isRefused) return endAlert(deps, tables, alert, now);
  if (await beginAlert(deps, tables, alert, now)) out.after.push(() => logAlerts(deps.log).raise(alert));
}

function contentOf({ subject, now, out }: Context, effect: Of<'start-attempt'>): NewAttempt {
  const { issueDate, foreseenKey, contentOf } = effect;
  if (contentOf === null) {
    if (!subject.draft) throw new Error('A document is sent that was not mapped.');
    return { ...subject.draft, foreseenKey };
  }
  const sent = out.attempts[contentOf - 1];
  if (!sent) throw new Error(`There is no attempt ${contentOf}.`);
  const body = JSON.parse(sent.body) as { emisor: { fecha_emision: string } };
  body.emisor.fecha_emision = toServiceDate(issueDate);
  const { total, buyerId, nettedRefunds, overpaid, lineReferences, leftOut, secuencial } = sent;
  return {
    documentId: out.document.id,
    issueDate,
    secuencial,
    body: JSON.stringify(body),
    total,
    buyerId,
    nettedRefunds,
    overpaid,
    lineReferences,
    leftOut,
    foreseenKey,
    now,
  };
}

async function endAttempt(context: Context, effect: Of<'end-attempt'>): Promise<void> {
  const { tables, now, out } = context;
  const { n, outcome, accessKey, serviceId, errors } = effect;
  const ended = out.attempts[n - 1];
  if (!ended) throw new Error(`There is no attempt ${n}.`);
  const change: Partial<Attempt> = {
    ...(accessKey !== undefined && { accessKey }),
    ...(serviceId != null && { serviceId }),
    ...(errors !== undefined && { errors: withoutBuyer(context, errors) }),
  };
  if (outcome === 'reprocessed') {
    await tables.attempts.reprocessed(ended.id);
    change.reprocessed = ended.reprocessed + 1;
  } else await tables.attempts.end(ended.id, { outcome, ...change, now });
  out.attempts = out.attempts.map((one) => (one === ended ? { ...one, outcome, ...change } : one));
}

async function sendAlone({ deps, tables, now, out }: Context, isNew: boolean): Promise<void> {
  const { id } = out.document;
  await tables.sequences.sendAlone(out.document, id);
  const check = deps.seriesChecks.get(seriesSubject(out.document));
  if (check) out.after.push(() => Object.assign(check, { sentAlone: isNew ? { id, at: now } : null }));
}

async function stopSeries(context: Context, why: Of<'stop-series'>['why']): Promise<void> {
  const { tables, now, out } = context;
  const { secuencial } = out.document;
  if (why === 'suspect')
    return tables.sequences.stop(out.document, { reason: suspectReason, secuencial }, now);
  await tables.sequences.stop(out.document, takenBySomebody(out.document), now);
  logLater(context, 'error', 'Another document has our number; the series is stopped');
}

/** In the COMMIT that stops the series: nothing else raises the alert, and resuming the series ends it. */
async function reportStopped({ deps, tables, now, out }: Context): Promise<void> {
  const alert = takenAlert(out.document, takenBySomebody(out.document));
  if (await beginAlert(deps, tables, alert, now)) out.after.push(() => logAlerts(deps.log).raise(alert));
}

/** The number the series stopped for is ours: its alert ends, and the orders that wait for a number are planned again. */
async function resumeSeries(context: Context): Promise<void> {
  const { deps, tables, now, out } = context;
  const { document } = out;
  const { secuencial = null } = (await tables.sequences.stopped(document)) ?? {};
  if (secuencial === null || !(await tables.sequences.resume(document, secuencial))) return;
  await endAlert(deps, tables, seriesAlert(document), now);
  const waits = (held: Document) =>
    held.code === 'series-stopped' && seriesSubject(held) === seriesSubject(document);
  await replanHeld(tables, now, waits);
  logLater(context, 'warn', 'The number a series stopped for is ours; it gives numbers again');
}

async function noteUnknown({ deps, tables, subject, now, out }: Context, accessKey: string): Promise<void> {
  const { xml, sent } = subject.exchange;
  if (!xml) throw new Error('A document is to be noted whose XML was not read.');
  const { account, keyHash } = sent?.before ?? subject.document;
  const shown = { accessKey, stored: xml, account, keyHash };
  const { storeOf, storeById } = deps;
  const whose = await whoseIs({ ledger: tables, storeOf, storeById }, shown);
  if (whose.kind !== 'another-order') return;
  const { sale } = whose;
  if (await noteLost(deps, tables, shown, sale, now)) out.after.push(() => logLost(deps, shown, sale));
}

async function alert(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'log'>,
  effect: Exclude<Of<'alert'>, { code: 'series-stopped' }>,
  document: Document,
  { sent }: Exchange,
): Promise<void> {
  const { orderName, reason, storeId } = document;
  const number = documentNumber(document);
  const alert = { subject: document.id, about: owner.shop(document) };
  switch (effect.code) {
    case 'unconfirmed':
      return deps.alerts.raise({
        ...alert,
        code: effect.code,
        params: { order: orderName, reason },
      });
    case 'dropped-authorized':
      return deps.alerts.raise({
        ...alert,
        code: effect.code,
        params: {
          order: orderName,
          document: named(document),
          number: number ?? '',
          accessKey: effect.accessKey,
        },
      });
    case 'answers-mixed-up': {
      const account = sent?.key.account.id ?? document.account;
      return reportMixedUp(deps, account, { store: storeId, number, otherKey: effect.accessKey });
    }
  }
}
