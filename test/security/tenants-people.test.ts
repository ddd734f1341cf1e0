import { DatabaseSync } from 'node:sqlite';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolsOf } from '../../src/assistant/tools.ts';
import { documentNumber } from '../../src/domain/document.ts';
import { allOperations } from '../../src/operations/all.ts';
import { panelActions, panelPages } from '../support/panel-tables.ts';
import {
  type Assistant,
  assist,
  enter,
  merchantA,
  merchantB,
  openWorld,
  orderIds,
  storeIds,
  type Visitor,
  type World,
} from '../support/two-merchants.ts';

const allTools = toolsOf({ all: allOperations });

/*
 * Two merchants in one installation. Ana and her token are limited to the stores of merchant A: whatever names merchant
 * B is answered as what does not exist. What is tried is made of the tables of pages, actions and tools, so that a new
 * one is tried by itself.
 */

/** Something of merchant B, and something of the same form that nobody has. */
interface Foreign {
  theirs: string;
  nobodys: string;
}

let world: World;
let ana: Visitor;
let assistant: Assistant;
let alone: World;
/** Texts that are merchant B's alone. */
let secrets: string[];
let names: Record<'documents' | 'orders' | 'stores' | 'accounts' | 'others' | 'plans', Foreign[]>;

beforeAll(async () => {
  world = await openWorld([merchantA, merchantB], { limited: true });
  await world.sell(merchantA);
  await world.sell(merchantB);
  alone = await openWorld([merchantA], { limited: false });
  await alone.sell(merchantA);
  await job(world);
  ana = await enter(world, 'ana');
  assistant = await assist(world, 'ana');
}, 120_000);
afterAll(async () => {
  await assistant?.close();
  await world?.close();
  await alone?.close();
});

const theirStores = new Set(storeIds(merchantB));

/** What people of merchant B, and the operator, do and meet; then `secrets` and `names` are known. */
async function job({ runtime, store, day }: World): Promise<void> {
  const { ledger, clock } = runtime;
  const documents = (await ledger.documents.list({ limit: 50 })).filter(({ storeId }) =>
    theirStores.has(storeId),
  );
  const held = documents.find(({ state }) => state === 'held');
  const rejected = documents.find(({ state }) => state === 'rejected');
  const authorized = documents.find(({ state, kind }) => state === 'authorized' && kind === 'factura');
  if (!held || !rejected || !authorized?.accessKey) throw new Error('Merchant B sold nothing.');
  const now = clock.now();
  await ledger.pauses.begin({ account: 'cuenta-b', ambiente: 1, cause: 'provider-data', now });
  const stop = { reason: 'El número 007-001-000000900 ya fue usado.', secuencial: '000000900' };
  await ledger.sequences.stop(rejected, stop, now);
  const berta = await enter(world, 'berta');
  await berta.post('/panel/operacion/ask-buyer', { document: rejected.id });
  await berta.post('/panel/cierre/guardar', { dia: day });
  for (const id of [...storeIds(merchantA), ...storeIds(merchantB)])
    await runtime.closing.close({ day, store: id, save: true });
  const theirAssistant = await assist(world, 'berta');
  const { execute } = JSON.parse(await theirAssistant.call('plan_retry', { document: rejected.id }));
  await theirAssistant.close();

  const { woo, shopify } = orderIds(merchantB);
  const totals = new Set(documents.flatMap(({ total, charged }) => [total ?? charged, charged]));
  const shops = storeIds(merchantB).map((id) => store(id).shop);
  secrets = [
    ...documents.flatMap((one) => [one.id, one.accessKey ?? one.id, documentNumber(one) ?? one.id]),
    ...[...woo, ...shopify, ...totals, ...shops, ...storeIds(merchantB)],
    ...['71001', '71002', 'cuenta-b', 'app-b', 'berta'],
    ...[merchantB.ruc, merchantB.name, merchantB.buyer, merchantB.buyer.toLowerCase()],
    String(execute.plan),
  ];
  const nobodysKey = authorized.accessKey.replace(/\d{9}$/, '000000000');
  const of = (theirs: string, nobodys: string): Foreign => ({ theirs, nobodys });
  names = {
    documents: [
      ...[authorized, rejected, held].map(({ id }) => of(id, 'zzzzzzzzzz-zzzzzz')),
      of('007-001-000000001', '007-001-000000777'),
      of(authorized.accessKey, nobodysKey),
    ],
    orders: [of('71201', '79991'), of('#71001', '#79992'), of(shopify[0] ?? '', '7100000079001')],
    stores: storeIds(merchantB).map((id) => of(id, id.replace(/b$/, 'z'))),
    accounts: [of('cuenta-b', 'cuenta-z')],
    others: [of('34.21', '99.21'), of(merchantB.ruc, '1799999999001')],
    plans: [of(String(execute.plan), 'plan-AAAAAAAAAAAA')],
  };
}

