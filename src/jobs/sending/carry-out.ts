import { logAlerts } from '../../domain/alerts.ts';
import { toServiceDate } from '../../domain/calendar.ts';
import { type Attempt, type Document, documentNumber } from '../../domain/document.ts';
import type { MoveNote } from '../../domain/move-note.ts';
import { owner } from '../../domain/scope.ts';
import { done, type StepOutcome, seriesSubject } from '../../domain/work.ts';
import type { DocumentPatch, NewAttempt } from '../../ledger/document-tables.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { Asked, Effect, Said, Written } from '../../protocol/effects.ts';
import type { Job } from '../../protocol/events.ts';
import { freeDigitsOf } from '../../service/access-key.ts';
import { pauseAccount, probeWait } from '../account-pause.ts';
import { beginAlert, endAlert } from '../alerts.ts';
import { askSync, askVerify, askWriteBack, documentWork, kindOf } from '../ask.ts';
import type { SendingKey, StepDeps } from '../deps.ts';
import { keyNames } from '../key-names.ts';
import { tellMixedUp } from '../mixed-up.ts';
import { takeProof } from '../older-ledger/check-series.ts';
import { askCatchUp, logLost, noteLost, suspectReason, whoseIs } from '../older-ledger/meet.ts';
import { replanHeld } from '../replan.ts';
import { named } from '../sentences.ts';
import { seriesAlert, takenAlert, takenBySomebody } from '../series-stop.ts';
import { wakeWaiting } from '../wake-order.ts';
import type { Talk } from './questions.ts';
import { wordsOf } from './words.ts';

/* What a decision writes, effect by effect, in the transaction that read the state. */

/** What a decision is carried out on, and what the effects leave to whoever decides to fill in. */
export interface Carried {
  document: Document;
  attempts: readonly Attempt[];
  talk: Talk;
  /** The job that runs, where one does. */
  job: Job | null;
  /** The key a document that leaves leaves under. */
  key?: SendingKey | undefined;
  /** What was mapped, where the document leaves with it. */
  draft?: NewAttempt | undefined;
  /** What planner or series said, where that is the reason. */
  planned?: string | undefined;
  /** For the history of the first move: who asked, how it was calculated. */
  facts: MoveNote;
  now: Date;
}

/** What became of a document, and what is left to do after the COMMIT. */
export interface CarriedOut {
  document: Document;
  attempts: readonly Attempt[];
  question: Asked | null;
  said: Said | null;
  /** How the job ends that ran. */
  outcome: StepOutcome;
  /** Why the job that ran must come again as a failure. */
  failed: string | null;
  /** Pauses the account this was sent or asked under; how its job ends then. */
  pause: (() => Promise<StepOutcome>) | null;
  /** Alerts and lines of the log. */
  after: (() => unknown)[];
}

/** Carries out what was decided, inside the transaction of the decision. */
export async function carryOut(
  deps: StepDeps,
  tables: Tables,
  effects: readonly Effect[],
  carried: Carried,
): Promise<CarriedOut> {
  const out: CarriedOut = {
    document: carried.document,
    attempts: carried.attempts,
    question: null,
    said: null,
    outcome: done,
    failed: null,
    pause: null,
    after: [],
  };
  for (const effect of effects) {
    if (isAsked(effect)) out.question = effect;
    else if (effect.kind === 'done' || effect.kind === 'refused') out.said = effect;
    else await write(deps, tables, effect, carried, out);
  }
  const { work } = carried.talk;
  // The end of the job in the same COMMIT: nearly every one ends so.
  if (work && !out.question && out.outcome === done && out.failed === null)
    out.outcome = { kind: 'finished', held: await tables.work.finish(work.id, work.token, carried.now) };
  return out;
}

const asked = new Set<Effect['kind']>([
  ...(['post', 'ask', 'compare', 'ask-balance', 'reprocess', 'search'] as const),
  ...(['permit', 'prepare', 'look-ahead'] as const),
]);
const isAsked = (effect: Effect): effect is Asked => asked.has(effect.kind);

