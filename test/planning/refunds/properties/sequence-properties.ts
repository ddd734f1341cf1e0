import fc from 'fast-check';
import { expect } from 'vitest';
import type { Issued } from '../../../../mappers/credit/balance.ts';
import type { Order } from '../../../../src/core/order.ts';
import type { Refund } from '../../../../src/core/refund.ts';
import type { Action } from '../../../../src/planning/action.ts';
import { asXml } from '../../../mappers/as-xml.ts';
import { generatedOrders } from '../../../mappers/generated-orders.ts';
import { wrongSums } from '../../../sandbox/independent-sums.ts';
import { hasShared } from '../../../support/shared.ts';
import { openXsd } from '../../../support/xsd.ts';
import { honest, invoiced, issued, long, refundActions } from './cases.ts';
import { checkCredit, within } from './credit-checks.ts';
import { refundSeeds, refundsOf, restOf, smallRefundSeeds } from './generated-refunds.ts';

export interface Seen {
  credits: number;
  /** Orders that went back whole in several notas de crédito. */
  whole: number;
}

/** Refunds of an authorised factura, one after another: each credit reaches its money, all stay within the factura. */
export function checkSequences(taxIncluded: boolean, numRuns: number): Seen {
  const seen: Seen = { credits: 0, whole: 0 };
  const sample = openSample(numRuns);
  const cases = fc.tuple(generatedOrders(taxIncluded), refundSeeds(6), fc.boolean());
  fc.assert(
    fc.property(cases, ([order, seeds, rest]) => check(order, refundsOf(order, seeds), rest, seen, sample)),
    { numRuns },
  );
  const fifty = fc.tuple(generatedOrders(taxIncluded), smallRefundSeeds(50));
  fc.assert(
    fc.property(fifty, ([order, seeds]) => check(order, refundsOf(order, seeds), true, seen, sample)),
    { numRuns: Math.ceil(numRuns / 100) },
  );
  return seen;
}

function check(
  order: Order,
  refunds: readonly Refund[],
  rest: boolean,
  seen: Seen,
  sample: (action: Action) => void,
): void {
  const documents = invoiced(order);
  const factura = documents?.[0]?.sent;
  if (!documents || !factura) return;
  const last = rest ? restOf(order, refunds) : null;
  const actions = refundActions({ ...order, refunds: last ? [...refunds, last] : [...refunds] }, documents);
  const fault = actions.find(({ action, code }) => action !== 'emit' && !honest.includes(code));
  if (fault) throw new Error(`${fault.code}: ${fault.reason}`);
  const emitted = actions.filter(({ action }) => action === 'emit');
  emitted.forEach(checkCredit);
  const whole = within(factura, emitted.map(issued));
  if (last && actions.every(({ action, code }) => action === 'emit' || code === 'no-money')) {
    if (!whole) throw new Error('something is left of what went back whole');
    seen.whole += emitted.length > 1 ? 1 : 0;
  }
  if (emitted.length === 1) copied(order, factura, emitted);
  emitted.forEach(sample);
  seen.credits += emitted.length;
}

/** What goes back whole at once is the factura's own lines and taxes, word for word. */
function copied(order: Order, { items, totales }: Issued, emitted: readonly Action[]): void {
  const [one] = emitted;
  if (!one?.body || one.charged !== order.total) return;
  expect({ items: one.body.items, totales: one.body.totales }).toEqual({ items, totales });
}

/** Some 500 of all (each, in the long run) through the sandbox's emission, the official schema and exact sums. */
function openSample(numRuns: number): (action: Action) => void {
  const validate = hasShared ? openXsd('NotaCredito_V1.1.0.xsd') : () => {};
  const every = long ? 1 : Math.max(1, Math.floor(numRuns / 100));
  let count = 0;
  return ({ body }) => {
    count += 1;
    if (count % every !== 0) return;
    const { complaints, xml } = asXml(body, 'nota-credito');
    expect(complaints).toEqual([]);
    validate(xml);
    expect(wrongSums(xml, 2n)).toEqual([]);
  };
}
