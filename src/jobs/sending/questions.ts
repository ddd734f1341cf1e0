import type { Attempt, Document } from '../../domain/document.ts';
import type { ClaimedWork } from '../../domain/work.ts';
import type { Asked } from '../../protocol/effects.ts';
import type { Event } from '../../protocol/events.ts';
import { isEmpty, type ReprocessAnswer } from '../../service/answers.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import type { ServiceCalls } from '../../service/client.ts';
import type { SendingKey, StepDeps } from '../deps.ts';
import { isRevoked, serviceOf } from '../issued.ts';
import { storeOfDocument } from '../unknown-store.ts';
import { answerOf, handedOverOf, standingOf } from './answers.ts';
import { compareStored } from './compare.ts';
import { type Search, searchOurs } from './search.ts';
import { namedKey } from './state.ts';

/* What a decision asks or sends after its COMMIT, and the answer as the next event. */

/** What is remembered between a question and what is written of its answer. */
export interface Talk {
  /** The job that asks; the slot booked for it pays for its first call. */
  work: ClaimedWork | null;
  /** Who is asked instead of the service under the document's own key. */
  asks?: ServiceCalls;
  /** The service under the key that issued the document, once it was asked. */
  service?: ReturnType<typeof serviceOf> & { asks: ServiceCalls };
  /** The key the POST under way left under, and the document as it stood before. */
  left?: { key: SendingKey; before: Document };
  /** The XML that was compared last. */
  xml?: AuthorizedXml | null;
  /** What the service says of the key that was asked about last. */
  words?: readonly string[];
  search?: Search;
}

type Question = Exclude<Asked, { kind: 'permit' | 'prepare' | 'look-ahead' }>;

/** Asks, or sends; the answer is the next event. */
export async function answerTo(
  deps: StepDeps,
  talk: Talk,
  question: Question,
  { document, attempts }: { document: Document; attempts: readonly Attempt[] },
): Promise<Event> {
  switch (question.kind) {
    case 'post':
      return post(deps, talk, question.n, { document, attempts });
    case 'ask':
      return ask(deps, talk, question, document);
    case 'compare': {
      const { accessKey, because } = question;
      const { asks } = serviceFor(deps, talk, document);
      const { stored, xml } = await compareStored(deps, asks, accessKey, document, attempts);
      talk.xml = xml;
      return { kind: 'compared', key: namedKey(document, accessKey), stored, because };
    }
    case 'ask-balance': {
      const { account, keyHash } = talk.left?.key ?? serviceFor(deps, talk, document);
      const balance = await deps.service(account, null, keyHash).consultarSaldo();
      const isEmptied = balance.kind === 'balance' && isEmpty(balance);
      return { kind: 'balance', isEmpty: isEmptied, because: question.because };
    }
    case 'reprocess': {
      const key = serviceFor(deps, talk, document);
      const answer = await handOver(key, { ...question, ruc: document.ruc });
      return { kind: 'handed-over', n: question.n, answer: handedOverOf(deps, key, answer) };
    }
    case 'search': {
      const { vouched, version, keys } = question;
      talk.search = await searchOurs(deps, document, attempts, keys);
      return { kind: 'searched', vouched, version, verdicts: talk.search.verdicts };
    }
  }
}

/** The service under the key that issued the document; after a POST under the one it was issued with before that. */
function serviceFor(deps: StepDeps, talk: Talk, document: Document): NonNullable<Talk['service']> {
  if (!talk.service) {
    const issued = talk.left?.before ?? document;
    const key = serviceOf(deps, issued, storeOfDocument(deps, issued));
    const paidBy = talk.left || !talk.work?.budget ? null : talk.work;
    talk.service = { ...key, asks: talk.asks ?? key.calls(paidBy) };
  }
  return talk.service;
}

async function post(
  deps: StepDeps,
  { left, work }: Talk,
  n: number,
  { document, attempts }: { document: Document; attempts: readonly Attempt[] },
): Promise<Event> {
  const attempt = attempts[n - 1];
  if (!attempt || !left) throw new Error(`Attempt ${n} was not written before it was to leave.`);
  const calls = deps.service(left.key.account, work, left.key.keyHash);
  const answer = await (document.kind === 'factura'
    ? calls.emitirFactura(attempt.body)
    : calls.emitirNotaCredito(attempt.body));
  return { kind: 'answered', n, answer: answerOf(deps, { document, key: left.key }, answer) };
}

async function ask(
  deps: StepDeps,
  talk: Talk,
  { accessKey, because }: Extract<Asked, { kind: 'ask' }>,
  document: Document,
): Promise<Event> {
  const key = namedKey(document, accessKey);
  const { asks, ...issuer } = serviceFor(deps, talk, document);
  const answer = await asks.consultarComprobante(accessKey);
  switch (answer.kind) {
    case 'found':
      talk.words = answer.errors.map(({ mensaje }) => mensaje);
      return { kind: 'found', key, standing: standingOf(answer), because };
    case 'not-found':
      return { kind: 'not-found', key, isUnderOtherKey: issuer.gone, because };
    case 'unauthorized': {
      const why = isRevoked(deps, issuer) ? 'older-key-unauthorized' : 'unauthorized';
      return { kind: 'silent', why, because };
    }
    default:
      return { kind: 'silent', why: 'no-answer', because };
  }
}

/**
 * By the account's route; where the service does not know the current one (404 in no words of its own), by the historic
 * one, which asks for the number that its answer to the emission gave.
 */
async function handOver(
  { account, asks }: NonNullable<Talk['service']>,
  { accessKey, ruc, serviceId }: { accessKey: string; ruc: string; serviceId: number | null },
): Promise<ReprocessAnswer> {
  const historic = (id: number) =>
    asks.reprocesarComprobanteHistorico(accessKey, { ruc, id_comprobante: id });
  if (account.reprocess.route === 'historic' && serviceId !== null) return historic(serviceId);
  const answer = await asks.reprocesarComprobante(accessKey);
  const isRouteUnknown = answer.kind === 'unknown' && answer.status === 404;
  return isRouteUnknown && serviceId !== null ? historic(serviceId) : answer;
}
