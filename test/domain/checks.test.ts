import { expect, test } from 'vitest';
import { failedBy, inWords, item } from '../../src/domain/checks.ts';
import { ConfigError, ShopError } from '../../src/domain/errors.ts';
import type { InstallItem } from '../../src/domain/platform.ts';
import { alerts } from '../../src/messages/alerts.ts';
import { type CheckCode, checkMessage, checks } from '../../src/messages/checks.ts';
import { say } from '../../src/messages/message.ts';

test('what is in order says what was looked at, and nothing to do', () => {
  expect(inWords(item('company', 'ok', { ruc: '1790012345001' }))).toEqual({
    code: 'company',
    what: 'Empresa 1790012345001',
    state: 'ok',
    resolution: null,
  });
});

test('what is in order may have something to say', () => {
  const { resolution } = inWords(item('shop-settings', 'ok', { of: 'taxes', why: 'decided' }));
  expect(resolution).toMatch(/policy\.tax/);
});

test('what is not in order says what to do, as after a way through JSON', () => {
  const found = item('public-url', 'problem', { url: 'https://a.ec', why: 'other', status: 502 });
  const said = inWords(JSON.parse(JSON.stringify(found)) as InstallItem);
  expect(said).toEqual(inWords(found));
  expect(said).toMatchObject({
    what: 'Dirección pública https://a.ec',
    resolution: expect.stringContaining('502'),
  });
});

test('a check that failed by an error has its code and sentence, beside what was looked at', () => {
  const error = new ShopError('shop-redirects', { to: 'https://www.a.ec' }, { retryable: false });
  expect(inWords(failedBy('access', { of: 'rights' }, error))).toEqual({
    code: 'shop-redirects',
    what: 'Permiso de las claves',
    state: 'problem',
    resolution: error.merchant,
  });
});

test('a check that failed by an error of a platform of others has that platform’s sentence', () => {
  const error = new ConfigError('feria-cerrada', { message: 'La feria está cerrada.' });
  expect(inWords(failedBy('shop', {}, error))).toMatchObject({
    code: 'feria-cerrada',
    what: 'API de la tienda',
    resolution: 'La feria está cerrada.',
  });
});

test('a platform of others gives its own checks their texts', () => {
  const found: InstallItem = {
    code: 'puesto',
    state: 'missing',
    params: { message: 'Puesto', fix: 'Ábralo.' },
  };
  expect(inWords(found)).toEqual({
    code: 'puesto',
    what: 'Puesto',
    state: 'missing',
    resolution: 'Ábralo.',
  });
  const fine: InstallItem = { code: 'puesto', state: 'ok', params: { message: 'Puesto' }, done: true };
  expect(inWords(fine)).toEqual({
    code: 'puesto',
    what: 'Puesto',
    state: 'ok',
    resolution: null,
    done: true,
  });
});

test('no text of others fills a screen', () => {
  const message = 'x'.repeat(1_000_000);
  const { what, resolution } = inWords({
    code: 'largo',
    state: 'problem',
    params: { message, fix: message },
  });
  expect(what.length + (resolution ?? '').length).toBeLessThan(20_000);
});

test.each(Object.keys({ ...checks.entries, ...alerts.entries }) as CheckCode[])(
  '%s speaks of the general case without data',
  (code) => {
    for (const text of checkMessage(code) ?? []) expect(say(text ?? 'x')).not.toMatch(/undefined|null|^$/);
  },
);
