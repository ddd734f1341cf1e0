import { describe, expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../src/panel/people.ts';
import { cookieOf } from '../panel/installation.ts';
import { eventually } from '../support/eventually.ts';
import { wrongCedula } from '../support/nobody-named.ts';
import {
  type Engine,
  engines,
  openProduct,
  openProductProcesses,
  type Product,
  type ProductOptions,
  written,
} from '../support/product.ts';

const password = 'una contraseña larga';

/** A shop whose one order is held, and a person who may give the identification. */
const withHeldOrder = async (engine: Engine): Promise<ProductOptions> => ({
  engine,
  orders: [wrongCedula(new Date(), '1202')],
  config: {
    panel: {
      users: [{ user: 'omar', role: 'operate', passwordHash: await hashPassword(password) }],
      secondFactor: 'off',
    },
  },
});

/** Starts it and waits until the order is held. */
async function hold(product: Product): Promise<void> {
  onTestFinished(() => product.close());
  await product.start();
  await product.deliver('1202');
  await eventually(() => product.shop.notes('1202').length > 0, 'the order to be held');
}

const post = (url: string, fields: Record<string, string>, cookie = '') =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { origin: new URL(url).origin, cookie },
  });

/** As a browser: the form of the work list's first order, filled in. */
async function identify({ url }: Product): Promise<Response> {
  const cookie = cookieOf(await post(`${url}/panel/entrar`, { usuario: 'omar', clave: password }));
  const read = async (path: string) => (await fetch(`${url}${path}`, { headers: { cookie } })).text();
  const path = /href="(\/panel\/identificacion\/[^"]+)"/.exec(await read('/panel'))?.[1] ?? '';
  const form = await read(path);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  return post(
    `${url}/panel/identificacion`,
    {
      ...{ documento: hidden('documento'), volver: '' },
      ...{ tipo: 'cedula', identificacion: '1710034065', nombre: 'Ana Torres Mena', correo: '' },
    },
    cookie,
  );
}

describe.each(engines)('on %s', (engine) => {
  test('a person gives the identification in the panel, and the held order becomes an authorised factura', async () => {
    const held = await openProduct(await withHeldOrder(engine));
    await hold(held);
    expect((await identify(held)).status).toBe(303);
    await eventually(() => written(held, '1202').estado === 'AUTORIZADO', 'the factura on the order');
    expect(held.sandbox.documents()).toHaveLength(1);
    expect(held.log()).not.toContain('1710034065');
  });
});

test('what a person gave is kept though the process dies over it, and leaves once', async () => {
  const held = await openProductProcesses(await withHeldOrder('sqlite'));
  await hold(held);
  expect((await identify(held)).status).toBe(303);
  await held.kill();
  await held.start();
  await eventually(() => written(held, '1202').estado === 'AUTORIZADO', 'the factura on the order');
  expect(held.sandbox.documents()).toHaveLength(1);
});

test('the operator of the config may do everything in the panel, and without anybody there is none', async () => {
  const operator = { user: 'ana', passwordHash: await hashPassword(password) };
  const product = await openProduct({
    engine: 'sqlite',
    config: { operator, panel: { secondFactor: 'off' } },
  });
  await product.start();
  const cookie = cookieOf(await post(`${product.url}/panel/entrar`, { usuario: 'ana', clave: password }));
  const log = await fetch(`${product.url}/panel/registro`, { headers: { cookie } });
  expect([log.status, await log.text()]).toEqual([200, expect.stringContaining('ana (panel)')]);
  await product.close();
  const empty = await openProduct({ engine: 'sqlite' });
  onTestFinished(() => empty.close());
  await empty.start();
  expect((await fetch(`${empty.url}/panel`)).status).toBe(404);
});
