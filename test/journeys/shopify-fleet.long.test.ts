import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Fleet, type FleetShop, openFleet } from '../support/shopify-fleet.ts';

/*
 * Webhooks of many shops, shuffled and repeated, through one process. FACTURAPUENTE_SHOPS=500 plays the whole size:
 * 20 webhooks of each shop, 10,000 in all.
 */
const size = Number(process.env.FACTURAPUENTE_SHOPS ?? 50);
const salesEach = 4;
const webhooksEach = 20;
const patience = 60_000 + size * 1_500;

interface Delivery {
  from: FleetShop;
  topic: string;
  orderId: string;
  webhookId: string;
  /** A body one shop signed, said to come from another: the header is not signed. */
  headerShop?: string;
}

/** Five of every order: three topics, one of them twice under its id, and one that claims to be another shop's. */
function deliveriesOf(fleet: Fleet): Delivery[] {
  return fleet.shops.flatMap((from, n) => {
    // Of the same app, so that its signature is good there.
    const other = sameApp(fleet, n)?.domain;
    return from.sales.flatMap(({ id: orderId }) => {
      const one = (topic: string, name = topic) => ({
        from,
        topic,
        orderId,
        webhookId: `${n}-${orderId}-${name}`,
      });
      const paid = one('orders/paid');
      const claimed = { ...one('orders/updated', 'claimed'), ...(other ? { headerShop: other } : {}) };
      return [paid, paid, one('orders/updated'), one('orders/edited'), claimed];
    });
  });
}

const sameApp = ({ shops }: Fleet, n: number): FleetShop | undefined =>
  shops.find(({ app }, at) => at > n && app === shops[n]?.app) ??
  shops.find(({ app }) => app === shops[n]?.app);

/** The same order for the same size. */
function shuffled<T>(list: readonly T[]): T[] {
  const result = [...list];
  let seed = 20_261_121;
  for (let at = result.length - 1; at > 0; at -= 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = seed % (at + 1);
    [result[at], result[other]] = [result[other] as T, result[at] as T];
  }
  return result;
}

describe(`webhooks of ${size} shops, shuffled and repeated`, { timeout: patience }, () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await openFleet(size, salesEach);
    await fleet.start();
  }, patience);
  afterAll(() => fleet?.close());

  it('are all accepted, and become one factura of each order', async () => {
    const all = shuffled(deliveriesOf(fleet));
    expect(all).toHaveLength(size * webhooksEach);
    const statuses = new Map<number, number>();
    const next = all.values();
    const start = performance.now();
    const send = async () => {
      for (const { from, ...delivery } of next) {
        const target = `${fleet.product.url}/webhooks/${from.app}`;
        const clientSecret = fleet.secretOf(from.app);
        const [answer] = await from.shop.deliver(target, { ...delivery, clientSecret });
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 16 }, send));
    const delivered = performance.now() - start;
    expect([...statuses]).toEqual([[200, all.length]]);
    const isWritten = ({ shop, sales }: FleetShop) => sales.every(({ id }) => shop.metafields(id).pdf);
    const isAllWritten = () => {
      const refused = fleet.shops.find(({ shop }) => shop.requests.some(({ authorized }) => !authorized));
      if (refused) throw new Error(`${refused.domain} was asked with a token that is not its own.`);
      return fleet.shops.every(isWritten);
    };
    await eventually(isAllWritten, 'every factura to stand on its order', patience);
    const whole = performance.now() - start;
    console.log(
      `${all.length} webhooks of ${size} shops taken in within ${(delivered / 1000).toFixed(1)} s, ${size * salesEach} facturas on their orders after ${(whole / 1000).toFixed(1)} s`,
    );
    const documents = fleet.product.sandbox.documents();
    expect(documents).toHaveLength(size * salesEach);
    expect(documents.every(({ estado }) => estado === 4)).toBe(true);
    expect(fleet.product.sandbox.audit()).toMatchObject({ duplicates: [] });
  });

  it('never meet another shop’s token, key, issuer or buyer', () => {
    const holders = new Map<unknown, string>();
    const byKey = Map.groupBy(fleet.product.sandbox.documents(), ({ apiKey }) => apiKey);
    for (const { shop, token, domain, apiKey, ruc, sales } of fleet.shops) {
      const calls = shop.requests.filter(
        ({ operation }) => !['access_token', 'authorize'].includes(operation),
      );
      expect(calls.filter(({ authorized }) => !authorized).length, domain).toBe(0);
      const tokens = new Set(calls.map(({ headers }) => headers['x-shopify-access-token']));
      if (token !== null) expect([...tokens]).toEqual([token]);
      for (const one of tokens) expect(holders.get(one), `the token of ${domain}`).toBeUndefined();
      for (const one of tokens) holders.set(one, domain);
      const facturas = (byKey.get(apiKey) ?? []).map((document) => ({
        ruc: document.ruc,
        cedula: document.tipo === '01' ? document.body.comprador.identificacion : null,
        total: Number(document.figures?.importeTotal).toFixed(2),
      }));
      const expected = sales.map(({ cedula, total }) => ({ ruc, cedula, total }));
      const sorted = (list: { total: string }[]) =>
        list.toSorted((a, b) => Number(a.total) - Number(b.total));
      expect(sorted(facturas), domain).toEqual(sorted(expected));
      for (const { id, total } of sales) {
        const { clave_acceso: key = '', numero } = shop.metafields(id);
        expect(key.slice(10, 23), domain).toBe(ruc);
        const stored = byKey.get(apiKey)?.find(({ claveacceso }) => claveacceso === key);
        expect([stored?.numero, Number(stored?.figures?.importeTotal).toFixed(2)]).toEqual([numero, total]);
      }
    }
  });

  it('and a webhook that one shop signed and another is said to send tells nothing of the first to the second', () => {
    for (const { shop, sales } of fleet.shops) {
      const written = JSON.stringify(sales.map(({ id }) => shop.metafields(id)));
      for (const { ruc, domain } of fleet.shops.slice(0, 20)) {
        const own = shop === fleet.shops.find((one) => one.domain === domain)?.shop;
        expect(written.includes(ruc)).toBe(own);
      }
    }
  });
});