/** Which of merchant B's texts stand in an answer to a request that did not name them itself. */
const leaked = (answer: string, asked: string): string[] =>
  secrets.filter(
    (secret) =>
      !asked.includes(secret) &&
      new RegExp(`(?<![\\w.])${secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w])`).test(answer),
  );

/** An answer without what was asked for, and without the seconds that go by between two requests. */
function unnamed(answer: string, name: string): string {
  const written = [name, encodeURIComponent(name), encodeURIComponent(encodeURIComponent(name))];
  const still = answer.replace(/(data-remains=")\d+/g, '$1');
  return written.reduce((text, one) => text.replaceAll(one, '‹›'), still);
}

async function reported(answer: Response, visitor: Visitor): Promise<string> {
  const { status, headers } = answer;
  const location = headers.get('location');
  const body = await answer.text();
  // What an action says stands on the page it leads to.
  const next = location === null ? '' : await (await visitor.get(location)).text();
  const notice = /<p class="notice"[^>]*>[^<]*/.exec(next)?.[0] ?? '';
  return [status, location, notice, body].join('\n');
}

/** The same request about something of merchant B and about nothing. */
async function expectSame(
  request: (name: string) => Promise<string>,
  { theirs, nobodys }: Foreign,
  asked: string,
): Promise<void> {
  const answer = await request(theirs);
  expect({ asked, theirs, leaked: leaked(answer, `${asked} ${theirs}`) }).toEqual({
    asked,
    theirs,
    leaked: [],
  });
  expect({ asked, answer: unnamed(answer, theirs) }).toEqual({
    asked,
    answer: unnamed(await request(nobodys), nobodys),
  });
}

/** All rows there are, but for who asked for what and what was kept for those who asked. */
function ledgerRows(): Record<string, unknown[]> {
  const database = new DatabaseSync(world.ledgerFile, { readOnly: true });
  try {
    const tables = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all() as { name: string }[];
    const reported = ['audit_log', 'sessions', 'tallies', 'rate_limits', 'closes'];
    return Object.fromEntries(
      tables
        .filter(({ name }) => !reported.includes(name))
        .map(({ name }) => {
          const rows = database.prepare(`select * from ${name}`).all();
          return [name, rows.filter((row) => row.platform !== 'asistente:plan')];
        }),
    );
  } finally {
    database.close();
  }
}

const all = (...kinds: (keyof typeof names)[]): Foreign[] => kinds.flatMap((kind) => names[kind]);

// Before anything is tried: the audit log tells people what they typed themselves.
describe('the data of another merchant', () => {
  test('is in no page, no archive and no answer', async () => {
    for (const { path } of panelPages.filter(({ path }) => !path.includes(':'))) {
      const at = `/panel${path}?mes=${world.day.slice(0, 7)}&dia=${world.day}`;
      const answer = await ana.get(at);
      expect({ at, status: answer.status }).toEqual({ at, status: 200 });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const isZip = answer.headers.get('content-type') === 'application/zip';
      const files = isZip ? unzipSync(bytes) : { page: bytes };
      for (const [name, file] of Object.entries(files)) {
        const text = `${name}\n${Buffer.from(file).toString()}`;
        expect({ at, name, leaked: leaked(text, '') }).toEqual({ at, name, leaked: [] });
      }
      if (isZip) expect(Object.keys(files).filter((name) => name.startsWith('facturas/'))).toHaveLength(8);
    }
    for (const [tool, given] of [
      ['pending', {}],
      ['close', { date: world.day }],
      ['close', { date: world.day, store: 'woo-a' }],
      ['explain', { order: '1201' }],
      ['plan_sync_order', { order: '1201' }],
    ] as const) {
      const answer = await assistant.call(tool, given);
      expect({ tool, leaked: leaked(answer, '') }).toEqual({ tool, leaked: [] });
    }
  });

  test('changes nothing of what is listed and counted: it is as in an installation of one merchant', async () => {
    const only = await enter(alone, 'ana');
    for (const path of ['', '/buscar', '/buscar?q=1201', '/buscar?q=33.75', '/tiendas', '/graficos']) {
      const [here, there] = await Promise.all(
        [ana, only].map(async (visitor) => plain(await (await visitor.get(`/panel${path}`)).text())),
      );
      expect({ path, here }).toEqual({ path, here: there });
    }
    const other = await assist(alone, 'ana');
    for (const [tool, given] of [
      ['pending', {}],
      ['close', { date: world.day }],
      ['explain', { order: '1201' }],
    ] as const) {
      const here = plain(await assistant.call(tool, given)).replace('shopify-a,woo-a', '*');
      expect({ tool, here }).toEqual({ tool, here: plain(await other.call(tool, given)) });
    }
    await other.close();
  });
});

describe('what is of another merchant', () => {
  test.each(panelPages.map(({ path }) => [path]))('is not there for the page %s', async (path) => {
    const get = async (at: string) => reported(await ana.get(at), ana);
    const fill = (values: Record<string, string>) =>
      `/panel${path.replace(/:(\w+)/g, (_all, name) => encodeURIComponent(values[name] ?? ''))}`;
    const month = `mes=${world.day.slice(0, 7)}`;
    const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    for (const foreign of all('documents', 'orders')) {
      if (!params.includes('id')) break;
      for (const store of params.includes('store') ? [...storeIds(merchantA), ...theirStores] : [''])
        await expectSame((id) => get(fill({ id, store })), foreign, fill({ id: 'x', store }));
    }
    for (const foreign of all('stores'))
      if (params.includes('store'))
        for (const id of orderIds(merchantB).woo)
          await expectSame((store) => get(fill({ id, store })), foreign, fill({ id, store: 'x' }));
    if (params.length > 0) return;
    const asked = (name: string) => (value: string) =>
      get(`/panel${path}?${month}&${name}=${encodeURIComponent(value)}`);
    for (const foreign of all('stores')) await expectSame(asked('tienda'), foreign, path);
    if (path.startsWith('/operacion/'))
      for (const foreign of all('documents')) await expectSame(asked('document'), foreign, path);
    if (path !== '/buscar') return;
    for (const foreign of all('documents', 'orders', 'stores', 'accounts', 'others'))
      await expectSame(asked('q'), foreign, path);
  });

  test.each(panelActions.map(({ path }) => [path]))('is not there for the action %s', async (path) => {
    const before = ledgerRows();
    const nothing = 'yyyyyyyyyy-yyyyyy';
    const form = {
      ...{
        documento: nothing,
        document: nothing,
        order: nothing,
        store: 'woo-z',
        account: 'cuenta-z',
        ambiente: '1',
        code: 'document-differs',
        subject: nothing,
        accessKey: '1'.repeat(49),
        email: 'nadie@example.ec',
      },
      ...{ dia: world.day, respondo: 'si', numero: '007-001-000000003', volver: '' },
      ...{ tipo: 'cedula', identificacion: '1710034065', nombre: 'Ana Andrade', correo: '' },
    };
    const asked = Object.values(form).join(' ');
    // The close of a day reads every sale of it, whatever else is named.
    const isClose = path.startsWith('/cierre');
    const tried = isClose
      ? { documento: all('documents').slice(0, 1) }
      : {
          documento: all('documents'),
          document: all('documents'),
          order: all('orders'),
          store: all('stores'),
          account: all('accounts'),
          subject: all('documents'),
        };
    for (const [field, foreigns] of Object.entries(tried))
      for (const foreign of foreigns)
        await expectSame(
          async (name) => reported(await ana.post(`/panel${path}`, { ...form, [field]: name }), ana),
          foreign,
          `${path} ${field} ${asked}`,
        );
    expect(ledgerRows()).toEqual(before);
  });

  test.each(allTools.map(({ name }) => [name]))('is not there for the tool %s', async (tool) => {
    const before = ledgerRows();
    const input = allTools.find(({ name }) => name === tool)?.input.shape ?? {};
    const usual: Record<string, string> = { order: '1201', document: '001-001-000000001' };
    const needed = Object.fromEntries(
      Object.keys(input).flatMap((key) => (usual[key] === undefined ? [] : [[key, usual[key]]])),
    );
    const tried: Record<string, Foreign[]> = {
      order: all('orders'),
      store: all('stores'),
      document: all('documents'),
      plan: all('plans'),
    };
    for (const key of Object.keys(input))
      for (const foreign of tried[key] ?? [])
        for (const more of key === 'order' ? [{}, { store: 'woo-b' }] : [{}])
          await expectSame(
            (name) => assistant.call(tool, { ...needed, ...more, [key]: name }),
            foreign,
            `${tool} ${key} ${JSON.stringify(more)}`,
          );
    expect(ledgerRows()).toEqual(before);
  });
});

/** A page or answer without moments, keys, ids and ports, which no two installations share. */
const plain = (text: string): string =>
  text
    .replace(/<time.*?<\/time>|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|-05:00)/g, 'T')
    .replace(/data-remains="\d+">[^<]*/g, 'R')
    .replace(/\d{49}/g, 'K')
    .replace(/[a-z0-9]{10}-[a-z0-9]{6}/g, 'D')
    .replace(/127\.0\.0\.1:\d+/g, 'H');

describe('a plan', () => {
  test('of one token is no other’s, and stays whole for the one it was shown to', async () => {
    const theirs = await assist(world, 'berta');
    const { execute } = JSON.parse(await theirs.call('plan_retry', { document: '001-001-000000003' }));
    const tried = await assistant.call('retry', { plan: execute.plan });
    expect(tried).toContain('Nadie mostró un plan con ese id.');
    expect(await theirs.call('retry', { plan: execute.plan })).toContain('"done": true');
    await theirs.close();
  });
});

describe('whoever is not limited', () => {
  test('goes on seeing every store', async () => {
    const olga = await enter(world, 'olga');
    const stores = await (await olga.get('/panel/tiendas')).text();
    for (const id of [...storeIds(merchantA), ...theirStores]) expect(stores).toContain(`<h2>${id}</h2>`);
  });
});
