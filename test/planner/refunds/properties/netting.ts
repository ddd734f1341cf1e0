import fc from 'fast-check';
import { expect } from 'vitest';
import { type FacturaBody, facturaBody } from '../../../../mappers/body.ts';
import type { Issued } from '../../../../mappers/credit/balance.ts';
import { decimal, sum } from '../../../../src/domain/money.ts';
import type { Order, Refund } from '../../../../src/domain/order.ts';
import { plan } from '../../../../src/planner/plan.ts';
import { asXml } from '../../../mappers/as-xml.ts';
import { generatedOrders } from '../../../mappers/generated-orders.ts';
import { decreedDate } from '../../../mappers/policy.ts';
import { wrongSums } from '../../../sandbox/independent-sums.ts';
import { authorized } from '../../../support/authorized.ts';
import { whole } from '../../../support/chance.ts';
import { decreedNoon } from '../../../support/orders.ts';
import { hasShared } from '../../../support/shared.ts';
import { openXsd } from '../../../support/xsd.ts';
import { invoiced, issued, refundActions, store } from './cases.ts';
import { worth } from './credit-checks.ts';
import { refundSeeds, refundsOf } from './generated-refunds.ts';

/** What a factura and its notas de crédito leave of each code of IVA, with its taxes, in cents. */
type Rows = Record<string, number>;

/**
 * The factura may leave after any of the refunds: what it and the notas de crédito after it leave standing is the same
 * by rate, but for the cents no lines add up to.
 */
export function checkNetting(taxIncluded: boolean, numRuns: number): { netted: number; compared: number } {
  const seen = { netted: 0, compared: 0 };
  const validate = hasShared ? openXsd('factura_V1.1.0.xsd') : () => {};
  const every = whole ? 1 : Math.max(1, Math.floor(numRuns / 50));
  fc.assert(
    fc.property(fc.tuple(generatedOrders(taxIncluded), refundSeeds(3)), ([order, seeds]) => {
      if (invoiced(order) === null) return;
      const refunds = refundsOf(order, seeds);
      const after = leftAfter(order, refunds, 0);
      if (after === null) return;
      for (let before = 1; before <= refunds.length; before += 1) {
        const left = leftAfter(order, refunds, before);
        if (left === null) continue;
        seen.compared += 1;
        for (const code of Object.keys({ ...after, ...left }))
          expect(Math.abs((left[code] ?? 0) - (after[code] ?? 0))).toBeLessThanOrEqual(mostApart);
        const body = reduced(order, refunds.slice(0, before));
        if (!body || ++seen.netted % every !== 0) continue;
        const { complaints, xml } = asXml(body, 'factura', decreedDate);
        expect(complaints).toEqual([]);
        validate(xml);
        expect(wrongSums(xml, 2n)).toEqual([]);
      }
    }),
    { numRuns },
  );
  return seen;
}

/** The factura of an order of which so much went back before: charged less refunds, to the cent, or held. */
function reduced(order: Order, refunds: readonly Refund[]): FacturaBody | null {
  const input = { order: { ...order, refunds: [...refunds] }, documents: [], store, now: decreedNoon };
  const [action] = plan({ ...input, invoiceFrom: new Date(0) });
  if (action?.action !== 'emit') return null;
  const body = action.body as FacturaBody;
  const due = decimal(order.total).minus(sum(refunds.map(({ amount }) => amount ?? '0')));
  const bases = sum(body.items.map((item) => decimal(item.precio_total_sin_impuesto)));
  const total = bases.plus(sum(body.totales.map(({ valor }) => decimal(valor))));
  const paid = sum(body.pagos.map((pago) => decimal(pago.total)));
  for (const one of [total, paid]) if (!one.equals(due)) throw new Error(`${one} for ${due}`);
  if (action.charged !== action.document || action.difference !== '0.00') throw new Error('a difference');
  if (!facturaBody.safeParse(body).success) throw new Error('not a body of the service');
  for (const { codigo, base_imponible, tarifa, valor } of body.totales.filter(
    ({ codigo: code }) => code === '2',
  )) {
    const apart = decimal(base_imponible).times(tarifa).div(100).minus(valor).abs();
    if (apart.gt('0.015')) throw new Error(`${valor} of tax ${codigo} at ${tarifa} % of ${base_imponible}`);
  }
  return body;
}

/** With the first refunds netted and the others credited; null where a person is needed, or all went back before. */
function leftAfter(order: Order, refunds: readonly Refund[], before: number): Rows | null {
  if (reduced(order, refunds.slice(0, before)) === null) return null;
  const factura = authorized({ ...order, refunds: refunds.slice(0, before) }, {}, store, decreedNoon);
  const actions = refundActions({ ...order, refunds: [...refunds] }, [factura]);
  const wrong = actions.find(({ action, code }) => action !== 'emit' && code !== 'netted');
  if (wrong || !factura.sent) return null;
  const codes = actions.filter(({ code }) => code === 'netted').map(({ identity }) => identity.sourceId);
  expect(codes.toSorted()).toEqual(factura.sent.nettedRefunds.toSorted());
  return rowsLeft(factura.sent, actions.filter(({ action }) => action === 'emit').map(issued));
}

/** Cents. Where they are nobody's, a refund of its own and one that is netted may lay them on different rates. */
const mostApart = 4;

function rowsLeft(factura: Issued, credits: readonly Issued[]): Rows {
  const left: Rows = {};
  for (const [code, gross] of worth(factura).grosses)
    left[code] = credits.reduce((rest, credit) => rest - (worth(credit).grosses.get(code) ?? 0), gross);
  return left;
}
