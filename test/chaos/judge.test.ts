import { describe, expect, it } from 'vitest';
import { type Evidence, gapsOf, gather } from '../../chaos/evidence.ts';
import { judge } from '../../chaos/judge.ts';
import type { TroubledShop } from '../../chaos/shop.ts';
import type { Sold } from '../../chaos/sold.ts';
import type { Document } from '../../src/core/document.ts';
import type { StoredDocument } from '../../src/sandbox/index.ts';

/** The audit must see what the product must never do: each fault is planted here, and found. */

const sold = (more: Partial<Sold> = {}): Sold => ({
  store: 0,
  platform: 'woocommerce',
  shop: 'http://127.0.0.1:4567',
  id: '12',
  total: '46.00',
  buyer: 'cedula',
  refunds: [],
  ...more,
});

let keys = 0;
/** What the service stores, as far as the audit looks. */
function stored(source: string, importeTotal: string, more: Partial<StoredDocument> = {}): StoredDocument {
  keys += 1;
  const secuencial = String(keys).padStart(9, '0');
  return {
    claveacceso: `clave-${keys}`,
    estado: 4,
    ruc: '1790012345001',
    tipo: '01',
    establecimiento: '001',
    puntoEmision: '001',
    secuencial,
    numero: `001-001-${secuencial}`,
    informacionAdicional: [{ nombre: 'Referencia', detalle: `woocommerce/127.0.0.1:4567/${source}` }],
    body: { comprador: { tipo_identificacion: '05' } },
    figures: { importeTotal },
    ...more,
  } as unknown as StoredDocument;
}

const ledgerRow = (more: Partial<Document>): Document =>
  ({
    platform: 'woocommerce',
    shop: 'http://127.0.0.1:4567',
    orderId: '12',
    kind: 'factura',
    sourceId: '12',
    ruc: '1790012345001',
    codDoc: '01',
    establecimiento: '001',
    puntoEmision: '001',
    secuencial: null,
    code: 'a-code',
    reason: 'Un motivo.',
    ...more,
  }) as unknown as Document;

/** The order says what it should, unless told otherwise. */
function findings(
  order: Sold,
  documents: readonly StoredDocument[],
  ledger: readonly Document[] = [],
  written?: Partial<ReturnType<TroubledShop['written']>>,
) {
  const [evidence] = gather([order], documents, ledger).orders as [Evidence];
  const right = {
    state: 'AUTORIZADO',
    accessKey: evidence.facturas[0]?.claveacceso ?? null,
    creditNotes: [...evidence.creditNotes.values()].flat().map(({ claveacceso }) => claveacceso),
  };
  const shop = { written: () => ({ ...right, ...written }) } as unknown as TroubledShop;
  return judge(evidence, shop).findings.map(({ fault }) => fault);
}

const refund = { id: '901', amount: '11.50' };

describe('one sale and its documents', () => {
  it('are in order: one factura over the total, one nota de crédito over the refund', () => {
    const both = [stored('factura/12/1', '46.00'), stored('nota-credito/901/1', '11.50')];
    expect(findings(sold({ refunds: [refund] }), both)).toEqual([]);
  });

  it('are in order when a refund came first and the factura is for the rest', () => {
    expect(findings(sold({ refunds: [refund] }), [stored('factura/12/1', '34.50')])).toEqual([]);
  });

  it('two facturas are a duplicate, whatever their ordinals', () => {
    const two = [stored('factura/12/1', '46.00'), stored('factura/12/2', '46.00')];
    expect(findings(sold(), two)).toEqual(['duplicate']);
  });

  it('two notas de crédito of one refund are a duplicate', () => {
    const note = () => stored('nota-credito/901/1', '11.50');
    expect(findings(sold({ refunds: [refund] }), [stored('factura/12/1', '46.00'), note(), note()])).toEqual([
      'duplicate',
    ]);
  });

  it('a sale nobody invoiced is lost, also while its document is on its way', () => {
    expect(findings(sold(), [])).toEqual(['lost']);
    expect(findings(sold(), [], [ledgerRow({ state: 'uncertain' })])).toEqual(['lost']);
    expect(findings(sold(), [stored('factura/12/1', '46.00', { estado: 6 })])).toEqual(['lost']);
  });

  it('a refund nobody credited is lost', () => {
    expect(findings(sold({ refunds: [refund] }), [stored('factura/12/1', '46.00')])).toEqual(['lost']);
  });

  it('a cent too much is a wrong total', () => {
    expect(findings(sold(), [stored('factura/12/1', '46.01')])).toEqual(['wrong-total']);
    const both = [stored('factura/12/1', '46.00'), stored('nota-credito/901/1', '11.51')];
    expect(findings(sold({ refunds: [refund] }), both)).toEqual(['wrong-total']);
  });

  it('netting and crediting the same refund is a wrong total', () => {
    const both = [stored('factura/12/1', '34.50'), stored('nota-credito/901/1', '11.50')];
    expect(findings(sold({ refunds: [refund] }), both)).toEqual(['wrong-total']);
  });

  it('a document held for a person is unexplained unless the sale was made to be held', () => {
    const held = [ledgerRow({ state: 'held' })];
    expect(findings(sold(), [], held)).toEqual(['unexplained']);
    expect(findings(sold({ buyer: 'unnamed' }), [], held)).toEqual([]);
  });

  it('a refund without a route is unexplained unless nobody in particular bought', () => {
    const manual = [ledgerRow({ kind: 'nota-credito', sourceId: '901', state: 'manual' })];
    const order = sold({ refunds: [refund] });
    expect(findings(order, [stored('factura/12/1', '46.00')], manual)).toEqual(['unexplained']);
    const body = { comprador: { tipo_identificacion: '07' } } as unknown as StoredDocument['body'];
    const toNobody = stored('factura/12/1', '46.00', { body } as Partial<StoredDocument>);
    expect(findings(order, [toNobody], manual)).toEqual([]);
  });

  it('another key on the order, or none, is not written back', () => {
    const factura = stored('factura/12/1', '46.00');
    expect(findings(sold(), [factura], [], { accessKey: 'clave-de-otro' })).toEqual(['not-written']);
    expect(findings(sold(), [factura], [], { accessKey: null, state: null })).toEqual(['not-written']);
  });
});

describe('series', () => {
  const seen = (...numbers: number[]) => ({
    documents: () =>
      numbers.map((one) => stored('factura/12/1', '1.00', { secuencial: String(one).padStart(9, '0') })),
  });

  it('a number nobody saw is a gap', () => {
    expect(gapsOf(seen(1, 3), [])).toHaveLength(1);
    expect(gapsOf(seen(1), [ledgerRow({ state: 'ready', secuencial: '000000002' })])).toHaveLength(1);
  });

  it('a number whose document was cancelled with a reason is explained', () => {
    expect(gapsOf(seen(1, 3), [ledgerRow({ state: 'cancelled', secuencial: '000000002' })])).toEqual([]);
    const silent = ledgerRow({ state: 'cancelled', secuencial: '000000002', reason: null });
    expect(gapsOf(seen(1, 3), [silent])).toHaveLength(1);
  });
});

it('an authorised document of no sale is a stranger', () => {
  expect(gather([sold()], [stored('factura/99/1', '1.00')], []).strangers).toHaveLength(1);
});
