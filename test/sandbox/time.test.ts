import { describe, expect, test, vi } from 'vitest';
import { dayInEcuador, isoInEcuador, readTestClock, runFrom } from '../../sandbox/emulator/clock.ts';
import { eventually } from '../support/eventually.ts';
import { delivering, factura, listen, noon, start } from './support.ts';

const minutes = (count: number) => count * 60_000;

describe('the sandbox’s clock', () => {
  test('is read and moved over HTTP: GET and POST /__sandbox/clock', async () => {
    const { send, get } = await start();
    expect((await get('/__sandbox/clock')).body).toEqual({ now: '2026-11-20T10:00:00-05:00', rate: 1 });
    const moved = await send('POST', '/__sandbox/clock', {
      set: '2026-11-21T04:59:59Z',
      stepMs: 1000,
      rate: 0,
    });
    expect(moved).toMatchObject({ status: 200, body: { now: '2026-11-21T00:00:00-05:00', rate: 0 } });
  });

  test.each([{}, { set: 'mañana' }, 'no es JSON', { stepMs: 9e15 }])(
    'POST /__sandbox/clock with %j is refused with 400',
    async (body) => {
      const { send, get } = await start();
      expect(await send('POST', '/__sandbox/clock', body)).toMatchObject({
        status: 400,
        body: { success: false, message: expect.any(String) },
      });
      expect((await get('/__sandbox/clock')).body.now).toBe('2026-11-20T10:00:00-05:00');
    },
  );
});

describe('fecha_emision is today in Ecuador', () => {
  test('a second before midnight in Guayaquil it is the old day, a second later only the new one', async () => {
    const { emit, sandbox } = await start();
    sandbox.clock.set(new Date('2026-11-20T23:59:59-05:00'));
    expect((await emit(factura())).body.creado).toBe(true);
    sandbox.clock.step(1_000);
    const next = (day: string) =>
      factura((b) => Object.assign(b.emisor, { secuencial: '000000124', fecha_emision: day }));
    expect((await emit(next('2026/11/20'))).body).toMatchObject({
      creado: false,
      errors: [expect.stringContaining('2026/11/21')],
    });
    expect((await emit(next('2026/11/21'))).body.creado).toBe(true);
  });
});

describe('stepping the clock', () => {
  test('makes the retries of a delivery after 1, 5, 15 and 60 minutes, not a moment earlier', async () => {
    const hook = await listen(500, 500, 500, 500);
    const { emit, sandbox, send } = await start(delivering(hook.url));
    sandbox.clock.run(0);
    await emit(factura());
    await eventually(() => hook.received.length === 1, 'the first attempt');
    for (const [index, wait] of [1, 5, 15, 60].entries()) {
      await send('POST', '/__sandbox/clock', { stepMs: minutes(wait) - 1 });
      expect(hook.received).toHaveLength(index + 1);
      sandbox.clock.step(1);
      await eventually(() => hook.received.length === index + 2, `the attempt after ${wait} minutes`);
    }
    await send('POST', '/__sandbox/clock', { stepMs: minutes(600) });
    expect(hook.received).toHaveLength(5);
  });

  test('leaves authorizeDelayMs alone: those are real milliseconds', async () => {
    const { emit, sandbox } = await start({ authorizeDelayMs: 60_000 });
    await emit(factura());
    sandbox.clock.step(minutes(600));
    expect(sandbox.documents()[0]?.estado).toBe(1);
  });
});

describe('running the clock', () => {
  test('at 6,000 times makes a retry after a minute in 10 ms, without being told in advance', async () => {
    const hook = await listen(500);
    const { emit, sandbox } = await start({ ...delivering(hook.url), now: runFrom(noon(), 1) });
    await emit(factura());
    await eventually(() => hook.received.length === 1, 'the first attempt');
    sandbox.clock.run(6_000);
    await eventually(() => hook.received.length === 2, 'the retry');
  });
});

describe('the test clock', () => {
  test('is anchor + offset + (real − anchor) × rate', () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T00:00:10Z') });
    const clock = readTestClock('anchor=2026-11-20T00:00:00Z,offset=86400000,rate=60');
    expect(clock.now().toISOString()).toBe('2026-11-21T00:10:00.000Z');
    expect(clock.rate).toBe(60);
    vi.useRealTimers();
  });

  test.each([
    '',
    'offset=1',
    'anchor=ayer',
    'anchor=2026-11-20T00:00:00Z,rate=0',
    'anchor=2026-11-20T00:00:00Z,offset=x',
  ])('"%s" is refused with the right way to write it', (text) =>
    expect(() => readTestClock(text)).toThrow(/anchor=<ISO instant>,offset=<milliseconds>,rate=/),
  );
});

describe('Ecuador’s time', () => {
  test('is five hours behind UTC: its day changes at 05:00 UTC', () => {
    expect(dayInEcuador(new Date('2026-11-21T04:59:59Z'))).toBe('2026/11/20');
    expect(dayInEcuador(new Date('2026-11-21T05:00:00Z'))).toBe('2026/11/21');
    expect(isoInEcuador(new Date('2026-11-21T04:59:59.9Z'))).toBe('2026-11-20T23:59:59-05:00');
  });
});
