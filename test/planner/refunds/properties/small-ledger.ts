import { type DocumentState, mayMove } from '../../../../src/domain/document.ts';
import type { LineReference, Order, Refund } from '../../../../src/domain/order.ts';
import type { Action, PlanInput, PlannedDocument, SentContent } from '../../../../src/planner/action.ts';
import { mapFactura } from '../../../../src/planner/map-factura.ts';
import { plan, planCredit } from '../../../../src/planner/plan.ts';
import { contentOf } from '../../../support/authorized.ts';
import { decreedNoon } from '../../../support/orders.ts';
import { store } from './cases.ts';

/** A document and what was prepared or left of it; `before` tells whether what it was made from still stands. */
export interface Kept extends PlannedDocument {
  key: string;
  identity: Action['identity'];
  draft: { content: SentContent; before: string } | null;
}

/**
 * The ledger and its steps in a few lines, as src/jobs/apply-plan.ts, prepare.ts and jobs/send-document.ts have
 * them: every step one move, in any order, with a shop whose refunds come to light one by one.
 */
export class SmallLedger {
  readonly documents: Kept[] = [];
  /** What the shop has by now, and what the ledger last read of it. */
  readonly shown: Refund[] = [];
  #read: Order;
  readonly #store: typeof store;
  #numbers = 0;

  constructor(order: Order, of: typeof store = store) {
    this.#read = { ...order, refunds: [] };
    this.#store = of;
  }

  #input(): PlanInput {
    return {
      order: this.#read,
      documents: this.documents,
      store: this.#store,
      invoiceFrom: new Date(0),
      now: decreedNoon,
    };
  }

  /** Reads the order anew and applies the planner's word. Answers whether anything changed. */
  sync(): boolean {
    this.#read = { ...this.#read, refunds: [...this.shown] };
    return plan(this.#input())
      .map((action) => this.#apply(action))
      .includes(true);
  }

  #apply({ key, kind, identity, action, code, reason, charged }: Action): boolean {
    const of = (one: Kept) => one.kind === kind && one.sourceId === identity.sourceId;
    const current = this.documents.find((one) => of(one) && one.state !== 'cancelled');
    const to = { emit: 'ready', hold: 'held', manual: 'manual', nothing: 'cancelled', wait: null } as const;
    const next = to[action];
    if (!current) {
      const born = next === 'ready' || next === 'held' || (next === 'manual' && kind === 'nota-credito');
      if (!born) return false;
      if (this.documents.some((one) => one.key === key)) throw new Error(`two documents ${key}`);
      const secuencial = next === 'ready' ? this.#number() : null;
      const fresh = {
        key,
        identity,
        kind,
        sourceId: identity.sourceId,
        state: next,
        code,
        reason,
        secuencial,
        charged,
      };
      this.documents.push({ ...fresh, accessKey: null, sent: null, draft: null });
      return true;
    }
    const replans =
      current.state === 'rejected'
        ? next === 'cancelled'
        : ['held', 'ready'].includes(current.state) ||
          (current.state === 'manual' && current.secuencial === null);
    if (
      next === null ||
      !replans ||
      (next === current.state && (next === 'ready' || reason === current.reason))
    )
      return false;
    this.#move(current, next);
    current.code = code;
    current.reason = reason;
    if (next === 'ready') current.secuencial ??= this.#number();
    return true;
  }

  #number(): string {
    this.#numbers += 1;
    return String(this.#numbers).padStart(9, '0');
  }

  #move(document: Kept, to: DocumentState): void {
    if (!mayMove(document.state, to)) throw new Error(`${document.state} to ${to}`);
    document.state = to;
    if (to === 'cancelled' || to === 'rejected') document.sent = null;
  }

  /** Maps a ready document from the order as last read. */
  prepare(document: Kept): boolean {
    if (document.state !== 'ready' || document.secuencial === null) return false;
    const before = this.#creditsLeft();
    const content = document.kind === 'factura' ? this.#factura(document) : this.#credit(document);
    document.draft = content && { content, before };
    return content !== null;
  }

  #factura({ identity, secuencial }: Kept): SentContent | null {
    const sale = mapFactura(this.#read, this.#store, identity, { now: decreedNoon, secuencial });
    if (!sale.ok) return null;
    const { body, lineReferences, total } = sale.mapped;
    return contentOf(body, lineReferences, { total, accessKey: null, nettedRefunds: sale.netted });
  }

  #credit({ sourceId, secuencial }: Kept): SentContent | null {
    const planned = planCredit(this.#input(), sourceId, secuencial ?? '');
    const { body, document } = planned?.action ?? {};
    if (!planned?.credit || !body || !document) return null;
    const lineReferences: readonly LineReference[] = planned.credit.lineReferences;
    return contentOf(body, lineReferences, {
      total: document,
      accessKey: null,
      nettedRefunds: [...planned.linesFrom],
    });
  }

  /** The prepared body leaves, unless another nota de crédito left meanwhile. */
  leave(document: Kept): boolean {
    const { draft, kind } = document;
    if (document.state !== 'ready' || !draft) return false;
    document.draft = null;
    if (kind === 'nota-credito' && draft.before !== this.#creditsLeft()) return false;
    this.#move(document, 'sending');
    document.sent = draft.content;
    return true;
  }

  #creditsLeft(): string {
    return this.documents
      .filter(({ kind, sent }) => kind === 'nota-credito' && sent)
      .map(({ key }) => key)
      .sort()
      .join(' ');
  }

  /** The answer, or its loss, or the authority's word. */
  answer(document: Kept, to: 'processing' | 'uncertain' | 'authorized' | 'rejected'): boolean {
    if (!['sending', 'processing', 'uncertain'].includes(document.state)) return false;
    if (!mayMove(document.state, to)) return false;
    this.#move(document, to);
    return true;
  }

  /** A person mends what was refused, and it is sent again under its number. */
  fix(document: Kept): boolean {
    if (document.state !== 'rejected') return false;
    this.#move(document, 'ready');
    return true;
  }
}
