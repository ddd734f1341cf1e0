import { fingerprintOf, type Refund } from '../../../src/domain/order.ts';
import { bodyWithoutBuyer } from '../../../src/domain/privacy.ts';
import type { PlannedDocument } from '../../../src/planner/action.ts';
import { authorized, credited } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import * as records from '../refunds/record-shapes.ts';
import { part, refund, sale, shirt, storeWith } from '../refunds/shapes.ts';
import { type Advised, accepted, advised, byHand, gone, inPolicy, inShop } from './following.ts';

/** Refunds that become no nota de crédito by themselves, and what becomes of them when each advice is followed. */

const day = (of: number): string => `2026-11-${of}T10:00:00Z`;
const factura = authorized(sale);
/** `sale` is invoiced, and something comes back. */
const refunded = (...refunds: Refund[]) => ({ order: { ...sale, refunds }, documents: [factura] });
const recorded = (...refunds: Refund[]) => ({ refunds });
const shirtOnly = refund('11.50', [], { id: '1', at: day(20) });
const prorate = { creditNotes: { amountOnly: 'prorate' } };
/** As the shop records units that came back without money. */
const shirtBack = refund('0.00', [part('line:1', '0.00', '0.00')], { id: '2', at: day(20) });
const shirtOf = (id: string) => refund('11.50', [shirt], { id, at: day(20) });
const fingerprint = fingerprintOf(sale);
/** The nota de crédito of another order's refund, and ours that waits. */
const ofOther: PlannedDocument = {
  ...credited(sale, shirtOf('1'), [factura]),
  ...{ orderId: 'x', orderName: '#7', fingerprint },
};
const waiting: PlannedDocument = {
  ...{ kind: 'nota-credito', state: 'held', sourceId: '1', accessKey: null, secuencial: null, sent: null },
  ...{ code: 'refund-id-reused', reason: '', charged: '11.50' },
};
const third = order({
  lines: [line({ id: '1', quantity: '3', subtotal: '8.70', net: '8.70', tax: '1.30' })],
});
const cards = { giftCardsSold: { as: 'exclude' } } as const;
const card = line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });
const withCard = order({
  lines: [line(), line({ id: '2', name: 'Libro', price: '20.00', rate: '0' }), card],
});
const withoutCard = authorized(withCard, {}, storeWith(cards));
/** Two records of lines that are worth the same, of other rates, and the money of one of them. */
const rivals = [
  records.linesOnly('1', [part('line:1', '57.50', '0.00'), part('line:2', '50.00', '7.50', '0')]),
  records.linesOnly('2', [records.shirt]),
  records.moneyOnly('3', '115.00', records.day(21, 12)),
];
const linesOf = (id: string, ...parts: Refund['parts'] & object) =>
  refund('0.00', parts, { id, at: day(20) });
const book = part('line:2', '8.00', '0.00');

