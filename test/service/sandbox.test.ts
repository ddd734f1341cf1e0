import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { allOperations } from '../../sandbox/emulator/operations/all.ts';
import { otherDocumentPaths } from '../../sandbox/emulator/operations/emision.ts';
import { verifyServiceWebhook } from '../../src/service/event.ts';
import type { FacturaRequest, LookUpOptions } from '../../src/service/shapes.ts';
import { png } from '../sandbox/image-support.ts';
import { certificate, p12 } from '../sandbox/p12-support.ts';
import { factura, listen, noon, notaCredito } from '../sandbox/support.ts';
import { eventually } from '../support/eventually.ts';
import { clave, openClient } from './hostile.ts';
import { operations } from './operations.ts';
import { apiKey, expectKind, openSandbox } from './whole-service.ts';

/*
 * The client against a whole service. How it reads each shape is tried with answers written by hand in the files beside
 * this one; here, that what the sandbox says and what the client understands are the same, once for each operation.
 */

const json = (change?: Parameters<typeof factura>[0]) => JSON.stringify(factura(change));
const ruc = '1792146739001';
const cedula = '2459999997';
const company = { ruc, razon_social: 'EMISOR DE PRUEBA S.A.', contabilidad: true };
const password = 'clave';
const said = expect.stringMatching(/./);

