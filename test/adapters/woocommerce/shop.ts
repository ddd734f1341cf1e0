import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import {
  openWooCommerceShop,
  type ShopOptions,
  type WooCommerceShop,
} from '../../../sandbox/shops/woocommerce-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { ShopError } from '../../../src/domain/errors.ts';
import type { Shop, WrittenDocument } from '../../../src/domain/platform.ts';
import { silentLog } from '../../../src/domain/ports.ts';

export const keys = {
  consumerKey: `ck_${'a1'.repeat(20)}`,
  consumerSecret: `cs_${'b2'.repeat(20)}`,
};
/** What the shop's clock says; also the adapter's. */
export const clock = { now: () => new Date('2026-11-20T15:00:00Z') };

/** A stand-in with one order, and the adapter's view of it; both end with the test. */
export async function openBoth(
  changes: Record<string, unknown> = {},
  stock: Partial<Pick<ShopOptions, 'orders' | 'products' | 'variations'>> = {},
): Promise<{ stand: WooCommerceShop; shop: Shop; another: () => Shop }> {
  const stand = await openWooCommerceShop({ orders: [paidOrder()], ...stock, ...keys, clock });
  onTestFinished(() => stand.close());
  const another = () => openAdapter({ url: stand.url, ...changes });
  return { stand, shop: another(), another };
}

export function openAdapter(changes: Record<string, unknown>): Shop {
  const connection = connectionSchema.parse({ webhookSecrets: ['secret'], ...keys, ...changes });
  const context = {
    clock,
    log: silentLog,
    userAgent: 'facturapuente/0.1.0',
    outbound: openOutbound(),
    credentials: memoryCredentials(),
  };
  const shop = woocommerce.openShop({ connection, app: null }, context);
  if (shop === null) throw new Error('The store was opened without API access.');
  return shop;
}

/** The ShopError a call ends with; fails where it holds a key or a secret anywhere, causes included. */
export async function shopError(call: Promise<unknown>): Promise<ShopError> {
  const thrown = await call.then(
    () => new Error('The call did not fail.'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof ShopError)) throw thrown;
  const everything = `${inspect(thrown, { depth: 20, showHidden: true })} ${JSON.stringify(thrown)} ${thrown.stack}`;
  for (const secret of [
    ...Object.values(keys),
    'oauth_signature',
    Buffer.from(keys.consumerKey).toString('base64'),
  ]) {
    if (everything.includes(secret)) throw new Error('The error holds a secret.');
  }
  return thrown;
}

/** A paid order as wc/v3 gives it. */
export function paidOrder(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 29,
    number: '29',
    status: 'processing',
    currency: 'USD',
    date_created_gmt: '2026-11-20T10:07:23',
    date_modified_gmt: '2026-11-20T10:07:23',
    date_paid_gmt: '2026-11-20T10:07:23',
    total: '11.50',
    total_tax: '1.50',
    billing: { first_name: 'Carlos', last_name: 'Andrade Muñoz', country: 'EC' },
    payment_method: 'bacs',
    payment_method_title: 'Transferencia bancaria',
    meta_data: [{ id: 5, key: '_billing_cedula', value: '1710034065' }],
    line_items: [
      {
        id: 1,
        name: 'Camiseta algodón',
        quantity: 1,
        tax_class: '',
        subtotal: '10.00',
        total: '10.00',
        total_tax: '1.50',
        taxes: [{ id: 1, total: '1.50', subtotal: '1.50' }],
        meta_data: [],
        sku: 'CAM-001',
      },
    ],
    tax_lines: [{ id: 3, rate_id: 1, label: 'IVA 15%', rate_percent: 15 }],
    shipping_lines: [],
    fee_lines: [],
    refunds: [],
    ...changes,
  };
}

/** A factura that waits for a person, as it is written back. */
export const heldFactura: WrittenDocument = {
  kind: 'factura',
  sourceId: '29',
  state: 'held',
  number: null,
  accessKey: null,
  authorizedAt: null,
  pdfUrl: null,
  xmlUrl: null,
  reason: 'Falta la cédula o el RUC del comprador & su nombre.',
};
