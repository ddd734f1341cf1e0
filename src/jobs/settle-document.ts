import { z } from 'zod';
import type { Ambiente, Document } from '../domain/document.ts';
import { done, type Step } from '../domain/work.ts';
import type { Notified, Outcome } from '../protocol/events.ts';
import { readAccessKey } from '../service/access-key.ts';
import type { StepDeps } from './deps.ts';
import { issuerOf } from './issued.ts';
import { keyNames } from './key-names.ts';
import { meetAnnounced } from './older-ledger/meet.ts';
import { outcomeOf } from './sending/answers.ts';
import { happens } from './sending/happen.ts';
import { namedKey } from './sending/state.ts';

/** What the service's webhook door keeps of an event (spec, body fields). */
const eventPayload = z.object({
  account: z.string(),
  claveacceso: z.string(),
  tipo_comprobante: z.string(),
  numero: z.string(),
  ambiente: z.number(),
  ruc_emisor: z.string(),
  state: z.enum(['authorized', 'error']).nullable().default(null),
  fechaAutorizacion: z.string().nullable().default(null),
  errors: z
    .array(
      z.object({
        identificador: z.string().nullable(),
        mensaje: z.string(),
        informacionAdicional: z.string().nullable(),
        tipo: z.string().nullable(),
      }),
    )
    .default([]),
});
type ServiceEvent = z.infer<typeof eventPayload>;

/**
 * A signed event of the service: matched by the access key of an attempt, else by issuer, environment, type and number (it
 * may overtake the POST's answer). What it means is decided by the protocol (src/protocol/outcome.ts).
 */
export function settleDocument(deps: StepDeps): Step {
  return async (work) => {
    const event = eventPayload.parse(work.payload);
    const document = await documentOf(deps, event.claveacceso);
    const { account, claveacceso, state } = event;
    if (!document && state !== 'error' && (await meetAnnounced(deps, account, claveacceso))) return done;
    if (!document || !speaksFor(deps, event.account, document)) {
      deps.log.info(
        { account: event.account, number: event.numero },
        'A service event about a document that is not of this account was passed over',
      );
      return done;
    }
    deps.joinJourney(document);
    const notified: Notified = {
      kind: 'notified',
      key: namedKey(document, event.claveacceso),
      said: saidBy(event),
      isOfIssuer: issuerOf(deps, document)?.account.id === event.account,
      tries: work.attempts,
    };
    return (await happens(deps, document.id, notified, { work })).outcome;
  };
}

/** How it says the document ended; null when it does not say the state. */
function saidBy({ state, fechaAutorizacion, errors }: ServiceEvent): Outcome | null {
  if (state === null) return null;
  return outcomeOf({ state, fechaAutorizacion, errors });
}

/**
 * Whether an account's webhook secret speaks for a document: it issued it, holds the key it was issued with, or is its
 * store's account today.
 */
function speaksFor(deps: StepDeps, account: string, document: Document): boolean {
  const { platform, shop, keyHash } = document;
  if (document.account === account || deps.storeOf(platform, shop)?.account.id === account) return true;
  return deps.accounts.get(account)?.keys.some((key) => key.keyHash === keyHash) ?? false;
}

/** The document a key is of: the one that bears it, where the key names it at all, else the one of its number. */
async function documentOf({ ledger }: StepDeps, accessKey: string): Promise<Document | undefined> {
  const bearer = await ledger.documents.byAccessKey(accessKey);
  if (bearer && keyNames(bearer, accessKey)) return bearer;
  const { numero, ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc } = readAccessKey(accessKey);
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = numero.split('-');
  const series = { ruc, ambiente: ambiente as Ambiente, codDoc, establecimiento, puntoEmision };
  return ledger.documents.byNumber(series, secuencial);
}
