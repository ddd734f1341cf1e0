import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { defaultRegistryTimes, registryNames } from '../../src/jobs/registry-names.ts';
import { watchLookUps } from '../../src/jobs/watch.ts';
import type { LookUpCalls } from '../../src/service/calls/companies.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

const now = '2026-11-20T15:00:00Z';
let bench: JobBench;
afterEach(() => bench?.close());

/** A person with a cédula who asks for a factura to the RUC of a company and does not name it. */
const companyOf = (ruc: string, company = '') => {
  const order = wooOrders(new Date(now))[0] as { billing: object; meta_data: unknown[] };
  return {
    ...order,
    billing: { ...order.billing, company },
    meta_data: [...order.meta_data, { id: 900, key: '_billing_ruc', value: ruc }],
  };
};
const sell = async (order: unknown, registry: string) => {
  bench = await openJobBench({ orders: [order], policy: { buyer: { registry } }, now });
  await bench.read();
};
const asked = () => bench.sandbox.requests().filter(({ path }) => path.includes('/sri/')).length;
const sentTo = async () => {
  const [attempt] = await bench.attempts();
  return JSON.parse(attempt?.body ?? '{}').comprador;
};
const trace = async (state: string) => {
  const history = await bench.ledger.documents.history((await bench.document()).id);
  return history.find(({ to }) => to === state)?.note as Record<string, unknown>;
};

describe('the registry’s name of a buyer', () => {
  it('completes a factura that would be held, once, and stays with the document', async () => {
    await sell(companyOf('1790016919001'), 'when-missing');
    expect(await sentTo()).toMatchObject({
      identificacion: '1790016919001',
      razon_social: 'PROVEEDOR DE PRUEBA S.A.',
    });
    expect(await trace('sending')).toMatchObject({
      trace: { identity: { type: 'ruc', source: 'meta _billing_ruc', name: 'registry' } },
    });
    await bench.read();
    expect(asked()).toBe(1);
  });

  it('is not asked for where the switch is off: the order is held, with a sentence for the buyer', async () => {
    await sell(companyOf('1790016919001'), 'off');
    expect(await bench.document()).toMatchObject({ state: 'held', code: 'buyer-company-missing' });
    expect(await trace('held')).toMatchObject({
      buyerReason: expect.stringContaining('razón social'),
      trace: { identity: { candidates: expect.any(Array) } },
    });
    expect(asked()).toBe(0);
  });

  it('is not asked for where the order has one that will do', async () => {
    await sell(companyOf('1790016919001', 'Proveedor'), 'when-missing');
    expect((await sentTo()).razon_social).toBe('Proveedor');
    expect(asked()).toBe(0);
  });

  it('goes before the order’s own where the policy prefers it', async () => {
    await sell(companyOf('1790016919001', 'Proveedor'), 'prefer');
    expect((await sentTo()).razon_social).toBe('PROVEEDOR DE PRUEBA S.A.');
  });

  it.each([
    ['is down', '1790000001001'],
    ['knows nobody', '1790000000001'],
  ])('changes nothing where the registry %s', async (_what, ruc) => {
    await sell(companyOf(ruc, 'Proveedor'), 'prefer');
    expect((await sentTo()).razon_social).toBe('Proveedor');
    expect(asked()).toBe(1);
  });
});

describe('a store that used up its look-ups of the day', () => {
  const policy = { buyer: { registry: 'when-missing', registryPerDay: 1 } };
  const orders = [companyOf('1790016919001'), { ...companyOf('1790012345001'), id: 1202, number: '1202' }];
  const states = async () =>
    (await bench.ledger.documents.list({ limit: 9 })).map(({ orderId, code }) => [orderId, code]).sort();

  it('plans without the name of the registry, alerts people, and looks up again the next day', async () => {
    bench = await openJobBench({ orders, policy, now });
    for (const id of ['1201', '1202']) {
      await bench.read(id);
    }
    expect(await states()).toEqual([
      ['1201', null],
      ['1202', 'buyer-company-missing'],
    ]);
    expect(asked()).toBe(1);
    expect(bench.alerts.filter((code) => code.startsWith('registry'))).toEqual(['registry-limit']);
    const [alert] = await bench.ledger.alerts.open();
    expect(alert?.what).toMatch(/«tienda» llegó al límite .* \(1\)/);
    await watchLookUps(bench.deps);
    expect(await bench.openAlerts()).toContain('registry-limit');
    bench.setTime('2026-11-21T05:00:00Z');
    await watchLookUps(bench.deps);
    expect(bench.alerts).toContain('registry-limit over');
    await bench.read('1202');
    expect(asked()).toBe(2);
  });
});

describe('asking the registry', () => {
  const ruc = { type: 'ruc', id: '1790016919001' } as const;
  const asker = { store: { id: 'tienda', policy: { buyer: { registryPerDay: 9 } } }, link: null };
  const open = async (consultarRuc: LookUpCalls['consultarRuc'], times = {}) => {
    bench = await openJobBench();
    const { ledger } = bench;
    let time = 0;
    const calls = { consultarRuc, consultarCedula: () => Promise.reject(new Error('nobody asked')) };
    const clock = { now: () => new Date(time) };
    const registry = registryNames(calls, {
      clock,
      log: silentLog,
      ledger,
      alerts: bench.deps.alerts,
      times: { ...defaultRegistryTimes, ...times },
    });
    const names = { of: (subject: typeof ruc) => registry.of(subject, asker) };
    return { names, advance: (ms: number) => (time += ms) };
  };

  it('waits no longer than it may, and keeps what came late', async () => {
    const answer = Promise.withResolvers<Awaited<ReturnType<LookUpCalls['consultarRuc']>>>();
    const { names } = await open(() => answer.promise, { wait: 10 });
    expect(await names.of(ruc)).toBeNull();
    answer.resolve(found('TARDE S.A.'));
    await answer.promise;
    expect(await names.of(ruc)).toBe('TARDE S.A.');
  });

  it('asks for the same number once a day', async () => {
    let count = 0;
    const { names, advance } = await open(async () => {
      count += 1;
      return found(`S.A. ${count}`);
    });
    expect([await names.of(ruc), await names.of(ruc)]).toEqual(['S.A. 1', 'S.A. 1']);
    advance(defaultRegistryTimes.keep);
    expect(await names.of(ruc)).toBe('S.A. 2');
  });

  it('leaves a registry that failed or costs more than there is in peace for a while', async () => {
    let count = 0;
    const { names, advance } = await open(async () => {
      count += 1;
      if (count === 1) throw new Error('broken');
      return count === 2 ? { kind: 'no-funds', mensaje: null } : found('AL FIN S.A.');
    });
    const rest = defaultRegistryTimes.rest;
    for (const expected of [1, 2]) {
      expect([await names.of(ruc), await names.of(ruc), count]).toEqual([null, null, expected]);
      advance(rest);
    }
    expect(await names.of(ruc)).toBe('AL FIN S.A.');
  });
});

function found(razonSocial: string): Awaited<ReturnType<LookUpCalls['consultarRuc']>> {
  const unknown = {
    nombreComercial: null,
    estado: null,
    tipoContribuyente: null,
    obligadoContabilidad: null,
  };
  const facts = { ruc: null, razonSocial, actividad: null, ...unknown };
  return { kind: 'found', facts, data: {}, cache: null, costo: null, gratisRestantes: null, aviso: null };
}
