import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, noon, order } from '../samples.ts';

export function questionsContract(open: OpenLedger): void {
  describe('questions', () => {
    const times = { cutOffAt: at(60_000), expiresAt: at(120_000), now: noon };

    test('are asked once an order, and the first answer stands', async () => {
      const { questions } = await open();
      expect(await questions.get(order)).toBeUndefined();
      expect(await questions.answer(order, { id: 1 }, noon)).toBe(false);
      expect(await questions.open(order, times)).toBe(true);
      expect(await questions.open(order, { ...times, cutOffAt: at(1) })).toBe(false);
      const answers = await Promise.all([1, 2, 3].map((id) => questions.answer(order, { id }, at(id))));
      expect(answers.filter(Boolean)).toHaveLength(1);
      const first = answers.indexOf(true) + 1;
      expect(await questions.get(order)).toMatchObject({
        cutOffAt: at(60_000).toISOString(),
        answer: { id: first },
        answeredAt: at(first).toISOString(),
      });
      expect(await questions.get({ ...order, orderId: '5002' })).toBeUndefined();
    });

    test('have each mark once, until it is removed', async () => {
      const { questions } = await open();
      await questions.open(order, times);
      for (const mark of ['mailed', 'passed', 'notified'] as const) {
        const marked = await Promise.all([1, 2].map((ms) => questions.mark(order, mark, at(ms))));
        expect(marked.filter(Boolean)).toHaveLength(1);
        expect(await questions.unmark(order, mark)).toBe(true);
        expect(await questions.unmark(order, mark)).toBe(false);
        expect(await questions.mark(order, mark, at(3))).toBe(true);
      }
      const at3 = at(3).toISOString();
      expect(await questions.get(order)).toMatchObject({ mailedAt: at3, passedAt: at3, notifiedAt: at3 });
    });
  });
}
