import { once } from 'node:events';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Diagnosis, diagnose } from '../../src/cli/doctor/run.ts';
import { openSecrets } from '../../src/config/secret.ts';
import type { ShownItem } from '../../src/domain/checks.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product } from '../support/product.ts';
import { openRedisServer } from '../support/redis-server.ts';
import { run } from '../support/run.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

type Written = Record<string, unknown>;

describe('facturapuente doctor', () => {
  let product: Product;
  let file: string;
  let good: Written;
  const ledgerFolder = () => join(product.folder, 'ledger');
  const write = (change: Written = {}) => writeFile(file, JSON.stringify({ ...good, ...change }));
  /** The finding of this code about this, in the diagnosis of a config changed so. */
  async function finding(code: string, change: Written = {}, what = /./): Promise<ShownItem | undefined> {
    await write(change);
    const items = itemsOf(await diagnose({ config: file }));
    // Where the config cannot be used nothing else is checked, and no finding would mean nothing.
    if (!code.startsWith('config')) expect(items.map((item) => item.code)).toContain('config');
    return items.find((item) => item.code === code && what.test(item.what));
  }
  const proxied = async (change?: Written) => {
    await write(change);
    const found = itemsOf(await diagnose({ config: file }));
    return found.find(({ resolution }) => resolution?.includes('trustedProxies'));
  };
  const deliveries = () => finding('service-webhook', {}, /^Avisos/);
  const ignored = (change?: Written) => finding('config', change, /está definida/);
  async function control(path: string, body?: object): Promise<void> {
    const answer = await fetch(`${product.sandbox.url}/__sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok).toBe(true);
  }
  const account = (change: Written) => {
    const { cuenta } = good.accounts as Record<string, Written>;
    return { accounts: { cuenta: { ...cuenta, ...change } } };
  };

  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite' });
    file = product.file;
    good = JSON.parse(await readFile(file, 'utf8'));
  });
  beforeEach(() => write());
  afterAll(() => product?.close());

  it('reports a config that is missing, broken or lacks a variable, and checks no more', async () => {
    const nowhere = await diagnose({ config: join(product.folder, 'otro.yaml') });
    expect([nowhere.state, itemsOf(nowhere).map(({ code }) => code)]).toEqual([
      'problem',
      ['config-invalid'],
    ]);
    expect((await finding('config-invalid', { port: true }))?.resolution).toMatch(/port: .*número/);
    expect((await finding('config-invalid', account({ apiKey: '$' + '{NO_ESTA}' })))?.resolution).toContain(
      'NO_ESTA no está',
    );
  });

  it('reports a public address where no program or another one answers', async () => {
    expect((await finding('public-url'))?.resolution).toMatch(/Nadie responde/);
    const other = await finding('public-url', { publicUrl: product.shop.url });
    expect(other).toMatchObject({
      state: 'problem',
      resolution: expect.stringMatching(/Responde otro programa/),
    });
  });

  it('reports a variable that is ignored, never with its password, and how to use it', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await ignored()).toBeUndefined();
    vi.stubEnv('DATABASE_URL', 'postgresql://ana:contrasena@db/facturas');
    const found = await ignored();
    expect(found).toMatchObject({
      state: 'warning',
      what: expect.stringMatching(/^DATABASE_URL está definida y no cuenta: .*carpeta/),
      resolution: expect.stringContaining('facturapuente move --to "$DATABASE_URL"'),
    });
    expect(JSON.stringify(found)).not.toContain('contrasena');
    const ledger = { url: 'postgresql://127.0.0.1:9/x' };
    expect((await ignored({ ledger }))?.resolution).toMatch(/números ya dados/);
    vi.stubEnv('DATABASE_URL', undefined);
    vi.stubEnv('REDIS_URL', 'redis://:contrasena@cache');
    const redis = { url: 'redis://127.0.0.1:9' };
    expect((await ignored({ redis }))?.what).toMatch(/^REDIS_URL está definida y no cuenta/);
  });

  it('removes the rights of other users on the ledger, and reports other files they can read', async () => {
    await diagnose({ config: file });
    await chmod(ledgerFolder(), 0o750);
    expect((await finding('ledger', {}, /^Permisos/))?.state).toBe('ok');
    expect((await stat(ledgerFolder())).mode & 0o777).toBe(0o700);
    await writeFile(join(product.folder, '.env'), 'A=b\n', { mode: 0o640 });
    expect((await finding('ledger', {}, /^Permisos/))?.resolution).toMatch(/\.env/);
    await rm(join(product.folder, '.env'));
  });

  it('reports a start that does not run', async () => {
    expect(await finding('start')).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(/inícielo/),
    });
  });

  it('reports a start without access to its ledger', async () => {
    const report = { status: 'not-ready', ledger: 'no-answer', transport: 'ok' };
    const server = createServer((_request, response) => response.writeHead(503).end(JSON.stringify(report)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const found = await finding('ledger', { port: (server.address() as AddressInfo).port });
    server.close();
    expect(found).toMatchObject({ state: 'problem', resolution: expect.stringMatching(/no logra usarlo/) });
  });

  it('reports a wrong clock, as a problem where signatures would be refused', async () => {
    const off = (seconds: number) => {
      const anchor = new Date().toISOString();
      return { testClock: `anchor=${anchor},offset=${seconds * 1000},rate=1` };
    };
    const late = await finding('account-clock', off(-120));
    expect(late).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(/atrasa 1(19|20|21|22) s/),
    });
    expect(await finding('account-clock', off(600))).toMatchObject({
      state: 'problem',
      resolution: expect.stringMatching(/adelanta (59|60)\d s/),
    });
    expect((await finding('account-clock'))?.state).toBe('ok');
  });

  it('reports the state of the service, and a service that does not answer', async () => {
    await control('estado', { estado: 'degradado', sri: { autorizacion: 'degradado' } });
    expect(await finding('account-service')).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(/servicio: degradado, autorización del SRI: degradado/),
    });
    await control('estado', { estado: 'caido' });
    expect((await finding('account-service'))?.state).toBe('problem');
    await control('estado', { estado: 'operativo', sri: { autorizacion: 'operativo' } });
    expect((await finding('account-service'))?.state).toBe('ok');
    const away = account({ baseUrl: 'http://127.0.0.1:9' });
    expect((await finding('account-service', away))?.state).toBe('warning');
    expect((await finding('account-clock', away))?.resolution).toMatch(/no dice su hora/);
    expect((await finding('account-api-key', away))?.state).toBe('problem');
  });

  it('reports a key the service refuses, and a company that is not registered', async () => {
    expect((await finding('account-api-key', account({ apiKey: 'otra' })))?.resolution).toMatch(
      /no acepta la clave/,
    );
    expect((await finding('company'))?.state).toBe('missing');
  });

  it('reports a shop that does not answer', async () => {
    const { tienda } = good.stores as Record<string, Written>;
    const connection = { ...(tienda?.connection as Written), url: 'http://127.0.0.1:9' };
    const { sections } = await (async () => {
      await write({ stores: { tienda: { ...tienda, connection } } });
      return diagnose({ config: file });
    })();
    const store = sections.find(({ title }) => title === 'Tienda «tienda»');
    expect(store?.items.some(({ state, resolution }) => state === 'problem' && resolution !== null)).toBe(
      true,
    );
  });

  it('reports shops that do not answer, late reconciliations and open alerts', async () => {
    const { cipher } = await openSecrets({
      secret: String(good.secret),
      ledger: { directory: ledgerFolder() },
    });
    const clock = { now: () => new Date() };
    const ledger = await openLedger({ directory: ledgerFolder(), encryptionKey: cipher }, clock, silentLog);
    const shop = { platform: 'woocommerce', shop: product.shop.url };
    await ledger.stores.register({ id: 'tienda', ...shop, now: new Date() });
    await ledger.reconciliations.begin(shop, new Date(Date.now() - 7 * 86_400_000));
    const row = await ledger.reconciliations.get(shop);
    if (!row) throw new Error('The shop was not begun.');
    const since = new Date().toISOString();
    await ledger.reconciliations.save(shop, { ...row, behind: { refunds: { since, failed: true } } });
    const alert = {
      code: 'document-rejected',
      subject: 'd1',
      params: { order: '#1', document: 'la factura', number: '001-001-000000001', reason: '' },
    } as const;
    await ledger.alerts.raise(alert, new Date());
    for (const subject of ['pedido', 'otro'])
      await ledger.jobs.enqueue({
        ...{ kind: 'sync-order', subject, storeId: 'tienda', rateLimit: null, priority: 5 },
        dueAt: new Date(),
      });
    await ledger.close();
    const file = new DatabaseSync(join(ledgerFolder(), 'ledger.db'));
    file
      .prepare(
        "update jobs set attempts = 12, failing_since = ?, reason = case when subject = 'pedido' then 'No se entiende.' else 'shop-timeout: La tienda tardó.' end",
      )
      .run(since);
    file.close();
    expect(await finding('job-keeps-failing')).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(`^12 intentos desde ${since}; el próximo, .* No se entiende`),
    });
    expect(await finding('reconciliation-behind', { reconciliation: { everyMinutes: 5 } })).toMatchObject({
      state: 'warning',
      what: expect.stringMatching(/; sin terminar: la lista de reembolsos$/),
      resolution: expect.stringMatching(/^Hace 168 h que no se logra leer la lista de reembolsos: /),
    });
    expect(await finding('document-rejected')).toMatchObject({
      what: expect.stringMatching(/^Pedido #1: la factura 001-001-000000001 fue rechazada\. \(desde /),
      resolution: expect.stringContaining('corregida la causa'),
    });
    const again = await openLedger({ directory: ledgerFolder(), encryptionKey: cipher }, clock, silentLog);
    await again.alerts.end(alert, new Date());
    const disconnected = {
      code: 'shop-not-connected',
      subject: 'tienda',
      params: { reason: 'La tienda no deja entrar.' },
    } as const;
    const silent = {
      code: 'shop-not-answering',
      subject: 'tienda',
      params: { store: 'tienda', reason: 'La tienda tardó.' },
    } as const;
    for (const one of [disconnected, silent]) await again.alerts.raise(one, new Date());
    await again.close();
    // Its alert says why.
    expect((await finding('reconciliation-behind', { reconciliation: { everyMinutes: 5 } }))?.state).toBe(
      'ok',
    );
    expect((await finding('shop-not-connected'))?.what).toMatch(/^La tienda no deja entrar\./);
    expect((await finding('shop-not-answering'))?.what).toMatch(/^La tienda tienda no responde: .* tardó\./);
    // What fails because its shop does not answer is not listed one by one.
    expect(await finding('job-keeps-failing', {}, /: pedido \(/)).toBeDefined();
    expect(await finding('job-keeps-failing', {}, /: otro \(/)).toBeUndefined();
    const last = await openLedger({ directory: ledgerFolder(), encryptionKey: cipher }, clock, silentLog);
    for (const one of [disconnected, silent]) await last.alerts.end(one, new Date());
    await last.close();
    for (const { code } of [alert, disconnected, silent]) expect(await finding(code)).toBeUndefined();
  });

  it('reports a ledger it cannot use: of another version, or a database that does not answer', async () => {
    await diagnose({ config: file });
    const db = new DatabaseSync(join(ledgerFolder(), 'ledger.db'));
    db.exec("update migrations set checksum = 'x' || checksum");
    expect(await finding('internal')).toMatchObject({
      what: 'Registro',
      state: 'problem',
      resolution: expect.stringMatching(/la migración .* se lee hoy distinta/),
    });
    db.exec('update migrations set checksum = substr(checksum, 2)');
    db.close();
    expect((await finding('ledger'))?.state).toBe('ok');
    const away = await finding('ledger-unreachable', { ledger: { url: 'postgresql://127.0.0.1:9/x' } });
    expect(away?.resolution).toMatch(/PostgreSQL.*en marcha/);
  });

  it.skipIf(!hasPostgres)('holds the clock of this machine against that of PostgreSQL', async () => {
    const database = await openDatabase();
    onTestFinished(database.drop);
    const ledger = { url: database.url };
    expect((await finding('account-clock', { ledger }, /PostgreSQL/))?.state).toBe('ok');
    expect(await finding('account-clock', { ledger, testClock: 'rate=60' }, /PostgreSQL/)).toBeUndefined();
    expect(await finding('account-clock', {}, /PostgreSQL/)).toBeUndefined();
  });

  it('reports a Redis that does not answer, and one that may drop jobs', async () => {
    expect(await finding('redis', { redis: { url: 'redis://127.0.0.1:9' } })).toMatchObject({
      state: 'problem',
    });
    const server = await openRedisServer(['--maxmemory-policy', 'allkeys-lru']);
    if (!server) return console.log('Skipping the Redis that drops jobs: redis-server is not installed.');
    expect(await finding('redis', { redis: { url: server.url } })).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(/allkeys-lru.*noeviction/),
    });
    await server.client.config('SET', 'maxmemory-policy', 'noeviction');
    expect((await finding('redis', { redis: { url: server.url } }))?.state).toBe('ok');
  });

  it('reports webhooks that do not arrive, and why: none yet, no answer, another secret', async () => {
    expect((await deliveries())?.resolution).toMatch(/webhook\.prueba/);
    await control('webhook-prueba');
    await eventually(async () => (await deliveries())?.state === 'problem', 'the failed delivery');
    expect((await deliveries())?.resolution).toMatch(/no llegó/);
    const other = createServer((_request, response) => response.writeHead(500).end());
    await once(other.listen(Number(new URL(product.url).port), '127.0.0.1'), 'listening');
    await control('webhook-prueba');
    const said = async () => (await deliveries())?.resolution?.includes('recibió la respuesta 500') ?? false;
    await eventually(said, 'the delivery to somebody else');
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    await product.start();
    await control('webhook-prueba');
    await eventually(async () => (await deliveries())?.state === 'ok', 'the delivery');
    await fetch(`${product.sandbox.url}/api/webhook`, {
      method: 'PUT',
      headers: { 'X-API-KEY': 'clave-1', 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${product.url}/service/webhook/cuenta`, secret: 'otro-secreto' }),
    });
    await control('webhook-prueba');
    await eventually(async () => (await deliveries())?.state === 'problem', 'the refused delivery');
    expect((await deliveries())?.resolution).toMatch(/otra firma.*--resend/);
  });

  it('reports a panel where a password is enough to change something', async () => {
    const passwordHash = `scrypt:15:8:3:${'a'.repeat(22)}:${'b'.repeat(43)}`;
    const users = [{ user: 'ana', passwordHash }];
    expect(await finding('second-factor', { panel: { users } })).toBeUndefined();
    expect(await finding('second-factor', { panel: { secondFactor: 'off' } })).toBeUndefined();
    expect(await finding('second-factor', { panel: { users, secondFactor: 'off' } })).toMatchObject({
      state: 'warning',
      resolution: expect.stringContaining('panel.secondFactor: off'),
    });
  });

  it('reports tax tables whose last check is more than a year old', async () => {
    expect(await finding('tax-rules')).toBeUndefined();
    const later = Date.parse('2028-01-01T12:00:00Z') - Date.now();
    const testClock = `anchor=${new Date().toISOString()},offset=${later},rate=1`;
    const found = await finding('tax-rules', { testClock }, /^Tablas/);
    expect(found).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(/Límites, 2026-11-20/),
    });
  });

  it('warns an issuer that is a negocio popular of its notas de venta, and holds nothing for it', async () => {
    expect(await finding('tax-rules')).toBeUndefined();
    const issuers = good.issuers as Record<string, Written>;
    const popular = Object.fromEntries(
      Object.entries(issuers).map(([name, issuer]) => [name, { ...issuer, regimen_rimpe_popular: true }]),
    );
    expect(await finding('tax-rules', { issuers: popular })).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(
        /^El RUC parece de una sociedad.*notas de venta.*Compruebe en su RUC/,
      ),
    });
    const away = { issuers: popular, ...account({ baseUrl: 'http://127.0.0.1:9' }) };
    expect(await finding('tax-rules', away)).toMatchObject({ state: 'warning' });
  });

  it('reports rules whose code no factura of today may have', async () => {
    expect(await finding('tax-rules')).toBeUndefined();
    const rule = { name: 'la de antes', when: { rate: 12 } };
    // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
    const policy = { tax: { rules: [{ ...rule, then: { iva: 2 } }] } };
    const stores = Object.fromEntries(
      Object.entries(good.stores as Record<string, Written>).map(([id, store]) => [id, { ...store, policy }]),
    );
    expect(await finding('tax-rules', { stores })).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(
        /^«la de antes» da el IVA 12 % \(código 2\), que no rige hoy.*se retienen/,
      ),
    });
  });

  it('reports a proxy at the public address that is not in trustedProxies', async () => {
    const proxy = createServer(async (req, res) => {
      const answer = await fetch(`${product.url}${req.url}`, {
        headers: { 'x-forwarded-for': '203.0.113.7' },
      });
      res.end(await answer.text());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    expect(await proxied()).toBeUndefined();
    expect(await proxied({ publicUrl })).toMatchObject({
      state: 'warning',
      resolution: expect.stringContaining('todos sus clientes cuentan como uno'),
    });
  });

  it('speaks through the running start, ends with what a monitor needs, and is content after install', async () => {
    const call = (...args: string[]) => run([...args, '--config', file]);
    expect((await call('doctor', '--json')).code).toBe(2);
    expect((await call('install', '--resend')).code).toBe(0);
    await control('webhook-prueba');
    await eventually(async () => (await deliveries())?.state === 'ok', 'the delivery');
    const { code, stdout } = await call('doctor', '--json');
    const { state, sections } = JSON.parse(stdout) as Diagnosis;
    const bad = itemsOf({ state, sections }).filter((item) => item.state !== 'ok');
    // What is not fine here is this machine: loopback, and no signature file.
    expect(bad.map((item) => [item.code, item.state])).toEqual([
      ['public-url', 'warning'],
      ['signature', 'warning'],
      ['public-url', 'warning'],
    ]);
    expect([code, state]).toEqual([1, 'warning']);
    const text = (await call('doctor')).stdout;
    expect(text).toMatch(/✔ listo {2}facturapuente start\n[\s\S]*Funciona; mire los avisos\.\n$/);
    const bare = `http://[::ffff:127.0.0.1]:${new URL(product.url).port}`;
    expect((await finding('public-url', { publicUrl: bare }))?.resolution).toMatch(/sin cifrar/);
  });
});

const itemsOf = ({ sections }: Diagnosis) => sections.flatMap(({ items }) => items);
