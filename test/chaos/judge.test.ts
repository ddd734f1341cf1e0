import { describe, expect, it } from 'vitest';
import { type Evidence, gapsOf, gather } from '../../chaos/evidence.ts';
import { judge } from '../../chaos/judge.ts';
import { isReported } from '../../chaos/reported.ts';
import type { TroubledShop } from '../../chaos/shop.ts';
import type { Sold } from '../../chaos/sold.ts';
import type { StoredDocument } from '../../sandbox/emulator/index.ts';
import type { OpenAlert } from '../../src/domain/alerts.ts';
import type { Document } from '../../src/domain/document.ts';

/** The audit must see what the product must never do: each fault is planted here, and found. */

const saleTo = (kind: Sold['sale']['buyer']['kind']) => ({ buyer: { kind } }) as Sold['sale'];

const sold = (more: Partial<Sold> = {}): Sold => ({
  ...{ number: 7, store: 0, storeId: 'tienda-1', platform: 'woocommerce', id: '12', name: '12' },
  ...{ ruc: '1790012345001', puntoEmision: '001' },
  placedAt: new Date('2026-11-20T15:00:00Z'),
  total: '46.00',
  sale: saleTo('cedula'),
  refunds: [],
  marks: new Set(),
  ...more,
});

let keys = 0;
/** What the service stores, as far as the audit looks: a factura of sale 7, or a nota de crédito about it. */
function stored(source: string, importeTotal: string, more: Partial<StoredDocument> = {}): StoredDocument {
  keys += 1;
  const secuencial = String(keys).padStart(9, '0');
  const body = { comprador: { tipo_identificacion: '05' }, items: [{ codigo_principal: 'V7-1' }] };
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
    body,
    figures: { importeTotal },
    ...more,
  } as unknown as StoredDocument;
}

