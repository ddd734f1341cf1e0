import { expect, test } from 'vitest';
import type { WooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import type { WrittenDocument } from '../../../src/domain/platform.ts';
import { heldFactura as held, openBoth, paidOrder, shopError } from './shop.ts';

const accessKey = '2011202601179001234500120010020000001231234567819';
const factura: WrittenDocument = {
  kind: 'factura',
  sourceId: '29',
  state: 'authorized',
  number: '001-002-000000123',
  accessKey,
  authorizedAt: '2026-11-20T14:00:00Z',
  pdfUrl: 'https://facturas.mitienda.ec/d/abc/pdf?a=1&b=2',
  xmlUrl: 'https://facturas.mitienda.ec/d/abc/xml',
  reason: null,
};
const metaOf = (stand: WooCommerceShop) =>
  Object.fromEntries((stand.order(29)?.meta_data ?? []).map(({ key, value }) => [key, value]));
const calls = (stand: WooCommerceShop, method: string) =>
  stand.requests.filter((request) => request.method === method);
const ownNotes = (stand: WooCommerceShop) => stand.notes(29).filter(({ note }) => !note.startsWith('Email'));

test('an authorised factura leaves its facts and one note for the customer', async () => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [factura]);
  expect(metaOf(stand)).toEqual({
    _billing_cedula: '1710034065',
    _facturapuente_clave_acceso: accessKey,
    _facturapuente_numero: '001-002-000000123',
    _facturapuente_estado: 'AUTORIZADO',
    _facturapuente_pdf: factura.pdfUrl,
    _facturapuente_xml: factura.xmlUrl,
    _facturapuente_autorizado_en: '2026-11-20T14:00:00Z',
  });
  expect(ownNotes(stand)).toMatchObject([{ customer_note: true }]);
  const [note] = ownNotes(stand);
  expect(note?.note).toBe(
    `Su factura electrónica 001-002-000000123 fue autorizada por el SRI. Su clave de acceso es ${accessKey}. ` +
      'Puede descargar el PDF en este enlace: https://facturas.mitienda.ec/d/abc/pdf?a=1&amp;b=2',
  );
  expect((await shop.fetchOrder('29'))?.accessKeys).toEqual([accessKey]);
});

test('the note of a test document says that it has no validity', async () => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [{ ...factura, accessKey: `${accessKey.slice(0, 23)}1${accessKey.slice(24)}` }]);
  expect(ownNotes(stand)[0]?.note).toContain(
    'por el SRI. Es de prueba: no tiene validez tributaria. Su clave',
  );
});

test('metadata of a plugin without a key does not keep the facts from the order', async () => {
  const { stand, shop } = await openBoth();
  const body = paidOrder({ meta_data: [{ id: 5, key: null, value: 'x' }] });
  stand.trouble({ status: 200, body }, 'GET');
  await shop.writeBack('29', [factura]);
  expect(metaOf(stand)).toMatchObject({ _facturapuente_clave_acceso: accessKey });
  stand.trouble({ status: 200, body }, 'GET');
  expect((await shop.fetchOrder('29'))?.attributes).toEqual([]);
});

test('an authorised nota de crédito that is a cent off tells the customer why', async () => {
  const { stand, shop } = await openBoth();
  const why = 'Se devolvieron 3.33 y la nota de crédito es por 3.32, un centavo menos.';
  await shop.writeBack('29', [{ ...factura, kind: 'nota-credito', sourceId: '48', reason: why }]);
  expect(ownNotes(stand)).toMatchObject([{ customer_note: true, note: expect.stringContaining(why) }]);
});

