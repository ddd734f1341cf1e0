import type { Amount } from '../../domain/money.ts';
import type { IdCandidate } from '../../domain/order.ts';

export type BuyerType = 'ruc' | 'cedula' | 'pasaporte' | 'exterior' | 'consumidor-final';

/** What became of one identification found on the order. */
export type CandidateVerdict =
  | 'chosen'
  /** The same identification as the chosen one, at another place. */
  | 'same'
  /** Valid, but another one goes before it. */
  | 'other'
  /** Asks for consumidor final, which the order may not be. */
  | 'refused'
  | 'contradicts'
  | 'wrong'
  | 'phone'
  | 'order-number'
  /** "-", "no tengo": says that there is none. */
  | 'nothing';

/**
 * Whose word the buyer's name is: the order's person or company, the buyer's answer to us, a registry, or the law
 * (CONSUMIDOR FINAL).
 */
export type NameSource = 'person' | 'company' | 'buyer' | 'registry' | 'law';

/** The identity decision as data, for explanations. Never a value the buyer typed. */
export interface IdentityTrace {
  /** null when the order is held. */
  type: BuyerType | null;
  /** Where it stood; null when held, and for consumidor final that nobody asked for. */
  source: string | null;
  name: NameSource | null;
  /** Spanish sentences. */
  warnings: string[];
  candidates: { source: string; stated: IdCandidate['type']; verdict: CandidateVerdict; why: string }[];
  /** Where consumidor final came into question: asked for by the buyer or for want of an identification. */
  finalConsumer: {
    decision: 'allowed' | 'refused';
    askedByBuyer: boolean;
    limit: Amount;
    total: Amount;
    /** Since 2026 such a factura can be neither annulled nor credited. */
    creditable: false;
  } | null;
}