async function write(
  deps: StepDeps,
  tables: Tables,
  effect: Written,
  carried: Carried,
  out: CarriedOut,
): Promise<void> {
  const { document } = out;
  const { now, talk } = carried;
  const later: Later = (then) => void out.after.push(then);
  switch (effect.kind) {
    case 'move':
      // What follows of a person's word in the same decision is nobody's word.
      out.document = await move(
        tables,
        effect,
        document === carried.document ? carried : { ...carried, facts: {} },
        document,
      );
      return;
    case 'attempt':
      out.attempts = [...out.attempts, await tables.attempts.add(leaving(effect, carried, out))];
      return;
    case 'end-attempt':
      out.attempts = await endAttempt(tables, effect, out.attempts, now);
      return;
    case 'wait': {
      const until = new Date(effect.until);
      // Not left to how the job ends: another process may hold it by now, and think it done.
      await tables.work.ask(documentWork(kindOf[effect.job], document, until));
      if (effect.job === carried.job) out.outcome = { kind: 'again', dueAt: until, reason: effect.why };
      return;
    }
    case 'forget':
      return tables.work.forget(kindOf[effect.job], document.id);
    case 'put-back': {
      const dueAt = new Date(now.getTime() + probeWait(deps, 0));
      out.outcome = { kind: 'put-back', dueAt, reason: 'its account is paused' };
      return;
    }
    case 'try-again':
      out.failed = effect.why;
      return;
    case 'stop-series':
      return stopSeries(deps, tables, effect.why, document, now, later);
    case 'resume-series':
      return resumeSeries(deps, tables, document, now, later);
    case 'pause-account': {
      const account = carried.key?.account ?? talk.left?.key.account ?? talk.service?.account;
      if (account) out.pause = () => pauseAccount(deps, account, effect.cause);
      return;
    }
    case 'alert':
      if (effect.code === 'series-stopped') return tellStopped(deps, tables, document, now, later);
      return later(() => alert(deps, effect, out.document, talk));
    case 'write-back':
      return askWriteBack(tables, document, now);
    case 'wake-order':
      return effect.for === 'order'
        ? askSync(tables, document, now)
        : wakeWaiting(tables, document, out.attempts, now);
    case 'verify':
      return askVerify(tables, document, now);
    case 'learn-digits': {
      const sent = out.attempts[effect.n - 1];
      if (sent && keyNames(document, effect.accessKey))
        await tables.keyDigits.learn(document, freeDigitsOf(effect.accessKey), sent.createdAt);
      return;
    }
    case 'digits-varied':
      later(() =>
        deps.log.warn(
          placeOf(document),
          'The free digits of access keys vary; none is foreseen until they are seen to be constant',
        ),
      );
      return tables.keyDigits.varied(document, now);
    case 'note-unknown-document':
      return noteUnknown(deps, tables, effect.accessKey, carried, later);
    case 'number-is-new':
      return later(() => takeProof(deps, document));
    case 'foreign-seen':
      return later(() =>
        deps.log.error(placeOf(document), 'The service shows a foreign document under one of our numbers'),
      );
    case 'look-behind': {
      const store = deps.storeOf(document.platform, document.shop);
      if (store) await askCatchUp(tables, document, { store, ...document }, now);
    }
  }
}

/** Of a line of the log. */
const placeOf = (document: Document) => ({ store: document.storeId, number: documentNumber(document) });

type Later = (then: () => unknown) => void;
type Of<Kind extends Written['kind']> = Extract<Written, { kind: Kind }>;

async function move(
  tables: Tables,
  { from, to, patch: decided, note }: Of<'move'>,
  { talk, key, planned, facts, now }: Carried,
  document: Document,
): Promise<Document> {
  const { issuer, reason, authorizedAt, ...rest } = decided;
  const issued = issuer === 'before' ? talk.left?.before : undefined;
  const patch: DocumentPatch = {
    ...rest,
    ...(authorizedAt !== undefined && { authorizedAt: authorizedAt ?? now.toISOString() }),
    ...(reason !== undefined && { reason: reason && wordsOf(document, reason, planned) }),
    ...(issuer === 'sending' && key && { account: key.account.id, keyHash: key.keyHash }),
    ...(issued && { account: issued.account, keyHash: issued.keyHash }),
  };
  const change = { from: [from], known: document, to, patch, note: { ...note, ...facts }, now };
  const moved = await tables.documents.move(document.id, change);
  if (!moved) throw new Error('A document moved while its row was locked.');
  return moved;
}

/** The body that leaves: what was mapped, or that of an earlier sending with today's date. */
function leaving(
  { issueDate, foreseenKey, contentOf }: Of<'attempt'>,
  { draft, now }: Carried,
  { attempts, document }: CarriedOut,
): NewAttempt {
  if (contentOf === null) {
    if (!draft) throw new Error('A document leaves that was not mapped.');
    return { ...draft, foreseenKey };
  }
  const sent = attempts[contentOf - 1];
  if (!sent) throw new Error(`There is no attempt ${contentOf}.`);
  const body = JSON.parse(sent.body) as { emisor: { fecha_emision: string } };
  body.emisor.fecha_emision = toServiceDate(issueDate);
  const { total, buyerId, nettedRefunds, ties, secuencial } = sent;
  return {
    ...{ documentId: document.id, issueDate, secuencial, body: JSON.stringify(body), total, buyerId },
    ...{ nettedRefunds, ties, foreseenKey, now },
  };
}