const amounts: Advised[] = [
  advised(
    'refund-without-lines',
    refunded(shirtOnly),
    inShop(
      'Registre en la tienda las unidades que volvieron en otro reembolso, con monto 0.00, si valen esa misma suma',
      () => recorded(shirtOnly, shirtBack),
      'emit refunded',
    ),
    inPolicy('decida en policy.creditNotes.amountOnly', prorate, 'emit refunded'),
    byHand('emita el documento a mano'),
  ),
  advised(
    'refund-without-lines: on Shopify',
    { order: { ...sale, platform: 'shopify', refunds: [shirtOnly] }, documents: [factura] },
    inShop(
      'Registre en la tienda las líneas que volvieron, con un reembolso sin dinero por esa misma suma',
      () => recorded(shirtOnly, linesOf('2', shirt)),
      'emit refunded',
    ),
    inPolicy('decida en policy.creditNotes.amountOnly', prorate, 'emit refunded'),
    byHand('emita el documento a mano'),
  ),
  advised(
    'refund-without-lines: more than its lines',
    refunded(refund('15.00', [shirt], { discrepancy: '3.50' })),
    inPolicy('Decida en policy.creditNotes.amountOnly', prorate, 'emit refunded'),
    byHand('emita el documento a mano'),
  ),
  advised(
    'refund-without-lines: that two records may be for',
    { order: { ...records.sale, refunds: rivals }, documents: [records.factura] },
    inShop(
      'Elimine en la tienda los que no correspondan',
      () => ({ refunds: rivals.slice(1) }),
      'emit refunded',
    ),
    byHand('emita el documento a mano'),
  ),
  advised(
    'refund-without-lines: that two records may be for, on Shopify',
    { order: { ...records.sale, platform: 'shopify', refunds: rivals }, documents: [records.factura] },
    inShop(
      'Registre en la tienda también el dinero de los otros, cuando vuelva',
      ({ refunds }) => ({ refunds: [...refunds, records.moneyOnly('4', '115.00', records.day(21, 13))] }),
      'emit refunded',
    ),
    byHand('emita el documento a mano'),
  ),
  advised(
    'refund-detail-missing',
    refunded(refund('5.00', null)),
    inShop(
      'Configure el acceso a la API de la tienda para leer el detalle',
      () => recorded(refund('5.00', [part('line:2', '5.00', '0.00', '0')])),
      'emit refunded',
    ),
    byHand('emita el documento a mano'),
  ),
  advised(
    'refund-contradiction',
    refunded(refund(null, [shirt])),
    inShop('Revise el reembolso en la tienda', () => recorded(refund('11.50', [shirt])), 'emit refunded'),
    byHand('emita la nota de crédito a mano'),
  ),
  advised(
    'refund-contradiction',
    refunded(refund('5.00', [shirt])),
    inShop('Corrija el reembolso en la tienda', () => recorded(refund('11.50', [shirt])), 'emit refunded'),
    byHand('emita la nota de crédito a mano'),
  ),
  advised(
    'refund-contradiction: more of a rate than was sold',
    refunded(
      refund('8.00', [book], { id: '1', at: day(19) }),
      refund('8.00', [book], { id: '2', at: day(20) }),
    ),
    inShop(
      'Corrija en la tienda las líneas de los reembolsos de este pedido',
      () =>
        recorded(
          refund('8.00', [book], { id: '1', at: day(19) }),
          refund('8.00', [part('line:1', '6.96', '1.04', '0')], { id: '2', at: day(20) }),
        ),
      'emit refunded',
    ),
    byHand('emita la nota de crédito a mano'),
  ),
  advised(
    'refund-id-reused',
    { ...refunded(shirtOf('1')), documents: [factura, ofOther] },
    accepted(
      'Si es otra devolución, acéptelo con «facturapuente accept» y el id de este documento',
      { documents: [factura, ofOther, { ...waiting, fingerprint: { ...fingerprint, accepted: true } }] },
      'emit refunded',
    ),
    byHand('emita la nota de crédito a mano'),
  ),
  advised(
    'credit-rounding',
    {
      order: { ...third, refunds: [refund('3.33', [part('line:1', '2.90', '0.43')])] },
      documents: [authorized(third)],
      policy: { creditNotes: { roundingDifference: 'hold' } },
    },
    byHand('Emita la nota de crédito a mano'),
    inPolicy(
      'permita en policy.creditNotes.roundingDifference que salga con un centavo de diferencia',
      { creditNotes: { roundingDifference: 'nearest' } },
      'emit refunded',
    ),
  ),
  advised(
    'refund-without-lines',
    { order: { ...withCard, refunds: [refund('11.50', [])] }, documents: [withoutCard], policy: cards },
    inShop(
      'Registre en la tienda las unidades que volvieron en otro reembolso, con monto 0.00, si valen esa misma suma',
      () => ({
        refunds: [refund('11.50', []), refund('0.00', [part('line:1', '0.00', '0.00')], { id: '49' })],
      }),
      'emit refunded',
    ),
    byHand('emita el documento a mano'),
  ),
  advised(
    'refund-wallet',
    {
      order: {
        ...sale,
        payments: [{ gateway: 'wallet', title: 'Monedero', amount: '7.50', apart: true }],
        refunds: [refund('40.00', [])],
      },
      documents: [factura],
    },
    byHand('Emita a mano el documento'),
  ),
];

const shirtBack11 = refund('11.50', [shirt]);
const final = order({ buyer: { ...sale.buyer, ids: [] } });
const { sent } = factura;
const { comprador } = JSON.parse(bodyWithoutBuyer(JSON.stringify(sent)));
const grown = order({
  lines: [...sale.lines, line({ id: '5', name: 'Gorra', price: '20.00' })],
  charges: sale.charges,
});
const capBack = refund('23.00', [part('line:5', '20.00', '3.00')]);
const cut = order({ lines: sale.lines });
const inTwo = (): PlannedDocument[] => [factura, credited(sale, shirtBack11, [factura])];

