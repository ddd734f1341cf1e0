import { describe, expect, test } from 'vitest';
import type { DocumentKind } from '../../src/domain/document.ts';
import { owner } from '../../src/domain/settings.ts';
import { prettyJson, prettyXml } from '../../src/panel/document.ts';
import { now } from '../http/installation.ts';
import { document } from '../ledger/samples.ts';
import { foreseeKeys } from '../support/foreseen.ts';
import { openPanelBench } from './bench.ts';
import { openPanel } from './installation.ts';

/** A panel over one order that was authorised, its files kept. */
async function openAuthorized() {
  const panel = await openPanelBench({ keepBytes: 10_000_000 });
  const { bench } = panel;
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  const { accessKey } = await bench.document();
  await bench.event(accessKey ?? '');
  await bench.run();
  return { ...panel, document: await bench.document() };
}

describe('the timeline of a document', () => {
  test('tells state, number, key, each move, each sending and why', async () => {
    const { document: one, signIn } = await openAuthorized();
    expect(one.state).toBe('authorized');
    const page = await (await signIn('omar')).text(`/panel/documento/${one.id}`);
    for (const part of [
      'Factura 001-001-000000001',
      one.accessKey ?? '',
      'Lista para enviar',
      'Enviándose',
      'En proceso',
      'Envío 1',
      'Impuesto de cada línea',
      'Tareas automáticas pendientes',
      `/panel/documento/${one.id}/pdf`,
    ])
      expect(page).toContain(part);
  });

  test('says that a person annulled it at the portal of the SRI', async () => {
    const { document: one, ledger, signIn } = await openAuthorized();
    await ledger.documents.annulled(one.id, now);
    const omar = await signIn('omar');
    const path = `/panel/documento/${one.id}`;
    const page = await omar.text(path);
    expect(page).toContain('Figura ANULADO en el portal del SRI');
    expect(page).toContain('Alguien lo anuló en el portal del SRI; no se acredita.');
  });

  test('tells that an answer was lost, under which key it is asked about, and that it was found there', async () => {
    const { bench, signIn } = await openPanelBench();
    await foreseeKeys(bench);
    bench.sandbox.faults.add({ cutBeforeStoring: { operacion: 'emitir_factura', times: 1 } });
    await bench.sync('1201');
    await bench.run();
    const omar = await signIn('omar');
    const page = async () => omar.text(`/panel/documento/${(await bench.document()).id}`);
    expect(await page()).toMatch(/Clave prevista 2011202601\d{39}</);
    bench.sandbox.faults.add({ dropAnswer: true });
    bench.advance(120_000);
    await bench.run();
    expect(await page()).toContain(
      'Se perdió la respuesta; el servicio mostró el documento con la clave de acceso que se había previsto.',
    );
  });

  test('shows the buyer’s data to those who operate, and to nobody else', async () => {
    const { document: one, ledger, signIn } = await openAuthorized();
    const sent = await ledger.attempts.ofDocument(one.id);
    const { buyerId } = sent[0] ?? { buyerId: '' };
    const [omar, rosa] = [await signIn('omar'), await signIn('rosa')];
    const path = `/panel/documento/${one.id}`;
    expect(await omar.text(path)).toContain(buyerId);
    const seen = await rosa.text(path);
    expect(seen).not.toContain(buyerId);
    expect(seen).toContain('lo ven quienes operan');
    const pdf = await omar.get(`${path}/pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    const xml = await omar.get(`${path}/xml?guardar`);
    expect(xml.headers.get('content-disposition')).toBe(`attachment; filename="${one.accessKey}.xml"`);
    for (const kind of ['pdf', 'xml']) expect((await rosa.get(`${path}/${kind}`)).status).toBe(403);
  });

  test('of an order tells all its documents; what nobody knows is not there', async () => {
    const { document: one, signIn } = await openAuthorized();
    const rosa = await signIn('rosa');
    const path = `/panel/pedido/${one.storeId}/${one.orderId}`;
    const page = await rosa.text(path);
    expect(page).toContain(`/panel/documento/${one.id}`);
    expect(page).toContain('Comprobantes');
    expect((await rosa.get('/panel/pedido/nada/1')).status).toBe(404);
    expect((await rosa.get('/panel/documento/nada')).status).toBe(404);
  });

  test('escapes what shops and services write', async () => {
    const { ledger, signIn } = await openPanel();
    const evil = '<script>alert(1)</script>';
    const one = await ledger.documents.create(
      document({ orderName: evil, reason: evil, code: evil, storeId: evil, state: 'held' }),
    );
    const rosa = await signIn('rosa');
    for (const path of [`/panel/documento/${one?.id}`, '/panel/buscar', '/panel/tiendas', '/panel/graficos'])
      expect(await rosa.text(path)).not.toContain(evil);
  });
});

describe('the close of a day', () => {
  test('is for those who operate to make, for everybody to see', async () => {
    const asked: unknown[] = [];
    const close = {
      day: '2026-11-19',
      closedAt: '2026-11-20T15:00:00.000Z',
      result: 'green',
      differences: [],
    };
    const operations = {
      all: [],
      run: async ({ name }: { name: string }, input: unknown, { by }: { by: string }) => {
        asked.push([name, input, by]);
        return { done: true, message: '', data: { close } };
      },
    } as never;
    const { signIn } = await openPanel({ instead: { operations } });
    const [rosa, omar] = [await signIn('rosa'), await signIn('omar')];
    const seen = await rosa.text('/panel/cierre');
    expect(seen).toContain('Este día todavía no se ha cerrado');
    expect(seen).toContain('value="2026-11-19"');
    expect(seen).not.toContain('Cerrar y firmar</button>');
    expect((await rosa.post('/panel/cierre/guardar', { dia: '2026-11-19' })).status).toBe(403);
    expect(asked).toEqual([]);
    const closed = await omar.post('/panel/cierre/guardar', { dia: '2026-11-19' });
    expect([closed.status, closed.headers.get('location')]).toEqual([303, '/panel/cierre?dia=2026-11-19']);
    expect(asked).toEqual([['close', { date: '2026-11-19', save: true }, 'omar (panel)']]);
    expect(await omar.text('/panel/cierre?dia=2026-11-19')).toContain('El 2026-11-19 cuadra.');
    expect((await omar.post('/panel/cierre/guardar', { dia: 'ayer' })).status).toBe(400);
  });
});

describe('stores and charts', () => {
  test('a store tells its next numbers, what is open, and that its account rests', async () => {
    const { ledger, signIn } = await openPanel();
    await ledger.documents.create(
      document({ storeId: 'quito', ruc: '1792146739001', puntoEmision: '001', state: 'ready' }),
    );
    await ledger.pauses.begin({ account: 'principal', ambiente: null, cause: 'service', now });
    const page = await (await signIn('rosa')).text('/panel/tiendas');
    expect(page).toContain('<li>Shopify</li>');
    expect(page).toContain('001-001-000000002');
    expect(page).toContain('002-001-000000001');
    expect(page).toContain('Lista para enviar: 1');
    expect(page).toContain('en pausa');
    expect(page).toContain('El servicio de facturación no responde.');
  });

  test('a store says that its shop does not answer', async () => {
    const { ledger, signIn } = await openPanel();
    const rosa = await signIn('rosa');
    expect(await rosa.text('/panel/tiendas')).not.toContain('no responde');
    await ledger.alerts.raise(
      {
        code: 'shop-not-answering',
        subject: 'quito',
        about: owner.store('quito'),
        params: { store: 'quito', reason: 'Tardó.' },
      },
      now,
    );
    const page = await rosa.text('/panel/tiendas');
    expect(page.match(/La tienda quito no responde: .* Tardó\./g)).toHaveLength(1);
  });

  test('a store names the list of its shop that cannot be read, and since when', async () => {
    const { ledger, signIn } = await openPanel();
    const shop = { platform: 'shopify', shop: 'quito.myshopify.com' };
    await ledger.stores.register({ ...shop, id: 'quito', now });
    await ledger.reconciliations.begin(shop, now);
    const behind = { refunds: { since: now.toISOString(), failed: true } };
    const row = { version: 1, reconciledTo: now.toISOString(), behindSince: now.toISOString(), progress: {} };
    await ledger.reconciliations.save(shop, { ...row, behind });
    const page = await (await signIn('rosa')).text('/panel/tiendas');
    expect(page).toContain('<span class="chip bad">reembolsos: sin respuesta desde ');
    expect(page).not.toContain('pedidos: ');
  });

  test('charts show the authorised amounts of each day, and count by state', async () => {
    const { ledger, signIn } = await openPanel();
    const add = async (n: number, day: string, to: 'authorized' | 'held', kind: DocumentKind) => {
      const at = new Date(`${day}T14:00:00Z`);
      const created = await ledger.documents.create(
        document({ sourceId: `s${n}`, kind, state: 'ready', charged: '10.10', now: at }),
      );
      await ledger.documents.move(created?.id ?? '', { from: ['ready'], to, note: {}, now: at });
    };
    await add(1, '2026-11-18', 'authorized', 'factura');
    await add(2, '2026-11-20', 'authorized', 'factura');
    await add(3, '2026-11-20', 'authorized', 'nota-credito');
    await add(4, '2026-11-20', 'held', 'factura');
    const page = await (await signIn('rosa')).text('/panel/graficos?dias=30');
    expect(page).toContain(
      '<tfoot><tr><th scope="row">Total</th><td>USD 20.20</td><td>USD 10.10</td></tr></tfoot>',
    );
    expect([page.match(/class="bar-up"/g)?.length, page.match(/class="bar-down"/g)?.length]).toEqual([2, 1]);
    expect(page).toContain('<th scope="row">Retenidos</th><td class="number">1</td>');
  });
});

describe('what is shown pretty', () => {
  test('says the same as before', () => {
    const json = '{"a":[1,{"b":"ñ"}]}';
    expect(JSON.parse(prettyJson(json))).toEqual(JSON.parse(json));
    expect(prettyJson('no es JSON')).toBe('no es JSON');
    const xml =
      '<?xml version="1.0"?><autorizacion><estado>AUTORIZADO</estado><comprobante><![CDATA[<factura><total>1.00</total><vacio/></factura>]]></comprobante></autorizacion>';
    const pretty = prettyXml(xml);
    expect(pretty.replace(/\n\s*/g, '')).toBe(xml);
    expect(pretty).toContain('\n  <estado>AUTORIZADO</estado>\n');
    expect(pretty).toContain('<total>1.00</total>');
  });
});
