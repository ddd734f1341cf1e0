import { expect, test } from 'vitest';
import { inWords } from '../../src/domain/checks.ts';
import { serverClockItem } from '../../src/setup/health.ts';

test('doctor says by how much, and in which direction', () => {
  expect(inWords(serverClockItem(400))).toMatchObject({ code: 'account-clock', state: 'ok' });
  expect(inWords(serverClockItem(90_000))).toMatchObject({
    state: 'warning',
    resolution: expect.stringMatching(/adelanta 90 s/),
  });
  expect(inWords(serverClockItem(-90_000)).resolution).toMatch(/atrasa 90 s/);
});