test('what a person must do after the factura is a note of the order, not of its factura', async () => {
  const { stand, shop } = await openBoth();
  const reason = 'El reembolso 116 se eliminó en la tienda, pero su nota de crédito ya fue emitida.';
  const facts = { number: null, accessKey: null, authorizedAt: null, pdfUrl: null, xmlUrl: null };
  const notice = { ...factura, ...facts, state: 'manual' as const, isNotice: true, reason };
  for (let times = 0; times < 2; times += 1) await shop.writeBack('29', [notice, factura]);
  const notes = ownNotes(stand)
    .filter(({ customer_note }) => !customer_note)
    .map(({ note }) => note);
  expect(notes).toEqual([expect.stringMatching(`^Este pedido necesita revisión manual\\. ${reason}`)]);
  expect(metaOf(stand)._facturapuente_estado).toBe('AUTORIZADO');
});

test.each([
  ['factura', 'held', 'La factura electrónica de este pedido está retenida'],
  ['nota-credito', 'manual', 'La nota de crédito electrónica de este pedido necesita revisión manual'],
  ['factura', 'rejected', 'La factura electrónica de este pedido fue rechazada'],
] as const)('the note of a %s that is %s names it', async (kind, state, begins) => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [{ ...held, kind, state }]);
  expect(ownNotes(stand)).toMatchObject([{ note: expect.stringMatching(`^${begins}\\. `) }]);
});

test('the note of a hold is followed by one that it is resolved, once and not before', async () => {
  const { stand, shop } = await openBoth();
  const credit = { ...held, kind: 'nota-credito' as const, sourceId: '48' };
  await shop.writeBack('29', [held, credit]);
  const [asked] = ownNotes(stand);
  const reference = /facturapuente-[0-9a-f]{12}/.exec(asked?.note ?? '')?.[0];
  for (let times = 0; times < 2; times += 1) await shop.writeBack('29', [factura, credit]);
  expect(ownNotes(stand).filter(({ note }) => note.startsWith('Resuelto'))).toMatchObject([
    {
      customer_note: false,
      note: `Resuelto: la factura electrónica de este pedido ya está autorizada. No haga nada por lo que decía la nota con la referencia ${reference}.`,
    },
  ]);
  await shop.writeBack('29', [factura, { ...factura, kind: 'nota-credito', sourceId: '48', accessKey: '4' }]);
  expect(ownNotes(stand).filter(({ note }) => note.startsWith('Resuelto: la nota de crédito'))).toHaveLength(
    1,
  );
});

test('an authorised factura that nobody held has nothing to resolve, nor has what happened after it', async () => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [{ ...held, isNotice: true }, factura]);
  await shop.writeBack('29', [factura]);
  expect(ownNotes(stand).filter(({ note }) => note.startsWith('Resuelto'))).toEqual([]);
});

test('a reason is text on the order, whatever it names: no link, no tag, no entity of its own', async () => {
  const { stand, shop } = await openBoth();
  const reason = '«<a href="https://otra.example">Pague</a> <b>R&D</b> &lt;i&gt; 3 < 4» no lleva impuesto.';
  await shop.writeBack('29', [{ ...held, reason }]);
  await shop.writeBack('29', [{ ...held, reason }]);
  const shown =
    '«&lt;a href="https://otra.example"&gt;Pague&lt;/a&gt; &lt;b&gt;R&amp;D&lt;/b&gt; &amp;lt;i&amp;gt; 3 &lt; 4» no lleva';
  expect(ownNotes(stand)).toMatchObject([{ note: expect.stringContaining(shown) }]);
});

test('a held factura’s note carries the link for its buyer, which is emptied once nobody is asked any more', async () => {
  const { stand, shop } = await openBoth();
  const identificationUrl = 'https://facturas.mitienda.ec/identificacion/abc.def';
  await shop.writeBack('29', [{ ...held, identificationUrl }]);
  await shop.writeBack('29', [{ ...held, identificationUrl }]);
  expect(metaOf(stand)._facturapuente_enlace_comprador).toBe(identificationUrl);
  expect(ownNotes(stand)).toMatchObject([
    { customer_note: false, note: expect.stringContaining(`su identificación: ${identificationUrl}`) },
  ]);
  await shop.writeBack('29', [{ ...factura, pageUrl: 'https://facturas.mitienda.ec/d/abc' }]);
  expect(metaOf(stand)._facturapuente_enlace_comprador).toBe('');
  expect(ownNotes(stand).find((note) => note.customer_note)?.note).toContain(
    'descargarla en este enlace: https://facturas.mitienda.ec/d/abc',
  );
});

