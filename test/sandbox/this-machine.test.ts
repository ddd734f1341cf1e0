import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { mayControl } from '../../sandbox/emulator/control/this-machine.ts';
import { start } from './support.ts';

test.each([
  ['127.0.0.1', false, true],
  ['::ffff:127.0.0.1', false, true],
  ['172.18.0.1', false, false],
  ['172.18.0.1', true, true],
  ['203.0.113.7', true, false],
  ['', true, false],
])('a caller from %s, the sandbox in a container %s: may control it %s', (address, inContainer, may) => {
  expect(mayControl(address, inContainer)).toBe(may);
});

describe('the control routes need no key, so they answer only this machine, for itself', () => {
  const ask = async (method: 'GET' | 'POST', headers: (url: string) => Record<string, string>) => {
    const { sandbox } = await start({ publicUrl: 'https://sandbox.example.com' });
    const path = method === 'GET' ? 'documents' : 'reset';
    const response = await request(`${sandbox.url}/__sandbox/${path}`, {
      method,
      headers: headers(sandbox.url),
    });
    await response.body.dump();
    return response.statusCode;
  };

  test.each<[string, string, number]>([
    ['localhost', 'localhost:4010', 200],
    ['the IPv6 loopback address', '[::1]:4010', 200],
    ['a name rebound to this machine', 'malo.example:4010', 421],
    ['the public name of a tunnel', 'sandbox.example.com', 421],
  ])('asked as %s', async (_what, host, status) => {
    expect(await ask('GET', () => ({ host }))).toBe(status);
  });

  test.each([{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }])(
    'asked through a tunnel or proxy (%j), there is no such route',
    async (headers) => {
      expect(await ask('GET', () => ({ ...headers, host: 'localhost' }))).toBe(404);
    },
  );

  test.each<[string, (url: string) => Record<string, string>, number]>([
    ['a program that is no browser', () => ({}), 204],
    ['its own page', (url) => ({ origin: url, 'sec-fetch-site': 'same-origin' }), 204],
    ['another site', () => ({ origin: 'https://malo.example', 'sec-fetch-site': 'cross-site' }), 403],
    [
      'another port of this machine',
      () => ({ origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }),
      403,
    ],
    ['another site in an old browser', () => ({ origin: 'https://malo.example' }), 403],
    ['a page without an origin', () => ({ origin: 'null' }), 403],
  ])('a change asked for by %s', async (_what, headers, status) => {
    expect(await ask('POST', headers)).toBe(status);
  });
});
