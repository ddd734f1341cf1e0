import { describe, expect, test } from 'vitest';
import { ShopError } from '../../../src/domain/errors.ts';
import type { WrittenDocument } from '../../../src/domain/platform.ts';
import { plainOrder } from './plain-order.ts';
import { openPair } from './shop.ts';

const key = '2011202601179001234500110010010000001231234567813';

const authorized: WrittenDocument = {
  kind: 'factura',
  sourceId: '1001',
  state: 'authorized',
  number: '001-001-000000123',
  accessKey: key,
  authorizedAt: '2026-11-20T14:20:00.123Z',
  pdfUrl: 'https://facturas.example.com/d/abc.pdf',
  xmlUrl: 'https://facturas.example.com/d/abc.xml',
  reason: null,
};
const held: WrittenDocument = {
  kind: 'factura',
  sourceId: '1001',
  state: 'held',
  number: null,
  accessKey: null,
  authorizedAt: null,
  pdfUrl: null,
  xmlUrl: null,
  reason: 'Falta la cédula o el RUC del comprador.',
};

const openWith = () => openPair({ orders: [plainOrder({ tags: 'vip', note: 'dejar en portería' })] });
const mutations = (shop: { requests: readonly { query: string; operation: string }[] }) =>
  shop.requests.filter(({ query }) => query.startsWith('mutation')).map(({ operation }) => operation);

describe('writing back', () => {
  test('puts access key, number, state and links on the order, and a tag beside the others', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', [authorized]);
    expect(shop.metafields(1001)).toEqual({
      estado: 'AUTORIZADO',
      numero: '001-001-000000123',
      clave_acceso: key,
      pdf: 'https://facturas.example.com/d/abc.pdf',
      xml: 'https://facturas.example.com/d/abc.xml',
      autorizado_en: '2026-11-20T14:20:00+00:00',
    });
    expect(shop.tags(1001)).toEqual(['vip', 'factura-autorizada']);
  });

  test('twice writes once', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', [authorized, { ...authorized, kind: 'nota-credito' }]);
    const before = mutations(shop).length;
    await client.writeBack('1001', [authorized, { ...authorized, kind: 'nota-credito' }]);
    expect(mutations(shop)).toHaveLength(before);
  });

  test('an authorised factura takes the hold and its reason away', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', [held]);
    expect(shop.metafields(1001)).toEqual({ estado: 'RETENIDO', motivo: held.reason });
    expect(shop.tags(1001)).toEqual(['vip', 'factura-retenida']);
    await client.writeBack('1001', [authorized]);
    expect(shop.metafields(1001)).not.toHaveProperty('motivo');
    expect(shop.tags(1001)).toEqual(['vip', 'factura-autorizada']);
  });

  test('a held factura’s reason carries the link for its buyer', async () => {
    const { client, shop } = await openWith();
    const identificationUrl = 'https://facturas.example.com/identificacion/abc.def';
    await client.writeBack('1001', [{ ...held, identificationUrl }]);
    expect(shop.metafields(1001).motivo).toBe(
      `${held.reason}\nEnlace para que el comprador escriba su identificación: ${identificationUrl}`,
    );
  });

  test('the order then carries our access keys, those of its notas de crédito too', async () => {
    const { client } = await openWith();
    const note = { ...authorized, kind: 'nota-credito' as const, accessKey: key.replace(/^20/, '21') };
    await client.writeBack('1001', [authorized, note]);
    expect((await client.fetchOrder('1001'))?.accessKeys).toEqual([key, note.accessKey]);
  });

  test('a cancelled factura does not hide the one that counts', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', [authorized, { ...held, state: 'cancelled' }]);
    expect(shop.metafields(1001).clave_acceso).toBe(key);
  });

  test('never touches address, note or attributes', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', [authorized]);
    expect([...new Set(mutations(shop))]).toEqual([
      'FacturapuenteDefine',
      'FacturapuenteSet',
      'FacturapuenteTag',
    ]);
  });

  test('nothing to write asks nothing of the shop', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', []);
    expect(shop.requests).toHaveLength(0);
  });

  test('a refused value is an error although Shopify answers 200', async () => {
    const { client } = await openWith();
    const job = client.writeBack('1001', [{ ...authorized, pdfUrl: 'not a link' }]);
    await expect(job).rejects.toThrow(/shopify|INVALID_VALUE/i);
    await expect(job).rejects.toBeInstanceOf(ShopError);
  });

  test('a refund without a legal route stands in the list, its reason beside it, and the tag calls somebody', async () => {
    const { client, shop } = await openWith();
    const manual = {
      ...held,
      kind: 'nota-credito' as const,
      sourceId: '77',
      state: 'manual' as const,
      reason: 'La factura es de consumidor final.',
    };
    await client.writeBack('1001', [authorized, manual]);
    expect(shop.metafields(1001).estado).toBe('AUTORIZADO');
    expect(JSON.parse(shop.metafields(1001).notas_credito ?? '')).toEqual([
      { reembolso: '77', estado: 'REVISIÓN MANUAL' },
    ]);
    expect(shop.metafields(1001).motivo).toBe(`Reembolso 77: ${manual.reason}`);
    expect(shop.tags(1001)).toEqual(['vip', 'factura-autorizada', 'factura-retenida']);
    await client.writeBack('1001', [authorized, { ...manual, state: 'cancelled', reason: null }]);
    expect(shop.metafields(1001).notas_credito).toBe('[]');
    expect(shop.metafields(1001)).not.toHaveProperty('motivo');
    expect(shop.tags(1001)).toEqual(['vip', 'factura-autorizada']);
  });

  test('what an edit sold after the factura stands beside it with the tag, until it is undone', async () => {
    const { client, shop } = await openWith();
    const later = { ...held, state: 'manual' as const, reason: 'El pedido cobró 11.50 más.' };
    await client.writeBack('1001', [later, authorized]);
    expect(shop.metafields(1001)).toMatchObject({ estado: 'AUTORIZADO', numero: authorized.number });
    expect(shop.metafields(1001).motivo).toBe(later.reason);
    expect(shop.tags(1001)).toEqual(['vip', 'factura-autorizada', 'factura-retenida']);
    await client.writeBack('1001', [authorized]);
    expect(shop.metafields(1001)).not.toHaveProperty('motivo');
    expect(shop.tags(1001)).toEqual(['vip', 'factura-autorizada']);
  });

  test('an order that is gone is left alone', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('404', [held]);
    expect(mutations(shop).filter((name) => name !== 'FacturapuenteDefine')).toEqual([]);
  });

  test('a document on its way, or dropped before anyone heard of it, is no news', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', [{ ...held, state: 'processing' }]);
    await client.writeBack('1001', [{ ...held, state: 'cancelled' }]);
    expect(shop.metafields(1001)).toEqual({});
    expect(shop.tags(1001)).toEqual(['vip']);
  });

  test('a factura written as held and then dropped says so', async () => {
    const { client, shop } = await openWith();
    await client.writeBack('1001', [held]);
    await client.writeBack('1001', [{ ...held, state: 'cancelled', reason: null }]);
    expect(shop.metafields(1001)).toEqual({ estado: 'DESCARTADO' });
    expect(shop.tags(1001)).toEqual(['vip']);
  });
});
