import { statedRows } from '../../../mappers/tax-computation.ts';
import { type Day, ecuadorDay } from '../../domain/clock.ts';
import type { DocumentKind } from '../../domain/document.ts';
import { type Amount, decimal, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import type { Action, ActionKind } from '../../planner/action.ts';
import type { BuyerType } from '../../planner/identity/choice.ts';
import { planPast } from '../../planner/plan.ts';

/** Without buyers' data. */
export interface PastDocument {
  kind: DocumentKind;
  orderId: string;
  orderName: string;
  sourceId: string;
  /** When it was paid or refunded; for an unpaid order, when it was placed. */
  at: string;
  day: Day;
  action: ActionKind;
  code: string;
  reason: string;
  charged: Amount;
  document: Amount | null;
  difference: Amount | null;
  facts: PastFacts | null;
}

interface PastFacts {
  buyer: BuyerType | null;
  /** What the shop charged beyond the exact sum of its lines: not zero where the shop rounds. */
  rounding: Amount;
  statedTax: boolean;
  /** In the codes of SRI tables 16 to 18. */
  taxes: { codigo: string; porcentaje: string; base: Amount; valor: Amount }[];
  payments: { tipo: string; amount: Amount }[];
}

const number = '001-001-000000001';

export function rehearseOrder(
  order: Order,
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  now: Date,
): PastDocument[] {
  const paidAt = order.paidAt ?? order.placedAt;
  const date = ecuadorDay(new Date(Math.min(Date.parse(paidAt), now.getTime())));
  const input = { order, store, invoiceFrom: new Date(0), now };
  const { sale, today: planned } = planPast(input, { number, date });
  const credits = planned.filter(({ kind }) => kind === 'nota-credito');
  return [
    toPast(order, sale, paidAt),
    ...credits.map((credit) => {
      const refund = order.refunds.find(({ id }) => id === credit.identity.sourceId);
      return toPast(order, credit, refund?.at ?? order.updatedAt);
    }),
  ];
}

function toPast(order: Order, planned: Action, at: string): PastDocument {
  const { kind, action, code, reason, charged, document, difference, identity } = planned;
  return {
    kind,
    orderId: order.id,
    orderName: order.name,
    sourceId: identity.sourceId,
    at,
    day: ecuadorDay(new Date(at)),
    action,
    code,
    reason,
    charged,
    document,
    difference,
    facts: action === 'emit' ? factsOf(planned) : null,
  };
}

function factsOf({ trace, body }: Action): PastFacts {
  const { mapping, identity } = trace;
  return {
    buyer: identity?.type ?? null,
    rounding: mapping?.money.rounding ?? '0.00',
    statedTax: (mapping?.taxes ?? []).some(({ difference }) => !decimal(difference).isZero()),
    taxes: (body ? statedRows(body) : []).map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
      codigo,
      porcentaje: codigo_porcentaje,
      base: toAmount(decimal(base_imponible)),
      valor: toAmount(decimal(valor)),
    })),
    payments: (body && 'pagos' in body ? (body.pagos ?? []) : []).map(({ tipo, total }) => ({
      tipo: String(tipo).padStart(2, '0'),
      amount: toAmount(decimal(total)),
    })),
  };
}
