import { describe, expect, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { isRetryable } from '../../src/service/answers.ts';
import { answering, openClient, openHostile, recording } from './hostile.ts';
import { rows } from './operations.ts';

const strange: readonly (readonly [status: number, body: unknown])[] = [
  [200, '<html>mantenimiento</html>'],
  [200, ''],
  [200, 'null'],
  [200, '[]'],
  [200, '{"success":'],
  [200, { creado: 'si', success: 'si', respuesta: 'si' }],
  [200, { success: 1, respuesta: 1, creado: 1 }],
  [302, { success: true }],
  [403, '<html>WAF</html>'],
  [405, ''],
  [408, { success: false, creado: false }],
  [500, { success: false, message: 'x', creado: false, errors: ['x'] }],
  [500, { success: true, respuesta: true }],
  [502, '<html>Bad Gateway</html>'],
];

describe.each(rows)('$name ($route)', ({ name, call, route, slot, once: onlyOnce = false }) => {
  const asked = async (url: string, options = {}) => {
    const { calls, rateLimit } = openClient(url, options);
    return { answer: await call(calls), rateLimit };
  };

  test('takes its slot and leaves once, by its method and path, with the key unless it is public', async () => {
    const { url, arrived } = await recording({}, 503);
    const { rateLimit } = await asked(`${url}/base/`);
    expect(rateLimit.taken).toEqual(slot === null ? [] : [slot]);
    expect(arrived.map((one) => `${one.method} ${one.url}`)).toEqual([route.replace(' ', ' /base')]);
    expect(arrived[0]?.headers['x-api-key']).toBe(slot === null ? undefined : 'clave-de-prueba');
  });

  test('Errors 6: 429 slows the key down and may be asked again', async () => {
    const { answer, rateLimit } = await asked(await answering(429, {}, { 'retry-after': '3' }));
    expect(answer).toEqual({ kind: 'throttled', retryAfterMs: 3000 });
    expect(isRetryable(answer)).toBe(true);
    expect(rateLimit.slowed).toEqual(slot === null ? [] : [3000]);
  });

  test('Errors 4: 401 is unauthorized in either shape and as no JSON, and is not to be asked again', async () => {
    for (const body of [{ success: false, message: 'no' }, { creado: false, errors: ['no'] }, '<html>']) {
      const { answer } = await asked(await answering(401, body));
      // Without a key there is none to find wrong; what ping says of one all the same is read (assumption A18).
      const understood = slot !== null || (name === 'ping' && typeof body !== 'string');
      expect(answer.kind).toBe(understood ? 'unauthorized' : 'unknown');
      expect(isRetryable(answer)).toBe(!understood);
    }
  });

  test('an answer of another shape teaches nothing, whatever its status', async () => {
    let current: (typeof strange)[number] = [200, ''];
    const url = await openHostile((req, res) => {
      const [status, body] = current;
      req.resume().on('end', () => {
        res.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    const { calls } = openClient(url);
    for (current of strange) {
      const answer = await call(calls);
      expect([current, answer]).toMatchObject([
        current,
        { kind: 'unknown', reason: expect.stringMatching(/./) },
      ]);
      expect([current, isRetryable(answer)]).toEqual([current, !onlyOnce]);
    }
  });

  test('an answer that breaks off is unknown, and not repeated', async () => {
    let requests = 0;
    const url = await openHostile((req, res) => {
      requests += 1;
      req.resume().on('end', () => {
        res.writeHead(200, { 'content-length': 500 });
        res.write('{"success":true,"respuesta":true,"creado":true,', () => req.socket.destroy());
      });
    });
    const { answer } = await asked(url);
    expect(answer).toMatchObject({ kind: 'unknown', ...(onlyOnce ? { mayHaveLeft: true } : {}) });
    expect(isRetryable(answer)).toBe(!onlyOnce);
    expect(requests).toBe(1);
  });

  test('an answer later than our patience is unknown, and not repeated', async () => {
    let requests = 0;
    const url = await openHostile((req) => {
      requests += 1;
      req.resume();
    });
    const { answer } = await asked(url, { timeouts: { headers: 60 } });
    expect(answer.kind).toBe('unknown');
    expect(isRetryable(answer)).toBe(!onlyOnce);
    expect(requests).toBe(1);
  });

  test('what never left may be asked again', async () => {
    const { answer } = await asked(`http://127.0.0.1:${await freePort()}`);
    expect(answer).toMatchObject({ kind: 'unknown', ...(onlyOnce ? { mayHaveLeft: false } : {}) });
    expect(isRetryable(answer)).toBe(true);
  });

  test('neither key nor password nor answer reaches the log', async () => {
    const lines: string[] = [];
    const note = (fields: object, message: string) => lines.push(JSON.stringify(fields) + message);
    const log = { info: note, warn: note, error: note };
    await asked(await answering(502, '<html>secreto</html>'), { log });
    await asked(await answering(200, { secret: 'secreto', message: 'secreto' }), { log });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toMatch(/secreto|clave-de-prueba/);
  });
});