test('nothing but meta data is sent, and everything else on the order stays', async () => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [factura]);
  expect(calls(stand, 'PUT').map(({ body }) => Object.keys(body as object))).toEqual([['meta_data']]);
  const rest = (order: object = {}) =>
    Object.entries(order).filter(([key]) => key !== 'meta_data' && !key.startsWith('date_modified'));
  expect(rest(stand.order(29))).toEqual(expect.arrayContaining(rest(paidOrder())));
  expect(rest(stand.order(29))).toHaveLength(rest(paidOrder()).length);
});

test('a second write-back writes nothing', async () => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [factura]);
  await shop.writeBack('29', [factura]);
  expect(calls(stand, 'PUT')).toHaveLength(1);
  expect(calls(stand, 'POST')).toHaveLength(1);
});

test('parallel write-backs, also through two openings, make one PUT and one note', async () => {
  const { stand, shop, another } = await openBoth();
  const shops = [shop, another(), shop, another(), shop];
  await Promise.all(shops.map((each) => each.writeBack('29', [factura])));
  expect(calls(stand, 'PUT')).toHaveLength(1);
  expect(ownNotes(stand)).toHaveLength(1);
});

test('a write whose answer was lost is found again and not repeated', async () => {
  const { stand, shop } = await openBoth();
  for (const method of ['PUT', 'POST'] as const) {
    stand.trouble('lost', method);
    const error = await shopError(shop.writeBack('29', [factura]));
    expect(error).toMatchObject({ retryable: true, message: expect.stringContaining(`${method} orders/29`) });
  }
  await shop.writeBack('29', [factura]);
  expect(calls(stand, 'PUT')).toHaveLength(1);
  expect(calls(stand, 'POST')).toHaveLength(1);
  expect(ownNotes(stand)).toHaveLength(1);
});

test('several rows of one key are tolerated: one right row is enough', async () => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [factura]);
  const order = stand.order(29);
  const doubled = [...(order?.meta_data ?? []), { key: '_facturapuente_estado', value: 'RETENIDO' }];
  stand.put({ ...order, meta_data: doubled });
  await shop.writeBack('29', [factura]);
  expect(calls(stand, 'PUT')).toHaveLength(1);
});

test('a held factura leaves its state and one private note per reason', async () => {
  const { stand, shop } = await openBoth();
  await shop.writeBack('29', [held]);
  await shop.writeBack('29', [held]);
  expect(metaOf(stand)).toEqual({ _billing_cedula: '1710034065', _facturapuente_estado: 'RETENIDO' });
  expect(calls(stand, 'PUT')).toHaveLength(1);
  expect(ownNotes(stand)).toMatchObject([
    { customer_note: false, note: expect.stringContaining('Falta la cédula o el RUC del comprador') },
  ]);
  await shop.writeBack('29', [{ ...held, reason: 'El total no cuadra.' }]);
  expect(ownNotes(stand)).toHaveLength(2);
  await shop.writeBack('29', [factura]);
  expect(metaOf(stand)._facturapuente_estado).toBe('AUTORIZADO');
  expect(ownNotes(stand).filter(({ customer_note }) => customer_note)).toHaveLength(1);
});

