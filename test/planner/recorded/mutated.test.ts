import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { buildOrder } from '../../../adapters/shopify/order.ts';
import { OrderAnswer } from '../../../adapters/shopify/queries.ts';
import { saleFromGraphql } from '../../../adapters/shopify/sale.ts';
import type { Connection } from '../../../adapters/shopify/settings.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { readJson, unreadable } from '../../../src/domain/loose.ts';
import type { Platform } from '../../../src/domain/platform.ts';
import { allBodies, looksLikeOrder } from '../../adapters/shopify/payloads.ts';
import { recordedWebhooks } from '../../adapters/woocommerce/recordings.ts';
import { sampled } from '../../support/chance.ts';
import { seeded } from '../../support/seeded.ts';
import { hasShared } from '../../support/shared.ts';
import { mutationsOf, ofOrder, ofRefunds, planned, type Reading, wrongOf } from './mutate.ts';

const golden = (name: string, file = 'platform'): unknown =>
  JSON.parse(readFileSync(new URL(`../../golden/${name}/${file}.json`, import.meta.url), 'utf8'));

function wrongIn(read: Reading, body: unknown): string[] {
  const base = read(body);
  return sampled(mutationsOf(body), 5).flatMap((mutation) => wrongOf(read, base, mutation) ?? []);
}

describe('one field of an order written in another way is read right or named', () => {
  test.each([
    'woocommerce-cupon-tres-tarifas',
    'woocommerce-envios-mixtos',
    'woocommerce-recargo',
    'woocommerce-variantes',
    'woocommerce-pago-con-monedero',
  ])('%s', (name) => {
    expect(wrongIn(ofOrder(woocommerce), golden(name))).toEqual([]);
  });

  test.each([
    'shopify-reembolso-antes-de-facturar',
    'shopify-varios-pagos',
    'shopify-aranceles-como-linea',
    'shopify-pedido-editado',
    'shopify-precios-con-iva',
    'shopify-variantes',
    'shopify-mostrado-en-euros',
  ])('%s', (name) => {
    expect(wrongIn(ofOrder(shopify), golden(name))).toEqual([]);
  });
});

describe('one field of an answer of Shopify’s API written in another way is read right or named', () => {
  const read: Reading = (data) => {
    const answer = OrderAnswer.safeParse(data);
    if (!answer.success) {
      const problem = unreadable(data, answer.error);
      throw new PayloadError('shop-answer', { message: problem });
    }
    const { order: found } = answer.data;
    if (found === null) throw new PayloadError('gone', { message: '«order»' });
    const order = buildOrder(
      saleFromGraphql(found, found.lineItems.nodes, []),
      shopify.demoConnection() as Connection,
    );
    return planned(order);
  };
  test('shopify-por-graphql', () => {
    // Its schema says of each field what it is: what is something else is refused, and named.
    const wrong = wrongIn(read, (golden('shopify-por-graphql') as { data: unknown }).data);
    expect(wrong.filter((one) => !/^(\S+) (text|number): is refused: «\1»/.test(one))).toEqual([]);
  });
});

describe('one field of a refund written in another way is read right or named', () => {
  test.each([
    ['woocommerce-reembolso-por-unidades', woocommerce],
    ['woocommerce-reembolso-solo-envio', woocommerce],
    ['woocommerce-reembolsos-varios-y-el-resto', woocommerce],
    ['shopify-reembolso-precios-con-iva', shopify],
    ['shopify-reembolso-con-cargo-por-devolucion', shopify],
    ['shopify-reembolso-en-camino', shopify],
  ])('%s', (name, platform) => {
    expect(wrongIn(ofRefunds(platform, golden(name)), golden(name, 'refunds'))).toEqual([]);
  });
});

/** So many fields of recorded bodies in one run; which ones, the seed says. */
const runs = 1_500;

describe.skipIf(!hasShared)(
  'one field of a recorded body written in another way is read right or named',
  () => {
    const sent: [string, Platform, () => unknown[]][] = [
      [
        'WooCommerce',
        woocommerce,
        () =>
          recordedWebhooks().flatMap(({ text }) => (text.includes('"line_items"') ? [readJson(text)] : [])),
      ],
      [
        'Shopify',
        shopify,
        () =>
          allBodies().flatMap(({ body }) =>
            looksLikeOrder(body) ? [(body as { order?: unknown }).order ?? body] : [],
          ),
      ],
    ];
    test.each(sent)('%s', (_name, platform, bodies) => {
      const read = ofOrder(platform);
      const all = bodies();
      const { next } = seeded(11);
      const pick = <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T;
      const wrong = Array.from({ length: runs / 10 }, () => pick(all)).flatMap((body) => {
        const [base, mutations] = [read(body), mutationsOf(body)];
        return Array.from({ length: 10 }, () => wrongOf(read, base, pick(mutations)) ?? []).flat();
      });
      expect(wrong).toEqual([]);
    });
  },
);
