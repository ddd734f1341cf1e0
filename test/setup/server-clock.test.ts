import { expect, test } from 'vitest';
import { serverClockItem } from '../../src/setup/health.ts';

test('doctor says by how much, and in which direction', () => {
  expect(serverClockItem(400)).toMatchObject({ code: 'server-clock', state: 'ok' });
  expect(serverClockItem(90_000)).toMatchObject({
    state: 'warning',
    resolution: expect.stringMatching(/adelanta 90 s/),
  });
  expect(serverClockItem(-90_000).resolution).toMatch(/atrasa 90 s/);
});
