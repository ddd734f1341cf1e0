import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../package/pack.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct } from '../support/product.ts';
import { run as facturapuente } from '../support/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What of the example's own stand-in is used here. */
interface ShopServer {
  url: string;
  orders: Map<number, { comprobantes?: Record<string, unknown>[] }>;
  notify(order: object, webhook: { url: string; secret: string }): Promise<number>;
  close(): Promise<void>;
}
const { openShopServer, soldNow } = (await import(`${root}docs/adapter-example/shop-server.js`)) as {
  openShopServer(options: { token: string }): Promise<ShopServer>;
  soldNow(): { pagado: string };
};
const [token, secret] = ['clave-de-la-api-propia', 'secreto-de-la-tienda-propia-0123456789abcdef'];

/** Installs the example beside a config as npm does: a copy, and this package from its sources. */
async function install(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'facturapuente');
  await mkdir(own, { recursive: true });
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const sources = Object.entries(exports).map(([name, file]) => [
    name,
    file.replace('./dist/', './').replace(/\.js$/, '.ts'),
  ]);
  const described = { name: 'facturapuente', type: 'module', exports: Object.fromEntries(sources) };
  await writeFile(join(own, 'package.json'), JSON.stringify(described));
  for (const name of ['src', 'adapters', 'mappers']) await symlink(join(root, name), join(own, name));
  await symlink(join(root, 'node_modules/zod'), join(modules, 'zod'));
  const example = join(modules, 'facturapuente-tienda-propia');
  await cp(join(root, 'docs/adapter-example'), example, { recursive: true });
  return example;
}

test('the example adapter keeps the contracts, and issues from a signed webhook what it reads from the API', async () => {
  const store = { platform: 'tienda-propia', issuer: 'ejemplo', invoiceFrom: '2026-01-01' };
  const server = await openShopServer({ token });
  const connection = { url: server.url, token, webhookSecrets: [secret] };
  const product = await openProduct({
    engine: 'sqlite',
    config: {
      platforms: ['facturapuente-tienda-propia'],
      stores: {
        propia: { ...store, series: { establecimiento: '001', puntoEmision: '007' }, connection },
      },
    },
  });
  onTestFinished(async () => {
    await product.close();
    await server.close();
  });
  const example = await install(product.folder);
  const { stdout } = await run(process.execPath, ['--test', 'contract.test.js'], { cwd: example });
  expect(stdout).toMatch(/pass 2/);

  const config = product.file;
  const planned = await facturapuente([
    'plan',
    '--config',
    config,
    '--store',
    'propia',
    join(example, 'order.json'),
  ]);
  expect(planned.stdout).toMatch(/#501 por 34\.50 USD\n {2}factura: emitir/);

  await product.start();
  const hook = { url: `${product.url}/webhooks/propia`, secret };
  const order = soldNow();
  expect(await server.notify(order, { ...hook, secret: 'otro-secreto-cualquiera' })).toBe(401);
  expect(await server.notify(order, hook)).toBe(200);
  const [written] = await eventually(
    () =>
      server.orders.get(501)?.comprobantes?.some(({ estado }) => estado === 'authorized') &&
      server.orders.get(501)?.comprobantes,
    'the factura on its order',
  );
  const [document] = product.sandbox.documents();
  expect(written).toMatchObject({
    tipo: 'factura',
    numero: '001-007-000000001',
    clave: document?.claveacceso,
  });

  const refund = {
    id: 9,
    fecha: order.pagado,
    motivo: 'Se rompió',
    monto: '17.25',
    lineas: [{ linea: 1, nombre: 'Café de Zaruma', cantidad: '1', neto: '15.00', iva: '2.25' }],
  };
  await server.notify(
    { ...server.orders.get(501), actualizado: new Date().toISOString(), reembolsos: [refund] },
    hook,
  );
  const credit = await eventually(
    () =>
      server.orders
        .get(501)
        ?.comprobantes?.find(({ tipo, estado }) => tipo === 'nota-credito' && estado === 'authorized'),
    'the nota de crédito on its order',
  );
  expect(credit).toMatchObject({ de: '9', numero: '001-007-000000001' });
  expect(product.sandbox.documents()).toHaveLength(2);
}, 180_000);
