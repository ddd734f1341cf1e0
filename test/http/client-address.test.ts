import express, { type Express } from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientOf, isThisMachine, isUntrustedProxy, trustProxies } from '../../src/http/endpoints.ts';
import { openServer } from '../../src/http/server.ts';
import { openInstallation } from './installation.ts';

/** What the app takes a caller from 127.0.0.1 with these headers for. */
async function ask(networks: readonly string[], headers: Record<string, string> = {}, around?: Express) {
  const app = express();
  trustProxies(app, networks);
  app.get('/', (req, res) => {
    res.json({
      client: clientOf(req),
      here: isThisMachine(req),
      untrusted: isUntrustedProxy(req),
    });
  });
  const server = await openServer(around?.use(app) ?? app, { port: 0, host: '127.0.0.1', setting: '--port' });
  onTestFinished(() => server.close());
  const answer = await fetch(server.url, { headers: { connection: 'close', ...headers } });
  return (await answer.json()) as { client: string; here: boolean; untrusted: boolean };
}

const forwarded = (list: string) => ({ 'x-forwarded-for': list });

describe('a client', () => {
  test('is whoever connected, unless that is a trusted proxy', async () => {
    expect(await ask([])).toEqual({ client: '127.0.0.1', here: true, untrusted: false });
    expect((await ask([], forwarded('203.0.113.7'))).client).toBe('127.0.0.1');
    expect((await ask(['10.0.0.0/8'], forwarded('203.0.113.7'))).client).toBe('127.0.0.1');
  });

  test('is the nearest address that is no trusted proxy, whatever stands left of it', async () => {
    const trusted = ['127.0.0.0/8', '10.0.0.0/8'];
    expect((await ask(trusted, forwarded('203.0.113.7'))).client).toBe('203.0.113.7');
    expect((await ask(trusted, forwarded('127.0.0.1, 203.0.113.7'))).client).toBe('203.0.113.7');
    expect((await ask(trusted, forwarded('198.51.100.1, 203.0.113.7, 10.1.2.3'))).client).toBe('203.0.113.7');
  });

  test('is an IPv6 network of /56, which is one customer’s', async () => {
    const one = await ask(['127.0.0.1/32'], forwarded('2001:db8:1:100::1'));
    const beside = await ask(['127.0.0.1/32'], forwarded('2001:db8:1:1ff:9:9:9:9'));
    const other = await ask(['127.0.0.1/32'], forwarded('2001:db8:1:200::1'));
    expect(one.client).toBe(beside.client);
    expect(other.client).not.toBe(one.client);
    expect((await ask(['127.0.0.1/32'], forwarded('::ffff:203.0.113.7'))).client).toBe('203.0.113.7');
  });

  test('is found by our own list where another app is around us', async () => {
    const around = express();
    around.set('trust proxy', true);
    expect((await ask([], forwarded('203.0.113.7'), around)).client).toBe('127.0.0.1');
  });
});

describe('a program of this machine', () => {
  test.each<[string, Record<string, string>]>([
    ['x-forwarded-for', forwarded('127.0.0.1')],
    ['forwarded', { forwarded: 'for=127.0.0.1' }],
    ['x-real-ip', { 'x-real-ip': '127.0.0.1' }],
    ['via', { via: '1.1 proxy' }],
  ])('is never one for whom a proxy speaks (%s)', async (_name, headers) => {
    expect((await ask([], headers)).here).toBe(false);
    expect((await ask(['127.0.0.1/32'], headers)).here).toBe(false);
  });
});

describe('a proxy that is not in trustedProxies', () => {
  test('is told of once in the log, with its address, and to doctor by /healthz', async () => {
    const installation = await openInstallation();
    expect(await (await installation.get('/healthz')).json()).toEqual({ status: 'alive' });
    for (let n = 0; n < 3; n += 1)
      expect(await (await installation.get('/healthz', forwarded('203.0.113.7'))).json()).toEqual({
        status: 'alive',
        proxy: 'untrusted',
      });
    const reported = installation.lines.filter(({ message }) => message.includes('trustedProxies'));
    expect(reported.map(({ fields }) => fields.proxy)).toEqual(['127.0.0.1']);
  });

  test('is nothing to tell of where it is in the list', async () => {
    const installation = await openInstallation({ trustedProxies: ['127.0.0.1/32'] });
    expect(await (await installation.get('/healthz', forwarded('203.0.113.7'))).json()).toEqual({
      status: 'alive',
    });
    expect(installation.lines.filter(({ message }) => message.includes('trustedProxies'))).toEqual([]);
  });
});

test('HTTPS is asked for our own host name and no name under it', async () => {
  const installation = await openInstallation();
  const { headers } = await installation.get('/healthz');
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
});
