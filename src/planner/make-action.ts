import { type DocumentIdentity, type DocumentKind, documentKey } from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { Action, ActionKind, Trace } from './action.ts';
import type { PlanInput, PlannedDocument } from './input.ts';

/** What the planner says of one document, before its figures. */
export interface Verdict {
  action: ActionKind;
  code: string;
  reason: string;
}

export const verdict = (action: ActionKind, code: string, reason: string): Verdict => ({
  action,
  code,
  reason,
});

/** An action that emits nothing; who emits adds the body and its figures. */
export function makeAction(
  identity: DocumentIdentity,
  said: Verdict & { buyerReason?: string | null },
  charged: Amount,
  trace: Trace = {},
): Action {
  return {
    key: documentKey(identity),
    kind: identity.kind,
    buyerReason: null,
    ...said,
    identity,
    body: null,
    charged,
    document: null,
    difference: null,
    trace,
  };
}

/**
 * A cancelled document keeps its identity for ever, as does one of another order that had the id before; the next one for
 * the same source is another.
 */
export function identityOf(
  { order, store, documents, others = [] }: PlanInput,
  kind: DocumentKind,
  sourceId: string,
): DocumentIdentity {
  const { platform, shop } = order;
  const isOfSource = (document: PlannedDocument) => document.kind === kind && document.sourceId === sourceId;
  const current = documents.find((document) => isOfSource(document) && document.state !== 'cancelled');
  const gone = documents.filter((document) => isOfSource(document) && document.state === 'cancelled');
  const ordinal = current?.ordinal ?? gone.length + others.filter(isOfSource).length + 1;
  return { platform, shop, ambiente: store.issuer.ambiente, kind, sourceId, ordinal };
}
