import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openSettings } from '../../src/app/settings.ts';
import { parseConfig } from '../../src/config/load.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const compose = read('docker-compose.yml');
const example = parseEnv(read('docs/compose/example.env'));
/** With what the merchant writes in the place of what is empty. */
const env = Object.fromEntries(
  Object.entries(example).map(([name, text]) => [name, text || randomBytes(32).toString('hex')]),
);
const yaml = read('docs/compose/facturapuente.config.yaml');

/** What is to be copied beside the compose file, so that `docker compose up` needs nothing else. */
describe('the examples for the compose file', () => {
  const config = () =>
    parseConfig(parse(yaml), {
      file: '/data/facturapuente.config.yaml',
      env: { ...env, DATABASE_URL: 'postgresql://u@postgres/f', REDIS_URL: 'redis://redis:6379' },
    });

  test('are a configuration that is accepted once its secrets are written', async () => {
    expect([...(await openSettings(config())).stores.keys()]).toEqual(['tienda-woo']);
  });

  test('name every variable without which the compose file refuses to start, secrets without a value', () => {
    const needed = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '');
    expect(needed.length).toBeGreaterThan(0);
    expect(needed.filter((name) => !Object.hasOwn(example, name))).toEqual([]);
    const secrets = Object.entries(example).filter(([name]) => /SECRET|PASSWORD/.test(name));
    expect(secrets.map(([, text]) => text)).toEqual(secrets.map(() => ''));
  });

  test('start the sandbox, whose webhook and key are those of the configuration', () => {
    const { sandbox } = parse(compose, { merge: true }).services;
    expect(sandbox.profiles).toEqual([env.COMPOSE_PROFILES]);
    const { accounts, issuers } = config();
    const [account = ''] = Object.keys(accounts);
    expect(Object.values(issuers).map((issuer) => issuer.account)).toEqual([account]);
    expect(sandbox.command).toContain(`http://web:8080/service/webhook/\${FACTURA_ACCOUNT:-${account}}`);
    expect(sandbox.command).toContain(env.FACTURA_SERVICE_URL);
    expect(accounts[account]?.apiKey).toBe(env.FACTURA_API_KEY);
  });

  test('show the health of a worker where the compose file asks for it', () => {
    const { worker } = parse(compose, { merge: true }).services;
    expect(worker.healthcheck.test.at(-1)).toContain(`http://127.0.0.1:${config().metrics.port}/readyz`);
  });
});