test('Versioning: every function of the client is called by the operationId of the service', async () => {
  const settings = { otherDocumentPaths, dialect: 'described', arithmetic: 'totals' };
  // Other routes to the same are options of one function: `consultar_ruc_alias_post` → `consultarRuc`.
  const functions = allOperations({ settings } as never).map(({ id }) =>
    id.replace(/(_alias)?(_post)?$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  expect(functions).toEqual(expect.arrayContaining(Object.keys(operations)));
  const { client } = await openSandbox();
  for (const name of Object.keys(operations)) expect(client).toHaveProperty(name, expect.any(Function));
});

describe('documents', () => {
  test('from nothing to an authorised factura: company, signature, logo, emission, state, XML and PDF', async () => {
    const { calls, settled, rateLimit } = await openSandbox({ strict: true });
    const body = factura() as FacturaRequest;
    expectKind(await calls.emitirFactura(body), 'refused');
    expectKind(await calls.crearEmpresa(company), 'saved');
    const signature = { ruc, firma_file: p12({ certificates: [certificate({ ruc })] }), password };
    expectKind(await calls.subirFirmaElectronica(signature), 'saved');
    expectKind(await calls.subirLogoEmpresa({ ruc, logo_file: png() }), 'saved');
    const { claveacceso, aviso } = expectKind(await calls.emitirFactura(body), 'created');
    expect(aviso).toEqual(said);
    expect(await settled(claveacceso)).toMatchObject({
      state: 'authorized',
      numero: '001-001-000000123',
      rucEmisor: ruc,
      ambiente: 1,
      tipo: '01',
    });
    expect(expectKind(await calls.descargarXml(claveacceso), 'found').facts).toMatchObject({
      claveAcceso: claveacceso,
      numero: '001-001-000000123',
      importeTotal: '47.98',
      identificacionComprador: cedula,
      fechaEmision: '2026-11-20',
      campoAdicional: { Pedido: '#1001' },
    });
    const pdf = expectKind(await calls.descargarPdf(claveacceso), 'found');
    const bytes = await buffer(pdf.stream);
    expect([bytes.subarray(0, 5).toString(), bytes.length]).toEqual(['%PDF-', pdf.length]);
    expect(rateLimit.taken.slice(-2)).toEqual(['download', 'download']);
  });

  test('04 Nota de credito: created and authorised, with its own total in the XML', async () => {
    const { calls, settled } = await openSandbox();
    const { claveacceso } = expectKind(
      await calls.emitirNotaCredito(JSON.stringify(notaCredito())),
      'created',
    );
    expect(await settled(claveacceso)).toMatchObject({ state: 'authorized', tipo: '04' });
    const { facts } = expectKind(await calls.descargarXml(claveacceso), 'found');
    expect(facts).toMatchObject({ codDoc: '04', importeTotal: '19.99' });
  });

  test('each API key only sees its own: state, XML, PDF and reprocessing of a stranger are not-found', async () => {
    const { calls, sandbox, settled } = await openSandbox({ accounts: [{ apiKey }, { apiKey: 'vecino' }] });
    const { claveacceso } = expectKind(await calls.emitirFactura(json()), 'created');
    await settled(claveacceso);
    const neighbour = openClient(sandbox.url, { apiKey: 'vecino' }).calls;
    for (const [asking, key] of [[neighbour, claveacceso] as const, [calls, clave] as const]) {
      expect(await asking.consultarComprobante(key)).toEqual({ kind: 'not-found' });
      expect(await asking.descargarXml(key)).toEqual({ kind: 'not-found' });
      expect(await asking.descargarXml(key, 'stream')).toEqual({ kind: 'not-found' });
      expect(await asking.descargarPdf(key)).toEqual({ kind: 'not-found' });
      expect(await asking.reprocesarComprobante(key)).toEqual({ kind: 'not-found' });
    }
  });

  test.each(['reprocesarComprobante', 'reprocesarComprobanteHistorico'] as const)(
    '%s sends a document in error, which says why, again; one that is authorised is refused',
    async (name) => {
      const { calls, sandbox, settled } = await openSandbox();
      sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
      const { claveacceso } = expectKind(await calls.emitirFactura(json()), 'created');
      expect(await settled(claveacceso)).toMatchObject({ state: 'error', errors: [{ identificador: '39' }] });
      expect(await calls[name](claveacceso)).toMatchObject({
        kind: 'reprocessing',
        claveacceso,
        estado: 'En procesamiento',
        mensaje: said,
      });
      expect(await settled(claveacceso)).toMatchObject({ state: 'authorized' });
      expect(await calls[name](claveacceso)).toMatchObject({ kind: 'refused', status: 409 });
    },
  );
});

// The list "Errors" of the specification; 4 and 6 of every operation are above.
describe('Errors', () => {
  test('8: production without approved provider data is refused, with the notice beside it', async () => {
    const aviso = expect.stringContaining('J62021002');
    const production = json((it) => (it.ambiente = 2));
    const { calls } = await openSandbox();
    expect(await calls.emitirFactura(production)).toMatchObject({ kind: 'refused', status: 200, aviso });
    expect(await calls.consultarSaldo()).toMatchObject({ aviso });
    const approved = await openSandbox({ accounts: [{ apiKey, providerApproved: true }] });
    expect(await approved.calls.emitirFactura(production)).toMatchObject({ kind: 'created', aviso: null });
  });
});

describe('companies', () => {
  test('POST /api/empresa/crear, PUT /api/empresa/editar: created once, then edited under the same id', async () => {
    const { calls } = await openSandbox();
    const created = expectKind(await calls.crearEmpresa(company), 'saved');
    expect(created).toMatchObject({
      empresa: { id: expect.any(Number), ruc, razonSocial: 'EMISOR DE PRUEBA S.A.' },
      ...{ mensaje: said, aviso: said },
    });
    const edited = expectKind(await calls.editarEmpresa({ ...company, razon_social: 'OTRA S.A.' }), 'saved');
    expect(edited.empresa).toEqual({ ...created.empresa, razonSocial: 'OTRA S.A.' });
  });

  test.each(['multipart', 'json'] as const)(
    'POST /api/empresa/subirfirma, subirlogo as %s: both are taken, wrong ones are refused under their field',
    async (as) => {
      const { calls } = await openSandbox();
      await calls.crearEmpresa(company);
      const sign = (firma_file: Uint8Array, secret = password) =>
        calls.subirFirmaElectronica({ ruc, firma_file, password: secret }, { as });
      const draw = (logo_file: Uint8Array) => calls.subirLogoEmpresa({ ruc, logo_file }, { as });
      expectKind(await sign(p12()), 'saved');
      expectKind(await draw(png()), 'saved');
      const file = as === 'json' ? 'base64' : 'file';
      for (const [answer, field] of [
        [await sign(p12(), 'otra'), 'password'],
        [await sign(new Uint8Array(300)), `firma_${file}`],
        [await draw(png().subarray(0, 30)), `logo_${file}`],
      ] as const)
        expect(answer).toMatchObject({ kind: 'refused', status: 400, fields: { [field]: [said] } });
    },
  );
});

describe('GET, POST, PUT /api/webhook of a whole service', () => {
  test('saved with a generated secret of 40 characters, then read with the secret masked', async () => {
    const { calls } = await openSandbox();
    expect(await calls.leerWebhook()).toMatchObject({ kind: 'webhook', url: null, ultimasEntregas: [] });
    const url = 'https://example.com/hook';
    const saved = expectKind(await calls.guardarWebhook({ url }), 'saved');
    expect(saved).toMatchObject({ url, activo: true, secret: expect.stringMatching(/^.{40}$/) });
    const read = expectKind(await calls.leerWebhook(), 'webhook');
    expect(read).toMatchObject({ url, activo: true });
    expect(read.secret).not.toBe(saved.secret);
    const kept = expectKind(await calls.guardarWebhook({ url, activo: false }), 'saved');
    expect(kept).toMatchObject({ secret: saved.secret, activo: false });
  });

  test('a private URL is refused in the words of the service', async () => {
    const { calls } = await openSandbox();
    const errors = [expect.stringMatching(/^url: /)];
    expect(await calls.guardarWebhook({ url: 'http://localhost:3000/hook' })).toMatchObject({
      kind: 'refused',
      status: 400,
      errors,
    });
  });

  test('a delivery signed with the saved secret is genuine, and its attempts can be read', async () => {
    const { calls } = await openSandbox({ allowLoopbackWebhooks: true });
    const { url, received } = await listen();
    const { secret } = expectKind(await calls.guardarWebhook({ url }), 'saved');
    const { claveacceso } = expectKind(await calls.emitirFactura(json()), 'created');
    const delivery = await eventually(() => received[0], 'the delivery');
    const headers = delivery.headers as Record<string, string>;
    const entrega = headers['x-service-delivery'];
    const secrets = ['otro', secret ?? ''];
    expect(verifyServiceWebhook(headers, Buffer.from(delivery.raw), secrets, noon())).toMatchObject({
      ...{ ok: true, kind: 'document', dedupeKey: `entrega:${entrega}` },
      event: { evento: 'comprobante.autorizado', claveacceso },
    });
    const attempts = await eventually(async () => {
      const { ultimasEntregas } = expectKind(await calls.leerWebhook(), 'webhook');
      return ultimasEntregas.length > 0 && ultimasEntregas;
    }, 'the attempt');
    expect(attempts).toEqual([
      {
        ...{ entrega, evento: 'comprobante.autorizado', claveacceso, intento: 1, estadoHttp: 200 },
        ...{ exito: true, error: null, enviadoEn: expect.stringMatching(/^2026-11-20T/) },
      },
    ]);
  });
});

describe('the wallets', () => {
  test.each([
    ['described', 'suficiente', null],
    ['former', null, expect.stringMatching(/^2027-11-20T/)],
    ['older', 'suficiente', null],
  ] as const)('GET /api/creditos/saldo (%s): both wallets', async (dialect, estadoSaldo, venceEn) => {
    const accounts = [{ apiKey, credits: 41, queries: 7, queriesWallet: 1.5 }];
    const { calls } = await openSandbox({ dialect, accounts });
    expect(await calls.consultarSaldo()).toMatchObject({
      ...{ kind: 'balance', creditos: 41, estadoSaldo, venceEn },
      consultas: { saldo: 1.5, gratisRestantes: 7 },
    });
  });

  test('GET /api/creditos/historial: what was bought, in pages', async () => {
    const { calls } = await openSandbox({ accounts: [{ apiKey, credits: 41 }] });
    expect(await calls.consultarHistorialCreditos({ tipo: 'recarga', limit: 1 })).toMatchObject({
      kind: 'history',
      movimientos: [{ tipo: 'recarga', cantidad: 41, fecha: expect.stringMatching(/^2026-11-20T/) }],
    });
    expect(await calls.consultarHistorialCreditos({ limit: 1, page: 2 })).toMatchObject({ movimientos: [] });
  });
});

describe('GET /api/public/…', () => {
  test('the state of service and tax authority, by both routes', async () => {
    const { calls } = await openSandbox();
    for (const route of ['public', 'status'] as const)
      expect(await calls.estadoServicio(route)).toMatchObject({
        ...{ kind: 'status', estado: 'operativo', actualizadoEn: expect.stringMatching(/^2026-11-20T/) },
        sri: { recepcion: expect.any(String), autorizacion: expect.any(String) },
      });
  });
});

describe('the registries', () => {
  test.each<LookUpOptions>([
    { prefix: 'sri', method: 'GET' },
    { prefix: 'sri', method: 'POST' },
    { prefix: 'consulta', method: 'GET' },
    { prefix: 'consulta', method: 'POST' },
  ])(
    '$method /api/$prefix/…: found and counted; refused where impossible; no funds at the end',
    async (way) => {
      const { calls } = await openSandbox({ accounts: [{ apiKey, queries: 2 }] });
      expect(await calls.consultarRuc(ruc, way)).toMatchObject({
        kind: 'found',
        facts: { ruc, razonSocial: 'EMISOR DE PRUEBA S.A.', estado: 'ACTIVO', obligadoContabilidad: 'SI' },
        ...{ cache: false, costo: 0, gratisRestantes: 1 },
      });
      expect(await calls.consultarCedula(cedula, way)).toMatchObject({
        kind: 'found',
        facts: { cedula, nombre: 'PEÑAFIEL ANDRADE MARÍA JOSÉ' },
        gratisRestantes: 0,
      });
      for (const answer of [
        await calls.consultarRuc('1792146739000', way),
        await calls.consultarCedula('9999999999', way),
      ])
        expect(answer).toMatchObject({ kind: 'refused', status: 400, errors: [said] });
      expect(await calls.consultarRuc('1790016919001', way)).toEqual({
        kind: 'no-funds',
        mensaje: expect.stringContaining('recárguela'),
      });
    },
  );

  test('after the 20 free ones a query costs, and the same again within 24 hours does not', async () => {
    const { calls } = await openSandbox({ accounts: [{ apiKey, queries: 0, queriesWallet: 1 }] });
    const first = expectKind(await calls.consultarRuc(ruc), 'found');
    const again = expectKind(await calls.consultarRuc(ruc, { prefix: 'consulta', method: 'POST' }), 'found');
    expect(first).toMatchObject({ cache: false, costo: 0.01 });
    expect(again).toMatchObject({ cache: true, costo: 0, facts: first.facts });
  });

  test('nobody under the number is not-found, a registry that is down teaches nothing; neither is counted', async () => {
    const { calls } = await openSandbox();
    expect(await calls.consultarRuc('1790000000001')).toMatchObject({ kind: 'not-found' });
    expect(await calls.consultarCedula('1700000001')).toMatchObject({ kind: 'not-found' });
    expect(await calls.consultarRuc('1790000001001')).toMatchObject({ kind: 'unknown' });
    expect(await calls.consultarCedula('1700000019')).toMatchObject({ kind: 'unknown' });
    expect(await calls.consultarSaldo()).toMatchObject({ consultas: { gratisRestantes: 20 } });
  });
});
