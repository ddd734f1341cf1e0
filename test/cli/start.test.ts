import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { run, runProcess } from '../support/run.ts';

const config = {
  publicUrl: 'http://127.0.0.1:1',
  port: 0,
  accounts: { cuenta: { baseUrl: 'http://127.0.0.1:1', apiKey: 'clave' } },
  issuers: {},
  stores: {},
};

/** A merchant who sets a variable must not believe that it counts while the config names another place. */
describe('facturapuente start warns of a variable that does not count', () => {
  it.each([
    ['DATABASE_URL', 'ledger.directory', { ledger: { directory: 'registro' } }],
    ['REDIS_URL', 'redis.url', { ledger: { directory: 'registro' }, redis: { url: 'redis://127.0.0.1:1' } }],
  ])('%s beside %s: once, without its password', async (variable, setting, sections) => {
    const folder = await mkdtemp(join(tmpdir(), 'facturapuente-start-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // It begins whole, and ends at the last thing it needs.
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const log = join(folder, 'log');
    const file = join(folder, 'facturapuente.config.json');
    await writeFile(file, JSON.stringify({ ...config, ...sections, port, log: { file: log } }));
    const args = ['start', '--config', file, '--host', '127.0.0.1', '--log-level', 'warn', '--role', 'web'];
    const { stderr } = await run(args, {
      [variable]: 'postgresql://ana:contrasena@db/facturas',
    });
    expect(stderr).toContain('ya está en uso');
    const logged = await readFile(log, 'utf8');
    const reported = logged.split('\n').filter((line) => line.includes(variable));
    expect(reported.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        ...{ variable, setting },
        aviso: expect.stringContaining(`${variable} está definida y no cuenta`),
      }),
    ]);
    expect(logged + stderr).not.toContain('contrasena');
  });
});

describe('facturapuente start says in one Spanish sentence why it cannot', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'facturapuente-start-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = async (changes: object, env: Record<string, string> = {}, as = run) => {
    const file = join(folder, 'facturapuente.config.json');
    await writeFile(file, JSON.stringify({ ...config, ...changes }));
    const { code, stderr } = await as(
      ['start', '--config', file, '--host', '127.0.0.1', '--log-level', 'silent'],
      env,
    );
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    return stderr;
  };

  it('when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    expect(await start({ port })).toContain(`El puerto ${port} de 127.0.0.1 ya está en uso`);
    other.close();
  });

  it('when PostgreSQL does not answer', async () => {
    const env = {
      DATABASE_URL: 'postgresql://postgres:contrasena@127.0.0.1:1/nada',
      FACTURAPUENTE_SECRET: 'un-secreto-de-al-menos-32-caracteres-para-pruebas',
    };
    const sentence = await start({}, env);
    expect(sentence).toContain('No se puede usar la base PostgreSQL');
    expect(sentence).not.toContain('contrasena');
  });

  it('when it should trace and OpenTelemetry is not installed', async () => {
    // Node looks as it does where nobody installed the SDK.
    const missing = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (!name.startsWith('@opentelemetry/sdk-trace')) return next(name, context);
        throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
      } });`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(missing)}` };
    const sentence = await start({ tracing: { enabled: true } }, env, runProcess);
    expect(sentence).toContain('npm install @opentelemetry/sdk-trace @opentelemetry/resources');
  });

  it('when the port for metrics is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    expect(await start({ metrics: { port } })).toContain('Elija otro con metrics.port');
    other.close();
  });

  it('when LOG_LEVEL is no level', async () => {
    // Three lines: what is wrong, where, and what there is.
    const file = join(folder, 'facturapuente.config.json');
    await writeFile(file, JSON.stringify(config));
    const { code, stderr } = await run(['start', '--config', file], { LOG_LEVEL: 'verbose' });
    expect(code).toBe(1);
    expect(stderr).toContain('log.level: Debe ser uno de estos valores: debug, info, warn, error, silent.');
  });

  it('when a ledger for several processes has no secret', async () => {
    expect(await start({}, { DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/nada' })).toContain(
      'FACTURAPUENTE_SECRET',
    );
  });
});
