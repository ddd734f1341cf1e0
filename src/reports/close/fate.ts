import type { DocumentState } from '../../domain/document.ts';
import type { Action } from '../../planner/action.ts';
import type { PlannedDocument } from '../../planner/input.ts';
import { creditOf, nettedBy } from '../../planner/refunds/covered.ts';

/** What became of one paid order or refund, and why. */
export interface Fate {
  fate: 'issued' | 'underWay' | 'waiting' | 'netted' | 'unneeded' | 'missing';
  code: string;
  reason: string;
}

const ofState: Record<Exclude<DocumentState, 'cancelled'>, Fate['fate']> = {
  held: 'waiting',
  rejected: 'waiting',
  manual: 'waiting',
  ready: 'underWay',
  sending: 'underWay',
  processing: 'underWay',
  uncertain: 'underWay',
  authorized: 'issued',
};

type Said = Pick<Action, 'action' | 'code' | 'reason'>;

/** Of a paid order; `said` is the planner's word about it now. `fresh`: so new that nobody need have seen it yet. */
export function fateOfSale(documents: readonly PlannedDocument[], said: Said, fresh: boolean): Fate {
  const factura = documents.find(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
  return factura ? fateOf(factura, said) : withoutDocument(said, fresh);
}

/** Of a refund. */
export function fateOfRefund(
  documents: readonly PlannedDocument[],
  refundId: string,
  said: Said,
  fresh: boolean,
): Fate {
  const credit = creditOf(documents, refundId);
  if (credit) return fateOf(credit, said);
  const factura = nettedBy(documents, refundId);
  if (factura) return { fate: 'netted', code: 'netted', reason: said.reason };
  return withoutDocument(said, fresh);
}

function fateOf({ state, code, reason }: PlannedDocument, said: Said): Fate {
  const fate = state === 'cancelled' ? 'unneeded' : ofState[state];
  return { fate, code: code ?? said.code, reason: reason ?? said.reason };
}

/**
 * A hold the planner sees today without a held document behind it is a sale nobody took up: counting it as held would
 * hide a document that was taken out of the ledger.
 */
function withoutDocument({ action, code, reason }: Said, fresh: boolean): Fate {
  if (action === 'nothing') return { fate: 'unneeded', code, reason };
  if (action === 'wait') return { fate: 'underWay', code, reason };
  return { fate: fresh ? 'underWay' : 'missing', code, reason };
}
