import type { Ambiente, DocumentKind, DocumentState } from './document.ts';
import type { Amount } from './money.ts';

/** The states outsiders hear of: final ones, and those that wait for a person. */
export const toldStates = ['authorized', 'held', 'rejected', 'manual', 'cancelled'] as const;
export type ToldState = (typeof toldStates)[number];

export function isTold(state: DocumentState): state is ToldState {
  return (toldStates as readonly DocumentState[]).includes(state);
}

/** `factura.authorized`, `nota-credito.authorized` (a refund was credited), `factura.held` … */
export type DocumentEventType = `${DocumentKind}.${ToldState}`;

/** What became of a document, for integrators. Holds no data of the buyer. */
export interface DocumentEvent {
  /** The same for every delivery of this event, so that a second one can be told. */
  id: string;
  type: DocumentEventType;
  /** When the document came into this state; ISO 8601. */
  timestamp: string;
  data: {
    documentId: string;
    kind: DocumentKind;
    state: ToldState;
    ambiente: Ambiente;
    store: string;
    platform: string;
    shop: string;
    orderId: string;
    orderName: string;
    /** Order id for a factura, refund id for a nota de crédito. */
    sourceId: string;
    /** 001-001-000000123 */
    number: string | null;
    accessKey: string | null;
    authorizedAt: string | null;
    /** What the buyer paid or got back, and the document's total; USD. */
    charged: Amount | null;
    total: Amount | null;
    /** For machines and in Spanish, where a person is needed. */
    code: string | null;
    reason: string | null;
    pdfUrl: string | null;
    xmlUrl: string | null;
  };
}

/** Somebody who hears of documents: a webhook, a function of the program around. `hear` throws when it did not arrive. */
export interface DocumentListener {
  id: string;
  wants(type: DocumentEventType): boolean;
  hear(event: DocumentEvent): Promise<void>;
}
