import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NotaCreditoBody } from '../../../../mappers/body.ts';
import { plan } from '../../../../src/planner/plan.ts';
import { asXml } from '../../../mappers/as-xml.ts';
import { comesTo } from '../../../mappers/four-ways.ts';
import { generatedOrders } from '../../../mappers/generated-orders.ts';
import { decreedDate } from '../../../mappers/policy.ts';
import { wrongSums } from '../../../sandbox/independent-sums.ts';
import { decreedNoon } from '../../../support/orders.ts';
import { hasShared } from '../../../support/shared.ts';
import { openXsd } from '../../../support/xsd.ts';
import { drawn, honest, invoiced, store } from './cases.ts';
import { refundSeeds, refundsOf, restOf } from './generated-refunds.ts';

const { creditNotes } = store.policy;
const stating = { ...store, policy: { ...store.policy, creditNotes: { ...creditNotes, totales: true } } };

it('where totals are stated every nota de crédito is the money to the cent, ICE and all, and the last leaves nothing', {
  timeout: 7_200_000,
}, () => {
  const validate = hasShared ? openXsd('NotaCredito_V1.1.0.xsd') : () => {};
  let credits = 0;
  const cases = fc.tuple(fc.boolean().chain(generatedOrders), refundSeeds(4));
  fc.assert(
    fc.property(cases, ([order, seeds]) => {
      const documents = invoiced(order);
      if (!documents) return;
      const some = refundsOf(order, seeds);
      const last = restOf(order, some);
      const refunds = last ? [...some, last] : some;
      const input = { order: { ...order, refunds }, documents, store: stating, now: decreedNoon };
      const actions = plan({ ...input, invoiceFrom: new Date(0) });
      for (const { kind, action, code, reason, body, charged, difference } of actions) {
        if (kind !== 'nota-credito') continue;
        if (action !== 'emit') {
          if (!honest.includes(code)) throw new Error(`${code}: ${reason}`);
          continue;
        }
        credits += 1;
        expect(difference).toBe('0.00');
        expect(comesTo(body as NotaCreditoBody, 'totals')).toBe(Math.round(Number(charged) * 100));
        const { complaints, xml } = asXml(body, 'nota-credito', decreedDate);
        expect(complaints).toEqual([]);
        validate(xml);
        expect(wrongSums(xml, 2n)).toEqual([]);
      }
    }),
    { numRuns: Math.ceil(drawn.netting) },
  );
  expect(credits).toBeGreaterThan(drawn.netting / 2);
});