/** What no program does: the sentence must say it whole, and nothing changes here until it is settled. */
const outside: Advised[] = [
  advised(
    'final-consumer',
    { order: { ...final, refunds: [shirtBack11] }, documents: [authorized(final)] },
    byHand('Registre la devolución de 11.50 del reembolso 48 con su contador'),
    byHand('pida la cédula o el RUC en las próximas ventas'),
  ),
  advised(
    'over-credit',
    refunded(refund('47.51')),
    byHand('Emita a mano una nota de crédito por hasta 47.50 y revise con su contador el resto'),
  ),
  advised(
    'document-annulled',
    { order: sale, documents: [{ ...factura, annulledAt: day(20) }] },
    byHand('emita a mano otra factura'),
  ),
  {
    ...advised(
      'document-annulled: of a refund',
      { order: { ...sale, refunds: [shirtBack11] }, documents: [{ ...factura, annulledAt: day(20) }] },
      byHand('emita a mano otra factura por ella'),
    ),
    kind: 'nota-credito',
  },
  advised(
    'buyer-forgotten',
    {
      order: { ...sale, refunds: [shirtBack11] },
      documents: [{ ...factura, sent: sent && { ...sent, comprador } }],
    },
    byHand('Consulte con su contador si todavía procede una nota de crédito y, si procede, emítala a mano'),
  ),
  advised(
    'invoiced-elsewhere',
    { order: { ...sale, accessKeys: ['1'.repeat(49)], refunds: [shirtBack11] } },
    byHand('Emita la nota de crédito de 11.50 por el reembolso 48 en el sistema que emitió la factura'),
  ),
  advised(
    'other-issuer',
    {
      order: { ...sale, refunds: [shirtBack11] },
      documents: [{ ...factura, issuedBy: { ruc: '1790016919001', ambiente: 2 } }],
    },
    byHand('Emita a mano, con ese emisor, la nota de crédito de 11.50 por el reembolso 48'),
  ),
  advised(
    'factura-content-unknown',
    { order: { ...sale, refunds: [shirtBack11] }, documents: [{ ...factura, sent: null }] },
    byHand('Emita a mano la nota de crédito del reembolso 48'),
  ),
  advised(
    'refund-deleted',
    { order: sale, documents: inTwo() },
    byHand(
      'anule la nota de crédito en el portal del SRI con la aceptación del comprador, o emita otra factura',
    ),
  ),
  advised(
    'refund-deleted: that failed',
    { order: { ...sale, refunds: [{ ...shirtBack11, amount: '0.00', parts: [] }] }, documents: inTwo() },
    byHand(
      'anule la nota de crédito en el portal del SRI con la aceptación del comprador, o emita otra factura',
    ),
  ),
  advised(
    'refund-not-invoiced',
    { order: { ...grown, refunds: [capBack] }, documents: [factura] },
    byHand('emita a mano la nota de crédito de esa factura'),
  ),
];

/** The order changed after its factura. */
const later: Advised[] = [
  advised(
    'cancelled-kept',
    { order: { ...sale, settlement: 'cancelled' }, documents: [factura] },
    inShop('registre en la tienda el reembolso de ese dinero', () => recorded(refund(sale.total, [])), gone),
    inPolicy('ponga policy.cancelledOrders en invoice', { cancelledOrders: 'invoice' }, gone),
  ),
  advised(
    'cancelled-kept: in the trash',
    { order: { ...sale, settlement: 'cancelled', status: 'trash' }, documents: [factura] },
    inShop('Restáurelo', () => ({ settlement: 'paid', status: 'processing' }), gone),
    inShop('registre en la tienda el reembolso de ese dinero', () => recorded(refund(sale.total, [])), gone),
  ),
  advised(
    'refund-missing',
    { order: { ...sale, settlement: 'refunded', status: 'refunded' }, documents: [factura] },
    inShop('Registre en la tienda el reembolso que falta', () => recorded(refund(sale.total, [])), gone),
    inShop(
      'devuelva al pedido su estado de pagado',
      () => ({ settlement: 'paid', status: 'processing' }),
      gone,
    ),
  ),
  advised(
    'edited-after-invoice',
    { order: cut, documents: [factura] },
    inShop(
      'Devuelva el pedido en la tienda a lo que se cobró',
      () => ({ charges: sale.charges, total: sale.total }),
      gone,
    ),
    inShop(
      'registre después su reembolso, del que sale la nota de crédito',
      () => ({
        ...{ charges: sale.charges, total: sale.total },
        refunds: [refund('5.00', [part('shipping:9', '4.35', '0.65')])],
      }),
      gone,
    ),
  ),
  advised(
    'edited-after-invoice',
    {
      order: order({
        lines: [line({ id: '5', quantity: '3', price: '11.50', rate: null }), ...sale.lines.slice(1)],
        charges: sale.charges,
      }),
      documents: [factura],
    },
    byHand(
      'Emita a mano una nota de crédito por esos 34.50 de lo que se quitó y una factura por los 34.50 de lo que se agregó',
    ),
  ),
  advised(
    'edited-after-invoice',
    { order: grown, documents: [factura] },
    byHand('Emita a mano una factura complementaria por lo que se agregó'),
  ),
  advised(
    'refund-deleted',
    { order: sale, documents: [authorized({ ...sale, refunds: [shirtBack11] })] },
    byHand('emita a mano una factura complementaria por 11.50'),
  ),
];

export const notasDeCredito: Record<string, readonly Advised[]> = {
  'the amount of a refund': amounts,
  'what no program does': outside,
  'an order that changed after its factura': later,
};