const ledgerRow = (more: Partial<Document>): Document =>
  ({
    platform: 'woocommerce',
    shop: 'http://127.0.0.1:4567',
    storeId: 'tienda-1',
    accessKey: null,
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

const creditOf = (factura: StoredDocument, refundId: string, total: string): StoredDocument => {
  const body = { items: [], documento_modificado: { numero_documento_sustento: factura.numero } };
  return stored(`nota-credito/${refundId}/1`, total, { tipo: '04', body } as unknown as StoredDocument);
};

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

const refund = { id: '901', amount: '11.50', vanished: false };

describe('one sale and its documents', () => {
  it('are in order: one factura over the total, one nota de crédito over the refund', () => {
    const factura = stored('factura/12/1', '46.00');
    expect(findings(sold({ refunds: [refund] }), [factura, creditOf(factura, '901', '11.50')])).toEqual([]);
  });

  it('are in order when a refund came first and the factura is for the rest', () => {
    expect(findings(sold({ refunds: [refund] }), [stored('factura/12/1', '34.50')])).toEqual([]);
  });

  it('two facturas are a duplicate, whatever their ordinals', () => {
    const two = [stored('factura/12/1', '46.00'), stored('factura/12/2', '46.00')];
    expect(findings(sold(), two)).toEqual(['duplicate']);
  });

  it('two notas de crédito of one refund are a duplicate', () => {
    const factura = stored('factura/12/1', '46.00');
    const note = () => creditOf(factura, '901', '11.50');
    expect(findings(sold({ refunds: [refund] }), [factura, note(), note()])).toEqual(['duplicate']);
  });

  it('a sale nobody invoiced is lost, also while its document is on its way', () => {
    expect(findings(sold(), [])).toEqual(['lost']);
    expect(findings(sold(), [], [ledgerRow({ state: 'uncertain' })])).toEqual(['lost']);
    expect(findings(sold(), [stored('factura/12/1', '46.00', { estado: 6 })])).toEqual(['lost']);
  });

  it('a nota de crédito of what has no code, shipping alone, belongs to its factura', () => {
    const body = { comprador: { tipo_identificacion: '05' }, items: [{ codigo_principal: 'ENVIO' }] };
    const factura = stored('factura/12/1', '34.50', { body } as unknown as StoredDocument);
    const shipping = { id: '902', amount: '34.50', vanished: false };
    const both = [factura, creditOf(factura, '902', '34.50')];
    expect(findings(sold({ refunds: [refund, shipping] }), both)).toEqual([]);
  });

  it('a refund nobody credited is lost', () => {
    expect(findings(sold({ refunds: [refund] }), [stored('factura/12/1', '46.00')])).toEqual(['lost']);
  });

  it('a cent too much is a wrong total', () => {
    expect(findings(sold(), [stored('factura/12/1', '46.01')])).toEqual(['wrong-total']);
    const factura = stored('factura/12/1', '46.00');
    const both = [factura, creditOf(factura, '901', '11.51')];
    expect(findings(sold({ refunds: [refund] }), both)).toEqual(['wrong-total']);
  });

  it('the total of an order edited since is for a person where the ledger that knew the first one was put back', () => {
    const edited = sold({ marks: new Set(['edited', 'old-ledger']) });
    expect(findings(edited, [stored('factura/12/1', '40.00')])).toEqual([]);
    expect(findings(sold({ marks: new Set(['edited']) }), [stored('factura/12/1', '40.00')])).toEqual([
      'wrong-total',
    ]);
  });

  it('a nota de crédito that waits for a person after an older ledger is no fault of its order', () => {
    const factura = stored('factura/12/1', '46.00');
    const both = [factura, creditOf(factura, '901', '11.50')];
    const bound = ledgerRow({ kind: 'nota-credito', sourceId: '901', state: 'manual' });
    const order = (marks: Sold['marks']) => sold({ refunds: [refund], marks });
    expect(findings(order(new Set(['old-ledger'])), both, [bound], { creditNotes: [] })).toEqual([]);
    expect(findings(order(new Set()), both, [bound], { creditNotes: [] })).toEqual(['not-written']);
  });

  it('netting and crediting the same refund is a wrong total', () => {
    const factura = stored('factura/12/1', '34.50');
    const both = [factura, creditOf(factura, '901', '11.50')];
    expect(findings(sold({ refunds: [refund] }), both)).toEqual(['wrong-total']);
  });

  it('a document held for a person is unexplained unless the sale was made to be held', () => {
    const held = [ledgerRow({ state: 'held' })];
    expect(findings(sold(), [], held)).toEqual(['unexplained']);
    expect(findings(sold({ sale: saleTo('unnamed') }), [], held)).toEqual([]);
  });

  it('a refund without a route is unexplained unless nobody in particular bought', () => {
    const manual = [ledgerRow({ kind: 'nota-credito', sourceId: '901', state: 'manual' })];
    const order = sold({ refunds: [refund] });
    expect(findings(order, [stored('factura/12/1', '46.00')], manual)).toEqual(['unexplained']);
    const body = { comprador: { tipo_identificacion: '07' }, items: [] } as unknown as StoredDocument['body'];
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

  it.each(['cancelled', 'rejected'] as const)(
    'a number whose document is %s with a reason is explained',
    (state) => {
      expect(gapsOf(seen(1, 3), [ledgerRow({ state, secuencial: '000000002' })])).toEqual([]);
      const silent = ledgerRow({ state, secuencial: '000000002', reason: null });
      expect(gapsOf(seen(1, 3), [silent])).toHaveLength(1);
    },
  );
});

it('an authorised document of no sale is a stranger', () => {
  const body = { items: [{ codigo_principal: 'V99-1' }] } as unknown as StoredDocument['body'];
  const stranger = stored('factura/12/1', '1.00', { body } as Partial<StoredDocument>);
  expect(gather([sold()], [stranger], []).strangers).toEqual([stranger]);
});

describe('an order id that was given again', () => {
  const before = sold({ marks: new Set(['vanished']) });
  const after = sold({ number: 8, total: '30.00', marks: new Set(['id-again']) });
  const body = {
    comprador: { tipo_identificacion: '05' },
    items: [{ codigo_principal: 'V8-1' }],
  } as unknown as StoredDocument['body'];
  const firstOnes = () => stored('factura/12/1', '46.00');
  const secondOnes = () => stored('factura/12/2', '30.00', { body } as Partial<StoredDocument>);

  it('means two sales, each with its own documents by what they sell', () => {
    const documents = [firstOnes(), secondOnes()];
    const { orders, strangers } = gather([before, after], documents, []);
    expect(orders.map(({ facturas }) => facturas)).toEqual(documents.map((one) => [one]));
    expect(strangers).toEqual([]);
  });

  it('a nota de crédito for the one about a factura of the other is of no sale', () => {
    const factura = firstOnes();
    const wrong = creditOf(factura, '901', '11.50');
    const refunded = { ...after, refunds: [refund] };
    expect(gather([before, refunded], [factura, secondOnes(), wrong], []).strangers).toEqual([wrong]);
  });

  it('and a factura over shipping alone is told by its order, in the series of its shop', () => {
    const body = { comprador: {}, items: [{ codigo_principal: 'ENVIO' }] } as unknown;
    const shipping = stored('factura/12/1', '46.00', { body } as Partial<StoredDocument>);
    const other = sold({ number: 9, store: 5, puntoEmision: '002' });
    const { orders, strangers } = gather([sold(), other], [shipping], []);
    expect(orders.map(({ facturas }) => facturas)).toEqual([[shipping], []]);
    expect(strangers).toEqual([]);
  });

  it('a sale its shop forgot needs no factura', () => {
    expect(findings(before, [])).toEqual([]);
  });
});

describe('what a disaster leaves to a person', () => {
  const unreadable = sold({ marks: new Set(['unreadable']) });
  const alert = (what: string): OpenAlert => ({
    ...{ code: 'job-failing', subject: 'x', what, resolution: '', since: '' },
  });

  it('is no loss, and is for a person', () => {
    const [evidence] = gather([unreadable], [], []).orders as [Evidence];
    expect(judge(evidence, {} as TroubledShop)).toMatchObject({
      findings: [],
      forPerson: ['nobody knows of it'],
    });
    expect(isReported(evidence, [])).toBe(false);
  });

  it('is told by an alert that names the order, or by a document held with a reason', () => {
    const [evidence] = gather([unreadable], [], []).orders as [Evidence];
    expect(isReported(evidence, [alert('El pedido #12 no se puede leer.')])).toBe(true);
    expect(isReported(evidence, [alert('Hay 12 documentos detenidos; el pedido #123 no.')])).toBe(false);
    const held = gather([unreadable], [], [ledgerRow({ state: 'held' })]).orders as [Evidence];
    expect(isReported(held[0], [])).toBe(true);
  });

  it('a factura that an older ledger cannot vouch for waits too, as long as its key stays on the order or its reason names it', () => {
    const forgotten = sold({ marks: new Set(['old-ledger']) });
    const factura = stored('factura/12/1', '46.00');
    const manual = [ledgerRow({ state: 'manual' })];
    expect(findings(forgotten, [factura], manual, { state: 'REVISIÓN MANUAL' })).toEqual([]);
    expect(findings(sold(), [factura], manual, { state: 'REVISIÓN MANUAL' })).toEqual(['not-written']);
    expect(findings(forgotten, [factura], manual, { accessKey: null })).toEqual(['not-written']);
    const named = [ledgerRow({ state: 'manual', reason: `El servicio tiene ${factura.claveacceso}.` })];
    expect(findings(forgotten, [factura], named, { accessKey: null })).toEqual([]);
  });

  it('never excuses a second factura or a wrong total', () => {
    expect(findings(unreadable, [stored('factura/12/1', '46.01')])).toEqual(['wrong-total']);
    const two = [stored('factura/12/1', '46.00'), stored('factura/12/2', '46.00')];
    expect(findings(unreadable, two)).toEqual(['duplicate']);
  });
});
