import type { FacturaBody, NotaCreditoBody } from '../../mappers/body.ts';
import type { CreditTrace } from '../../mappers/credit/trace.ts';
import type { MappingTrace } from '../../mappers/trace.ts';
import type { DocumentIdentity, DocumentKind } from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { IdentityTrace } from './identity/trace.ts';

export type ActionKind = 'emit' | 'wait' | 'hold' | 'manual' | 'nothing';

/** What must happen for one sale or refund, and why. */
export interface Action {
  /** The document's identity as text (domain/document.ts). */
  key: string;
  kind: DocumentKind;
  action: ActionKind;
  code: string;
  /** A Spanish sentence a merchant can read. */
  reason: string;
  /** What the buyer can do about it, in a sentence for him; null where it is none of his business. */
  buyerReason: string | null;
  identity: DocumentIdentity;
  /** The service's request body, without number; null unless there is something to emit. */
  body: FacturaBody | NotaCreditoBody | null;
  /**
   * What the buyer was charged (or given back) and the document has to reach, what it adds up to (also where that
   * is why it is held), and the difference.
   */
  charged: Amount;
  document: Amount | null;
  difference: Amount | null;
  trace: Trace;
}

/** Facts for explanations, stored with the document. No buyers' data. */
export interface Trace {
  /** Whom the document names and why; absent where it never came to that. */
  identity?: IdentityTrace;
  /** The mapper's own account of codes and cents; absent where the order could not be mapped. */
  mapping?: MappingTrace;
  /** Ids of the refunds a factura was reduced by before it left. */
  netted?: string[];
  /** What a nota de crédito takes back, and of what. */
  credit?: CreditTrace;
}