test('a document on its way, or dropped before anyone heard of it, writes nothing', async () => {
  const { stand, shop } = await openBoth();
  for (const state of ['ready', 'sending', 'processing', 'uncertain', 'cancelled'] as const) {
    await shop.writeBack('29', [{ ...held, state }]);
  }
  expect(stand.requests.every(({ method }) => method === 'GET')).toBe(true);
  await shop.writeBack('29', [held]);
  await shop.writeBack('29', [{ ...held, state: 'cancelled' }]);
  expect(metaOf(stand)._facturapuente_estado).toBe('DESCARTADO');
});

test('the factura that counts is told of, in whatever sequence they were made', async () => {
  const { stand, shop } = await openBoth();
  // Our clock was set back between the two.
  await shop.writeBack('29', [factura, { ...held, state: 'cancelled', number: null, accessKey: null }]);
  expect(metaOf(stand)).toMatchObject({
    _facturapuente_estado: 'AUTORIZADO',
    _facturapuente_clave_acceso: accessKey,
  });
});

test('notas de crédito that came along from the order it was copied from leave the list', async () => {
  const { stand, shop } = await openBoth();
  const copied = { reembolso: '77', clave_acceso: '7'.repeat(49), numero: '001-002-000000007' };
  const order = stand.order(29);
  stand.put({
    ...order,
    meta_data: [...(order?.meta_data ?? []), { key: '_facturapuente_notas_credito', value: [copied] }],
  });
  // Whose they are is not known before the order has its own factura.
  await shop.writeBack('29', [held]);
  expect(metaOf(stand)._facturapuente_notas_credito).toEqual([copied]);
  await shop.writeBack('29', [factura]);
  expect(metaOf(stand)._facturapuente_notas_credito).toEqual([]);
  await shop.writeBack('29', [factura]);
  expect(calls(stand, 'PUT')).toHaveLength(2);
  expect((await shop.fetchOrder('29'))?.accessKeys).toEqual([accessKey]);
  // Parallel writers leave several rows of one key: one right row is enough.
  const rows = [[copied], []].map((value) => ({ key: '_facturapuente_notas_credito', value }));
  const { meta_data = [] } = stand.order(29) ?? {};
  const others = meta_data.filter(({ key }) => key !== '_facturapuente_notas_credito');
  stand.put({ ...stand.order(29), meta_data: [...others, ...rows] });
  await shop.writeBack('29', [factura]);
  expect(calls(stand, 'PUT')).toHaveLength(2);
});

test('each nota de crédito stands in the list and has its own note', async () => {
  const { stand, shop } = await openBoth();
  const refunds = [91, 92].map((id) => ({ id, reason: '', total: '-1.00' }));
  stand.put({ ...stand.order(29), refunds });
  const note = (n: number): WrittenDocument => ({
    ...factura,
    kind: 'nota-credito',
    sourceId: String(90 + n),
    number: `001-002-00000000${n}`,
    accessKey: String(n).repeat(49),
  });
  await shop.writeBack('29', [factura, note(1)]);
  await shop.writeBack('29', [note(2)]);
  await shop.writeBack('29', [factura, note(1), note(2)]);
  expect(metaOf(stand)._facturapuente_notas_credito).toMatchObject([
    { reembolso: '91', clave_acceso: '1'.repeat(49), numero: '001-002-000000001' },
    { clave_acceso: '2'.repeat(49) },
  ]);
  expect(metaOf(stand)._facturapuente_clave_acceso).toBe(accessKey);
  expect(calls(stand, 'PUT')).toHaveLength(2);
  expect(ownNotes(stand).map(({ note: text }) => text.slice(0, 30))).toEqual([
    'Su factura electrónica 001-002',
    'Su nota de crédito electrónica',
    'Su nota de crédito electrónica',
  ]);
  expect((await shop.fetchOrder('29'))?.accessKeys).toEqual([accessKey, '1'.repeat(49), '2'.repeat(49)]);
});

test('an order that is gone takes no write-back and is no error', async () => {
  const { stand, shop } = await openBoth();
  stand.remove(29);
  await shop.writeBack('29', [factura]);
  expect(stand.requests).toHaveLength(1);
});
