import { once } from 'node:events';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Diagnosis, diagnose } from '../../src/cli/doctor/run.ts';
import { openSecrets } from '../../src/config/secret.ts';
import type { InstallItem } from '../../src/domain/install.ts';
import { silentLog } from '../../src/domain/log.ts';
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
  /** The finding of this code, in the diagnosis of a config changed so. */
  async function finding(code: string, change: Written = {}): Promise<InstallItem | undefined> {
    await write(change);
    return itemsOf(await diagnose({ config: file })).find((item) => item.code === code);
  }
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
    file = join(product.folder, 'facturapuente.config.json');
    good = JSON.parse(await readFile(file, 'utf8'));
  });
  beforeEach(() => write());
  afterAll(() => product?.close());

  it('tells of a config that is missing, broken or lacks a variable, and looks no further', async () => {
    const nowhere = await diagnose({ config: join(product.folder, 'otro.yaml') });
    expect([nowhere.state, itemsOf(nowhere).map(({ code }) => code)]).toEqual(['problem', ['config']]);
    expect((await finding('config', { port: true }))?.cure).toMatch(/port: .*número/);
    expect((await finding('config', account({ apiKey: '$' + '{NO_ESTA}' })))?.cure).toContain(
      'NO_ESTA no está',
    );
  });

  it('tells of a public address where nobody or somebody else answers', async () => {
    expect((await finding('public-url'))?.cure).toMatch(/Nadie responde/);
    const other = await finding('public-url', { publicUrl: product.shop.url });
    expect(other).toMatchObject({ state: 'problem', cure: expect.stringMatching(/Responde otro programa/) });
  });

  it('tells of a variable that does not count, never with its password, and how to make it count', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await finding('environment')).toBeUndefined();
    vi.stubEnv('DATABASE_URL', 'postgresql://ana:contrasena@db/facturas');
    const found = await finding('environment');
    expect(found).toMatchObject({
      state: 'warning',
      what: expect.stringMatching(/^DATABASE_URL está definida y no cuenta: .*carpeta/),
      cure: expect.stringContaining('facturapuente move --to "$DATABASE_URL"'),
    });
    expect(JSON.stringify(found)).not.toContain('contrasena');
    const ledger = { url: 'postgresql://127.0.0.1:9/x' };
    expect((await finding('environment', { ledger }))?.cure).toMatch(/números ya dados/);
    vi.stubEnv('DATABASE_URL', undefined);
    vi.stubEnv('REDIS_URL', 'redis://:contrasena@cache');
    const redis = { url: 'redis://127.0.0.1:9' };
    expect((await finding('environment', { redis }))?.what).toMatch(/^REDIS_URL está definida y no cuenta/);
  });

  it('closes what others of this machine may read of the ledger, and tells of other files they may', async () => {
    await diagnose({ config: file });
    await chmod(join(ledgerFolder(), 'ledger.db'), 0o644);
    await chmod(ledgerFolder(), 0o750);
    expect((await finding('file-rights'))?.state).toBe('ok');
    expect((await stat(ledgerFolder())).mode & 0o777).toBe(0o700);
    expect((await stat(join(ledgerFolder(), 'ledger.db'))).mode & 0o777).toBe(0o600);
    await writeFile(join(product.folder, '.env'), 'A=b\n', { mode: 0o640 });
    expect((await finding('file-rights'))?.cure).toMatch(/\.env/);
    await rm(join(product.folder, '.env'));
  });

  it('tells of a start that does not run', async () => {
    expect(await finding('start')).toMatchObject({
      state: 'warning',
      cure: expect.stringMatching(/inícielo/),
    });
  });

  it('tells of a start that has lost its ledger', async () => {
    const report = { status: 'not-ready', ledger: 'no-answer', transport: 'ok' };
    const server = createServer((_request, response) => response.writeHead(503).end(JSON.stringify(report)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const found = await finding('ledger', { port: (server.address() as AddressInfo).port });
    server.close();
    expect(found).toMatchObject({ state: 'problem', cure: expect.stringMatching(/no logra usarlo/) });
  });

  it('tells of a clock that is wrong, the more so where signatures would be refused', async () => {
    const off = (seconds: number) => {
      const anchor = new Date().toISOString();
      return { testClock: `anchor=${anchor},offset=${seconds * 1000},rate=1` };
    };
    const late = await finding('clock', off(-120));
    expect(late).toMatchObject({ state: 'warning', cure: expect.stringMatching(/atrasa 1(19|20|21|22) s/) });
    expect(await finding('clock', off(600))).toMatchObject({
      state: 'problem',
      cure: expect.stringMatching(/adelanta (59|60)\d s/),
    });
    expect((await finding('clock'))?.state).toBe('ok');
  });

  it('tells what the service says of itself, and of a service nobody reaches', async () => {
    await control('estado', { estado: 'degradado', sri: { autorizacion: 'degradado' } });
    expect(await finding('service-status')).toMatchObject({
      state: 'warning',
      cure: expect.stringMatching(/servicio: degradado, autorización del SRI: degradado/),
    });
    await control('estado', { estado: 'caido' });
    expect((await finding('service-status'))?.state).toBe('problem');
    await control('estado', { estado: 'operativo', sri: { autorizacion: 'operativo' } });
    expect((await finding('service-status'))?.state).toBe('ok');
    const away = account({ baseUrl: 'http://127.0.0.1:9' });
    expect((await finding('service-status', away))?.state).toBe('warning');
    expect((await finding('clock', away))?.cure).toMatch(/no dice su hora/);
    expect((await finding('api-key', away))?.state).toBe('problem');
  });

  it('tells of a key the service does not accept, and of a company it has not got yet', async () => {
    expect((await finding('api-key', account({ apiKey: 'otra' })))?.cure).toMatch(/no acepta la clave/);
    expect((await finding('company'))?.state).toBe('missing');
  });

  it('tells of a shop that does not answer', async () => {
    const { tienda } = good.stores as Record<string, Written>;
    const connection = { ...(tienda?.connection as Written), url: 'http://127.0.0.1:9' };
    const { sections } = await (async () => {
      await write({ stores: { tienda: { ...tienda, connection } } });
      return diagnose({ config: file });
    })();
    const store = sections.find(({ title }) => title === 'Tienda «tienda»');
    expect(store?.items.some(({ state, cure }) => state === 'problem' && cure !== null)).toBe(true);
  });

  it('tells of shops that do not answer, of searches that stood still and of alerts that last', async () => {
    const { seal } = await openSecrets({
      secret: String(good.secret),
      ledger: { directory: ledgerFolder() },
    });
    const clock = { now: () => new Date() };
    const ledger = await openLedger({ directory: ledgerFolder(), sealKey: seal }, clock, silentLog);
    const shop = { platform: 'woocommerce', shop: product.shop.url };
    await ledger.stores.register({ id: 'tienda', ...shop, now: new Date() });
    await ledger.sweeps.begin(shop, new Date(Date.now() - 7 * 86_400_000));
    const row = await ledger.sweeps.get(shop);
    if (!row) throw new Error('The shop was not begun.');
    const since = new Date().toISOString();
    await ledger.sweeps.save(shop, { ...row, behind: { refunds: { since, failed: true } } });
    const alert = {
      code: 'document-rejected',
      subject: 'd1',
      what: 'Una factura fue rechazada.',
      cure: 'Corríjala.',
    };
    await ledger.alerts.raise(alert, new Date());
    const breaker = { storeId: 'tienda', since, retryAt: since, probes: 2, reason: 'La tienda tardó.' };
    await ledger.breakers.put(breaker);
    await ledger.breakers.put({ ...breaker, storeId: 'de-antes' });
    await ledger.work.ask({
      ...{ kind: 'sync-order', subject: 'pedido', storeId: 'tienda', budget: null, priority: 5 },
      dueAt: new Date(),
    });
    await ledger.close();
    const file = new DatabaseSync(join(ledgerFolder(), 'ledger.db'));
    file
      .prepare(
        "update work set attempts = 12, failing_since = ?, reason = 'No se entiende.' where subject = 'pedido'",
      )
      .run(since);
    file.close();
    expect(await finding('job')).toMatchObject({
      state: 'warning',
      cure: expect.stringMatching(`^12 intentos desde ${since}; el próximo, .* No se entiende`),
    });
    expect(await finding('shop-breaker')).toMatchObject({
      state: 'warning',
      what: `La tienda «tienda» no responde desde ${since}`,
      cure: expect.stringMatching(/^La tienda tardó\. Sus pedidos esperan; .* siguen solos/),
    });
    expect(await finding('sweep', { sweep: { everyMinutes: 5 } })).toMatchObject({
      state: 'warning',
      what: expect.stringMatching(/; sin terminar: la lista de reembolsos$/),
      cure: expect.stringMatching(/^Hace 168 h que no se logra leer la lista de reembolsos: /),
    });
    expect(await finding('alert')).toMatchObject({
      what: expect.stringMatching(/^Una factura fue rechazada\. \(desde /),
      cure: 'Corríjala.',
    });
    const again = await openLedger({ directory: ledgerFolder(), sealKey: seal }, clock, silentLog);
    await again.alerts.end(alert, new Date());
    await again.breakers.close('tienda');
    await again.close();
    expect(await finding('alert')).toBeUndefined();
    expect(await finding('shop-breaker')).toBeUndefined();
  });

  it('tells of a ledger it cannot use: another version of the product, a database that is away', async () => {
    await diagnose({ config: file });
    const db = new DatabaseSync(join(ledgerFolder(), 'ledger.db'));
    db.exec("update migrations set checksum = 'x' || checksum");
    expect(await finding('ledger')).toMatchObject({ state: 'problem', cure: expect.stringMatching(/\w+/) });
    db.exec('update migrations set checksum = substr(checksum, 2)');
    db.close();
    expect((await finding('ledger'))?.state).toBe('ok');
    const away = await finding('ledger', { ledger: { url: 'postgresql://127.0.0.1:9/x' } });
    expect(away?.cure).toMatch(/PostgreSQL.*en marcha/);
  });

  it.skipIf(!hasPostgres)('holds the clock of this machine against that of PostgreSQL', async () => {
    const database = await openDatabase();
    onTestFinished(database.drop);
    const ledger = { url: database.url };
    expect((await finding('server-clock', { ledger }))?.state).toBe('ok');
    expect(await finding('server-clock', { ledger, testClock: 'rate=60' })).toBeUndefined();
    expect(await finding('server-clock')).toBeUndefined();
  });

  it('tells of a Redis that is away, and of one that may drop jobs', async () => {
    expect(await finding('redis', { redis: { url: 'redis://127.0.0.1:9' } })).toMatchObject({
      state: 'problem',
    });
    const server = await openRedisServer(['--maxmemory-policy', 'allkeys-lru']);
    if (!server) return console.log('Skipping the Redis that drops jobs: redis-server is not installed.');
    expect(await finding('redis', { redis: { url: server.url } })).toMatchObject({
      state: 'warning',
      cure: expect.stringMatching(/allkeys-lru.*noeviction/),
    });
    await server.client.config('SET', 'maxmemory-policy', 'noeviction');
    expect((await finding('redis', { redis: { url: server.url } }))?.state).toBe('ok');
  });

  it('tells of notices that do not arrive, and why: none yet, nobody there, another secret', async () => {
    expect((await finding('deliveries'))?.cure).toMatch(/webhook\.prueba/);
    await control('webhook-prueba');
    await eventually(async () => (await finding('deliveries'))?.state === 'problem', 'the failed delivery');
    expect((await finding('deliveries'))?.cure).toMatch(/no llegó/);
    const other = createServer((_request, response) => response.writeHead(500).end());
    await once(other.listen(Number(new URL(product.url).port), '127.0.0.1'), 'listening');
    await control('webhook-prueba');
    const said = async () =>
      (await finding('deliveries'))?.cure?.includes('recibió la respuesta 500') ?? false;
    await eventually(said, 'the delivery to somebody else');
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    await product.start();
    await control('webhook-prueba');
    await eventually(async () => (await finding('deliveries'))?.state === 'ok', 'the delivery');
    await fetch(`${product.sandbox.url}/api/webhook`, {
      method: 'PUT',
      headers: { 'X-API-KEY': 'clave-1', 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${product.url}/service/webhook/cuenta`, secret: 'otro-secreto' }),
    });
    await control('webhook-prueba');
    await eventually(async () => (await finding('deliveries'))?.state === 'problem', 'the refused delivery');
    expect((await finding('deliveries'))?.cure).toMatch(/otra firma.*--resend/);
  });

  it('tells of a panel whose people change things with a password alone', async () => {
    const passwordHash = `scrypt:15:8:3:${'a'.repeat(22)}:${'b'.repeat(43)}`;
    const users = [{ user: 'ana', passwordHash }];
    expect(await finding('second-factor', { panel: { users } })).toBeUndefined();
    expect(await finding('second-factor', { panel: { secondFactor: 'off' } })).toBeUndefined();
    expect(await finding('second-factor', { panel: { users, secondFactor: 'off' } })).toMatchObject({
      state: 'warning',
      cure: expect.stringContaining('panel.secondFactor: off'),
    });
  });

  it('tells of tables of the law that nobody compared with their sources for a year', async () => {
    expect(await finding('law-tables')).toBeUndefined();
    const later = Date.parse('2028-01-01T12:00:00Z') - Date.now();
    const testClock = `anchor=${new Date().toISOString()},offset=${later},rate=1`;
    const found = await finding('law-tables', { testClock });
    expect(found).toMatchObject({ state: 'warning', cure: expect.stringMatching(/Límites, 2026-11-20/) });
  });

  it('warns an issuer that is a negocio popular of its notas de venta, and holds nothing for it', async () => {
    expect(await finding('rimpe-popular')).toBeUndefined();
    const issuers = good.issuers as Record<string, Written>;
    const popular = Object.fromEntries(
      Object.entries(issuers).map(([name, issuer]) => [name, { ...issuer, regimen_rimpe_popular: true }]),
    );
    expect(await finding('rimpe-popular', { issuers: popular })).toMatchObject({
      state: 'warning',
      cure: expect.stringMatching(/^El RUC parece de una sociedad.*notas de venta.*Compruebe en su RUC/),
    });
    const away = { issuers: popular, ...account({ baseUrl: 'http://127.0.0.1:9' }) };
    expect(await finding('rimpe-popular', away)).toMatchObject({ state: 'warning' });
  });

  it('tells of rules whose code no factura of today can bear', async () => {
    expect(await finding('tax-rules')).toBeUndefined();
    const rule = { name: 'la de antes', when: { rate: 12 } };
    // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
    const policy = { tax: { rules: [{ ...rule, then: { iva: 2 } }] } };
    const stores = Object.fromEntries(
      Object.entries(good.stores as Record<string, Written>).map(([id, store]) => [id, { ...store, policy }]),
    );
    expect(await finding('tax-rules', { stores })).toMatchObject({
      state: 'warning',
      cure: expect.stringMatching(/^«la de antes» da el IVA 12 % \(código 2\), que no rige hoy.*se retienen/),
    });
  });

  it('tells of a proxy at the public address that is not in trustedProxies', async () => {
    const proxy = createServer(async (req, res) => {
      const answer = await fetch(`${product.url}${req.url}`, {
        headers: { 'x-forwarded-for': '203.0.113.7' },
      });
      res.end(await answer.text());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    expect(await finding('trusted-proxies')).toBeUndefined();
    expect(await finding('trusted-proxies', { publicUrl })).toMatchObject({
      state: 'warning',
      cure: expect.stringContaining('todos sus clientes cuentan como uno'),
    });
  });

  it('speaks through the running start, ends with what a monitor needs, and is content after install', async () => {
    const call = (...args: string[]) => run([...args, '--config', file]);
    expect((await call('doctor', '--json')).code).toBe(2);
    expect((await call('install', '--resend')).code).toBe(0);
    await control('webhook-prueba');
    await eventually(async () => (await finding('deliveries'))?.state === 'ok', 'the delivery');
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
    expect(text).toMatch(
      /✔ listo {2}facturapuente start está en marcha[\s\S]*Funciona; mire los avisos\.\n$/,
    );
    const bare = `http://[::ffff:127.0.0.1]:${new URL(product.url).port}`;
    expect((await finding('public-url', { publicUrl: bare }))?.cure).toMatch(/sin cifrar/);
  });
});

const itemsOf = ({ sections }: Diagnosis) => sections.flatMap(({ items }) => items);