async function endAttempt(
  { attempts: table }: Tables,
  { n, outcome, accessKey, serviceId, errors }: Of<'end-attempt'>,
  attempts: readonly Attempt[],
  now: Date,
): Promise<readonly Attempt[]> {
  const ended = attempts[n - 1];
  if (!ended) throw new Error(`There is no attempt ${n}.`);
  if (outcome === 'reprocessed') {
    await table.reprocessed(ended.id);
    const reprocessed = ended.reprocessed + 1;
    return attempts.map((one) => (one === ended ? { ...one, outcome, reprocessed } : one));
  }
  const told = {
    ...(accessKey !== undefined && { accessKey }),
    ...(serviceId != null && { serviceId }),
    ...(errors !== undefined && { errors: [...errors] }),
  };
  await table.end(ended.id, { outcome, ...told, now });
  return attempts.map((one) => (one === ended ? { ...one, outcome, ...told } : one));
}

async function stopSeries(
  deps: StepDeps,
  { sequences }: Tables,
  why: Of<'stop-series'>['why'],
  document: Document,
  now: Date,
  later: Later,
): Promise<void> {
  const { secuencial } = document;
  if (why === 'suspect') return sequences.stop(document, { reason: suspectReason, secuencial }, now);
  await sequences.stop(document, takenBySomebody(document), now);
  later(() =>
    deps.log.error(placeOf(document), 'A foreign document holds our number; the series is stopped'),
  );
}

/** In the COMMIT that stops the series: nobody looks at a stopped document again, and what resumes the series ends it. */
async function tellStopped(
  deps: StepDeps,
  tables: Tables,
  document: Document,
  now: Date,
  later: Later,
): Promise<void> {
  const alert = takenAlert(document, takenBySomebody(document));
  if (await beginAlert(deps, tables, alert, now)) later(() => logAlerts(deps.log).raise(alert));
}

/** The number it stopped for proved to be ours: its alert is over, and the sales that wait for a number are planned anew. */
async function resumeSeries(
  deps: StepDeps,
  tables: Tables,
  document: Document,
  now: Date,
  later: Later,
): Promise<void> {
  const { secuencial = null } = (await tables.sequences.stopped(document)) ?? {};
  if (secuencial === null || !(await tables.sequences.resume(document, secuencial))) return;
  await endAlert(deps, tables, seriesAlert(document), now);
  const waits = (held: Document) =>
    held.code === 'series-stopped' && seriesSubject(held) === seriesSubject(document);
  await replanHeld(tables, now, waits);
  later(() =>
    deps.log.warn(placeOf(document), 'The number a series stopped for is ours; it gives numbers again'),
  );
}

async function noteUnknown(
  deps: StepDeps,
  tables: Tables,
  accessKey: string,
  { talk, document, now }: Carried,
  later: Later,
): Promise<void> {
  if (!talk.xml) throw new Error('A document is to be noted whose XML was not read.');
  const { account, keyHash } = talk.left?.before ?? document;
  const shown = { accessKey, stored: talk.xml, account, keyHash };
  const whose = await whoseIs({ ledger: tables, storeOf: deps.storeOf }, shown);
  if (whose.kind !== 'another-order') return;
  const { sale } = whose;
  if (await noteLost(deps, tables, shown, sale, now)) later(() => logLost(deps, shown, sale));
}

/** After the COMMIT. */
async function alert(
  deps: StepDeps,
  effect: Exclude<Of<'alert'>, { code: 'series-stopped' }>,
  document: Document,
  { left }: Talk,
): Promise<void> {
  const { id, platform, shop, orderName, reason, storeId } = document;
  const about = owner.shop({ platform, shop });
  const number = documentNumber(document);
  switch (effect.code) {
    case 'document-unconfirmed':
      return deps.alerts.raise({
        code: effect.code,
        subject: id,
        about,
        what: `Pedido ${orderName}: ${reason}`,
        cure: 'Búsquelo en el panel del servicio o en el portal del SRI; lo que el servicio diga después se reconoce solo.',
      });
    case 'dropped-authorized':
      return deps.alerts.raise({
        code: effect.code,
        subject: id,
        about,
        what: `Pedido ${orderName}: el SRI autorizó ${named(document)} ${number}, que aquí se había descartado.`,
        cure: `Si el pedido ya tiene otra o no debe llevarla, anúlela en el portal del SRI (clave ${effect.accessKey}).`,
      });
    case 'answers-mixed-up': {
      const account = left?.key.account.id ?? document.account;
      return tellMixedUp(deps, account, { store: storeId, number, foreignKey: effect.accessKey });
    }
  }
}
