import { describe, expect, test } from 'vitest';
import type { FacturaRequest } from '../../src/service/shapes/documents.ts';
import { png } from '../sandbox/image-support.ts';
import { certificate, p12 } from '../sandbox/p12-support.ts';
import { factura } from '../sandbox/support.ts';
import { expectKind, openSandbox } from './sandbox-installation.ts';

const ruc = '1792146739001';
const company = { ruc, razon_social: 'EMISOR DE PRUEBA S.A.', contabilidad: true };
const password = 'clave';

describe('companies of a whole service', () => {
  test('POST /api/empresa/crear, PUT /api/empresa/editar: created once, then edited under the same id', async () => {
    const { calls } = await openSandbox();
    const created = expectKind(await calls.crearEmpresa(company), 'saved');
    expect(created).toMatchObject({
      empresa: { id: expect.any(Number), ruc, razonSocial: 'EMISOR DE PRUEBA S.A.' },
      mensaje: expect.stringMatching(/./),
      aviso: expect.stringMatching(/./),
    });
    const edited = expectKind(await calls.editarEmpresa({ ...company, razon_social: 'OTRA S.A.' }), 'saved');
    expect(edited.empresa).toEqual({ ...created.empresa, razonSocial: 'OTRA S.A.' });
  });

  test('Errors 3, 12: a RUC that cannot be one is refused with the field it is about', async () => {
    const { calls } = await openSandbox();
    const wrong = { ...company, ruc: '9999999999999' };
    for (const answer of [await calls.crearEmpresa(wrong), await calls.editarEmpresa(wrong)]) {
      expect(answer).toEqual({
        kind: 'refused',
        status: 400,
        errors: [expect.stringMatching(/^ruc: /)],
        fields: { ruc: [expect.stringMatching(/./)] },
      });
    }
  });

  test.each([
    ['both RIMPE regimes', { regimen_rimpe: true, regimen_rimpe_popular: true }],
    ['agenteretencion without numero_resolucion', { agenteretencion: true }],
    ['smtp without its fields', { smtp: true, smtp_host: 'mail.example.com', smtp_port: 25 }],
  ])('Errors 12: %s: the client names the same fields as the service', async (_, change) => {
    const { sandbox, calls } = await openSandbox();
    const wrong = { ...company, ...change };
    const here = expectKind(await calls.crearEmpresa(wrong), 'refused');
    const there = await fetch(`${sandbox.url}/api/empresa/crear`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'clave-de-prueba', 'content-type': 'application/json' },
      body: JSON.stringify(wrong),
    });
    const { errors } = (await there.json()) as { errors: object };
    expect(Object.keys(here.fields).sort()).toEqual(Object.keys(errors).sort());
    expect(sandbox.requests()).toHaveLength(1);
  });

  test('Errors 5: edit, signature and logo of a company that is not there are not-found', async () => {
    const { calls } = await openSandbox();
    expect(await calls.editarEmpresa(company)).toEqual({ kind: 'not-found' });
    expect(await calls.subirFirmaElectronica({ ruc, firma_file: p12(), password })).toEqual({
      kind: 'not-found',
    });
    expect(await calls.subirLogoEmpresa({ ruc, logo_file: png() })).toEqual({ kind: 'not-found' });
  });

  test('Errors 4: a wrong key is unauthorized', async () => {
    const { calls } = await openSandbox({}, { apiKey: 'otra' });
    expect(await calls.crearEmpresa(company)).toEqual({ kind: 'unauthorized' });
  });
});

describe.each(['multipart', 'json'] as const)('signature and logo as %s', (as) => {
  test('POST /api/empresa/subirfirma, subirlogo: both are taken', async () => {
    const { calls } = await openSandbox();
    await calls.crearEmpresa(company);
    const signature = { ruc, firma_file: p12(), password };
    expectKind(await calls.subirFirmaElectronica(signature, { as }), 'saved');
    expectKind(await calls.subirLogoEmpresa({ ruc, logo_file: png() }, { as }), 'saved');
  });

  test('a signature that does not open with its password is refused under its field', async () => {
    const { calls } = await openSandbox();
    await calls.crearEmpresa(company);
    const wrong = { ruc, firma_file: p12(), password: 'otra' };
    const refused = expectKind(await calls.subirFirmaElectronica(wrong, { as }), 'refused');
    expect(refused).toMatchObject({ status: 400, fields: { password: [expect.any(String)] } });
  });

  test('bytes that are no signature, and half a logo, are refused under their field', async () => {
    const { calls } = await openSandbox();
    await calls.crearEmpresa(company);
    const noise = { ruc, firma_file: new Uint8Array(300), password };
    const firma = expectKind(await calls.subirFirmaElectronica(noise, { as }), 'refused');
    expect(Object.keys(firma.fields)).toEqual([as === 'json' ? 'firma_base64' : 'firma_file']);
    const half = { ruc, logo_file: png().subarray(0, 30) };
    const logo = expectKind(await calls.subirLogoEmpresa(half, { as }), 'refused');
    expect(Object.keys(logo.fields)).toEqual([as === 'json' ? 'logo_base64' : 'logo_file']);
  });
});

test('from nothing to an authorised factura: company, signature, logo, emission, state, XML and PDF', async () => {
  const { calls, settled } = await openSandbox({ strict: true });
  const body = factura() as FacturaRequest;
  expectKind(await calls.emitirFactura(body), 'refused');
  expectKind(await calls.crearEmpresa(company), 'saved');
  const signature = { ruc, firma_file: p12({ certificates: [certificate({ ruc })] }), password };
  expectKind(await calls.subirFirmaElectronica(signature), 'saved');
  expectKind(await calls.subirLogoEmpresa({ ruc, logo_file: png() }), 'saved');
  const { claveacceso } = expectKind(await calls.emitirFactura(body), 'created');
  expect(await settled(claveacceso)).toMatchObject({ state: 'authorized' });
  expectKind(await calls.descargarXml(claveacceso), 'found');
  for (const file of [
    await calls.descargarXml(claveacceso, 'stream'),
    await calls.descargarPdf(claveacceso),
  ]) {
    expectKind(file, 'found').stream.destroy();
  }
});
