import { expect, it } from 'vitest';
import { settled } from '../../src/cli/order-timeline.ts';
import type { Document } from '../../src/domain/document.ts';
import { plan } from '../../src/planner/plan.ts';
import { authorized } from '../support/authorized.ts';
import { noon, order, store } from '../support/orders.ts';

it('what waited for its document says what became of it, and everything else what was decided', () => {
  const sale = order();
  const document = { ...authorized(sale), state: 'processing' as const };
  const input = { order: sale, store, invoiceFrom: new Date(0), now: noon };
  const [waiting] = plan({ ...input, documents: [document] });
  const [emitted] = plan({ ...input, documents: [] });
  if (!waiting || !emitted) throw new Error('nothing was planned');
  const now = (state: Document['state']) => [{ document: { ...document, state } as unknown as Document }];
  expect(waiting.code).toBe('in-process');
  expect(settled(waiting, now('authorized'))).toMatchObject({ action: 'nothing', code: 'already-invoiced' });
  expect(settled(waiting, now('processing'))).toMatchObject({ action: 'wait', code: 'in-process' });
  expect(settled(waiting, [])).toBe(waiting);
  expect(settled(emitted, now('authorized'))).toBe(emitted);
});
