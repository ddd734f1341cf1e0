import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/load.ts';
import { readFragment } from '../../src/config/resolve.ts';
import { isGuessable } from '../../src/config/weak-secrets.ts';

const good = 'kX3vQ9sLw7Tz1Bn5Rm8Yd2Hf6Jc4Gp0A';
const account = { baseUrl: 'https://servicio.ec', apiKey: 'clave' };
const load = (changes: object, env = {}) =>
  parseConfig(
    { publicUrl: 'https://a.ec', accounts: {}, issuers: {}, stores: {}, ...changes },
    { file: '/a/facturapuente.config.yaml', env },
  );

describe('a secret that can be guessed', () => {
  test.each([
    ['', 'nothing'],
    ['s', 'one character'],
    [good.slice(1), 'thirty-one characters'],
    ['secreto-de-la-tienda', 'an example of the documentation'],
    ['Un-Secreto-de-32-caracteres-o-mas-escrito-aqui', 'one in other letters'],
  ])('%s: %s', (text) => expect(isGuessable(text)).toBe(true));

  test('is none that the shops, the service or openssl make', () => {
    const made = [
      () => randomBytes(16).toString('hex'),
      () => `shpss_${randomBytes(16).toString('hex')}`,
      () => randomBytes(32).toString('base64'),
      () => randomBytes(20).toString('hex'),
    ];
    for (const make of made) for (let at = 0; at < 2_000; at++) expect(isGuessable(make())).toBe(false);
    // As WooCommerce makes them: 50 of letters, digits and signs.
    expect(isGuessable('Q,e(Yx9#vT2^mB|4kZ8~w!pL0sR$7uN@5dG&1hJ*3cF?6aX+')).toBe(false);
  });
});

describe('the config refuses such a one', () => {
  const weak = 'un-secreto-de-32-caracteres-o-mas-escrito-aqui';
  test.each<[string, object]>([
    ['secret', { secret: weak }],
    ['accounts.a.webhookSecrets.1', { accounts: { a: { ...account, webhookSecrets: [good, 's'] } } }],
    ['metrics.token', { metrics: { token: '1234567890123456' } }],
    [
      'apps.app.clientSecrets.0',
      { apps: { app: { platform: 'shopify', clientId: 'i', clientSecrets: ['s'] } } },
    ],
    [
      'stores.t.connection.webhookSecrets.0',
      {
        stores: {
          t: {
            platform: 'woocommerce',
            issuer: 'i',
            series: { establecimiento: '001', puntoEmision: '001' },
            connection: { url: 'https://t.ec', webhookSecrets: ['secreto'] },
          },
        },
      },
    ],
    ['ledger.url', { ledger: { url: 'postgresql://f:letrasydigitos1234@postgres/f' }, secret: good }],
    ['redis.url', { redis: { url: 'redis://:password@redis:6379' } }],
  ])('at %s, and tells where and how to make another', (path, changes) => {
    expect(() => load(changes)).toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        merchant: expect.stringMatching(
          new RegExp(`- ${path.replaceAll('.', '\\.')}: .*(openssl rand|Dev Dashboard)`),
        ),
      }),
    );
  });

  test('from the environment too, and never shows it', () => {
    const sample = 'un-secreto-de-32-caracteres-o-mas-escrito-aqui';
    expect(() => load({}, { FACTURAPUENTE_SECRET: sample })).toThrow(
      expect.objectContaining({ merchant: expect.not.stringContaining(sample) }),
    );
  });

  test('in what `store add` is given', () => {
    const accounts = { a: { ...account, webhookSecrets: ['corto'] } };
    const text = JSON.stringify({ accounts, stores: {} });
    expect(() => readFragment(text, { file: 'tienda.yaml', env: {} })).toThrow(
      /accounts\.a\.webhookSecrets\.0/,
    );
  });

  test('but for oldSecrets, which only open what was encrypted before, and passwords of this machine', () => {
    expect(load({ secret: good, oldSecrets: [weak] }).oldSecrets).toEqual([weak]);
    expect(load({ redis: { url: 'redis://:password@127.0.0.1:6379' } }).redis?.prefix).toBe(
      '{facturapuente}',
    );
  });
});

test('no secret of the documentation or the compose file is accepted', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const written = globSync(['README.md', 'docker-compose.yml', 'docs/**/*.{md,yaml,env}'], { cwd: root })
    .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
    .flatMap((text) => [
      ...text.matchAll(/--webhook-secret[ =]([^\s"'`$\\]+)/g),
      ...text.matchAll(/^[A-Z_]*(?:SECRET|PASSWORD)[A-Z_]*=([^\s$]+)$/gm),
      ...text.matchAll(/(?:secret|webhookSecrets|clientSecrets|token): \[?["']([^"'$]+)["']/g),
    ])
    .flatMap(([, text = '']) => (text === '' ? [] : [text]));
  expect(written.filter((text) => !isGuessable(text))).toEqual([]);
});
