import type { FacturaBody } from '../../mappers/body.ts';
import type { DocumentIdentity, DocumentKind } from '../core/document.ts';
import type { Amount } from '../core/money.ts';

export type ActionKind = 'emit' | 'wait' | 'hold' | 'manual' | 'nothing';

/** What must happen for one sale or refund, and why. */
export interface Action {
  /** The document's identity as text (core/document.ts). */
  key: string;
  kind: DocumentKind;
  action: ActionKind;
  code: string;
  /** A Spanish sentence a merchant can read. */
  reason: string;
  identity: DocumentIdentity;
  /** The service's request body, without number; null unless there is something to emit. */
  body: FacturaBody | null;
  /** What the buyer was charged (or given back), what the document adds up to, and the difference. */
  charged: Amount;
  document: Amount | null;
  difference: Amount | null;
  /** Facts for `explain`: where the identification stood, warnings, stated IVA. No buyers' data. */
  trace: Record<string, unknown>;
}
