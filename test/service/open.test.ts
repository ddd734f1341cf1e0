import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openServiceClient } from '../../src/service/client.ts';
import { memoryRateLimit, unmetered } from '../../src/service/exchange.ts';
import { answering, openRateLimit, recording } from './hostile.ts';

afterEach(() => vi.useRealTimers());

describe("a client of one's own", () => {
  test('needs no more than an address and a key', async () => {
    const { url, arrived } = await recording({ success: true, facturacion: { creditos_disponibles: 3 } });
    const client = openServiceClient({ baseUrl: url, apiKey: 'clave' });
    onTestFinished(() => client.close());
    expect(await client.consultarSaldo()).toMatchObject({ kind: 'balance', creditos: 3 });
    expect(arrived[0]?.headers).toMatchObject({ 'x-api-key': 'clave', 'user-agent': 'facturapuente' });
  });

  test('calls on the client use its rate limit, calls under another one use that', async () => {
    const [own, other] = [openRateLimit(), openRateLimit()];
    const client = openServiceClient({ baseUrl: await answering(503, ''), apiKey: 'clave', rateLimit: own });
    onTestFinished(() => client.close());
    await client.consultarSaldo();
    await client.with(other).leerWebhook();
    await client.with(unmetered).leerWebhook();
    expect([own.taken, other.taken]).toEqual([['question'], ['question']]);
  });

  test.each(['', 'example.com', 'ftp://example.com', 'file:///etc/passwd'])(
    'the address %j is refused',
    (baseUrl) => {
      expect(() => openServiceClient({ baseUrl, apiKey: 'clave' })).toThrow(
        'baseUrl must be an http or https',
      );
    },
  );

  test.each(['', 'con espacio', 'clavé', 'a\r\nb'])(
    'the key %j is refused without being quoted',
    (apiKey) => {
      const open = () => openServiceClient({ baseUrl: 'http://127.0.0.1:9', apiKey });
      expect(open).toThrow(
        /^apiKey must be the key of the account panel: visible ASCII characters, no spaces\.$/,
      );
    },
  );
});

describe('the rate limit in memory', () => {
  const spend = (
    rateLimit: ReturnType<typeof memoryRateLimit>,
    count: number,
    kind: 'question' | 'emission',
  ) => {
    const left: number[] = [];
    const all = Array.from({ length: count }, () =>
      rateLimit.take(kind).then(() => left.push(performance.now())),
    );
    return { left, all: Promise.all(all) };
  };

  test('Limits: no window of 60 seconds holds more calls than allowed', async () => {
    vi.useFakeTimers();
    const { left, all } = spend(memoryRateLimit(5), 12, 'question');
    await vi.advanceTimersByTimeAsync(180_000);
    await all;
    for (const [at, time] of left.entries()) {
      const later = left[at + 5];
      if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(60_000);
    }
    expect(left).toHaveLength(12);
  });

  test('emissions go before questions that wait', async () => {
    vi.useFakeTimers();
    const rateLimit = memoryRateLimit(1);
    const order: string[] = [];
    const take = (kind: 'question' | 'emission' | 'download') =>
      rateLimit.take(kind).then(() => order.push(kind));
    await rateLimit.take('question');
    const all = Promise.all([take('download'), take('question'), take('emission')]);
    await vi.advanceTimersByTimeAsync(240_000);
    await all;
    expect(order).toEqual(['emission', 'question', 'download']);
  });

  test('Errors 6: after a 429 nothing leaves for as long as was asked', async () => {
    vi.useFakeTimers();
    const rateLimit = memoryRateLimit();
    await rateLimit.slow(7_000);
    await rateLimit.slow(2_000);
    const { left, all } = spend(rateLimit, 3, 'emission');
    await vi.advanceTimersByTimeAsync(6_990);
    expect(left).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    await all;
    expect(left).toHaveLength(3);
  });
});
