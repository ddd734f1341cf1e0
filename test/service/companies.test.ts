import { describe, expect, test } from 'vitest';
import type { CompanyRequest } from '../../src/service/shapes.ts';
import { type Arrived, answering, openClient, openHostile, recording } from './hostile.ts';

const ruc = '1792146739001';
const company: CompanyRequest = { ruc, razon_social: 'EMISOR DE PRUEBA S.A.' };
const good = { respuesta: true, mensaje: 'Empresa creada.', data: { id: 7, ruc, razon_social: 'EMISOR' } };
const saved = {
  kind: 'saved',
  empresa: { id: 7, ruc, razonSocial: 'EMISOR' },
  mensaje: 'Empresa creada.',
  aviso: null,
};
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const p12 = Uint8Array.from([0x30, 0x82, 0, 255, 13, 10, 45, 45]);
const megabytes = (count: number, more = 0) => {
  const bytes = new Uint8Array(count * 1024 * 1024 + more);
  bytes.set(png);
  return bytes;
};

/** The parts of a multipart body, as any other reader of them sees them. */
async function partsOf(arrived: Arrived | undefined) {
  const type = arrived?.headers['content-type'] ?? '';
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  return new Response(Uint8Array.from(arrived?.body ?? []), { headers: { 'content-type': type } }).formData();
}

describe('what the company routes answer', () => {
  test.each([
    ['EmpresaResponse', 200, good, saved],
    ['201 too', 201, good, saved],
    ['respuesta as the string "true"', 200, { ...good, respuesta: 'true' }, saved],
    ['the notice beside it', 200, { ...good, aviso_proveedor_sri: 'Falta' }, { ...saved, aviso: 'Falta' }],
    [
      'no data',
      200,
      { respuesta: true },
      { ...saved, empresa: { id: null, ruc: null, razonSocial: null }, mensaje: null },
    ],
    [
      'Errors 3: 400 with errors by field',
      400,
      { respuesta: false, errors: { ruc: ['no es válido', 'es corto'], smtp_host: ['falta'] } },
      {
        kind: 'refused',
        status: 400,
        errors: ['ruc: no es válido', 'ruc: es corto', 'smtp_host: falta'],
        fields: { ruc: ['no es válido', 'es corto'], smtp_host: ['falta'] },
      },
    ],
    [
      'the other shape of failure',
      400,
      { success: false, message: 'No se pudo leer' },
      { kind: 'refused', status: 400, errors: ['No se pudo leer'], fields: {} },
    ],
    [
      '200 with respuesta "false" as a string',
      200,
      { respuesta: 'false', errors: { ruc: 'no es válido' } },
      { kind: 'refused', status: 200, errors: ['ruc: no es válido'], fields: { ruc: ['no es válido'] } },
    ],
  ])('%s', async (_, status, body, expected) => {
    const { calls } = openClient(await answering(status, body));
    expect(await calls.crearEmpresa(company)).toEqual(expected);
    expect(await calls.editarEmpresa(company)).toEqual(expected);
    expect(await calls.subirFirmaElectronica({ ruc, firma_file: p12, password: 'x' })).toEqual(expected);
    expect(await calls.subirLogoEmpresa({ ruc, logo_file: png })).toEqual(expected);
  });

  test('Errors 5: 404 on edit, signature and logo is not-found; on create it teaches nothing', async () => {
    const { calls } = openClient(await answering(404, { respuesta: false, errors: { ruc: ['no existe'] } }));
    expect(await calls.editarEmpresa(company)).toEqual({ kind: 'not-found' });
    expect(await calls.subirFirmaElectronica({ ruc, firma_file: p12, password: 'x' })).toEqual({
      kind: 'not-found',
    });
    expect(await calls.subirLogoEmpresa({ ruc, logo_file: png })).toEqual({ kind: 'not-found' });
    expect(await openClient(await answering(404, '<html>')).calls.crearEmpresa(company)).toMatchObject({
      kind: 'unknown',
      mayHaveLeft: true,
    });
  });

  test('a good answer without "respuesta" is unknown, never saved', async () => {
    const { calls } = openClient(await answering(200, { mensaje: 'ok', data: good.data }));
    expect(await calls.crearEmpresa(company)).toMatchObject({ kind: 'unknown', mayHaveLeft: true });
  });
});

describe('what leaves for a company', () => {
  test('the fields leave as JSON under their names', async () => {
    const { url, arrived } = await recording(good);
    const full = { ...company, agenteretencion: true, numero_resolucion: '123', smtp_encryption: null };
    const { calls } = openClient(url);
    await calls.crearEmpresa(full);
    await calls.editarEmpresa(full);
    for (const { headers, body } of arrived) {
      expect(headers['content-type']).toBe('application/json');
      expect(JSON.parse(body.toString())).toEqual(full);
    }
    expect(arrived).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'smtp: needs its fields',
      { smtp: true, smtp_host: '' },
      ['smtp_from_email', 'smtp_host', 'smtp_password', 'smtp_port', 'smtp_user'],
    ],
    [
      'a password is not in what is said of a port',
      { smtp_password: 'secreto', smtp_port: 'secreto' },
      ['smtp_port'],
    ],
    ['a name the table does not have', { telefono: '099' }, ['telefono']],
  ])('Errors 12: %s; refused before anything leaves', async (_, change, fields) => {
    const { calls, rateLimit } = openClient('http://127.0.0.1:9');
    const wrong = { ...company, ...change } as CompanyRequest;
    for (const answer of [await calls.crearEmpresa(wrong), await calls.editarEmpresa(wrong)]) {
      if (answer.kind !== 'refused') throw new Error(answer.kind);
      expect(answer.status).toBeNull();
      expect(Object.keys(answer.fields).sort()).toEqual(fields);
      expect(answer.errors.join()).not.toContain('secreto');
    }
    expect(rateLimit.taken).toEqual([]);
  });
});

describe('signature and logo', () => {
  test('the signature leaves as multipart: ruc, firma_file, password', async () => {
    const { url, arrived } = await recording(good);
    const within = new Uint8Array(64);
    within.set(p12, 16);
    const view = within.subarray(16, 16 + p12.length);
    await openClient(url).calls.subirFirmaElectronica({ ruc, firma_file: view, password: 'clave ñ' });
    const parts = await partsOf(arrived[0]);
    expect([...parts.keys()].sort()).toEqual(['firma_file', 'password', 'ruc']);
    expect(parts.get('ruc')).toBe(ruc);
    expect(parts.get('password')).toBe('clave ñ');
    const file = parts.get('firma_file') as File;
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(p12);
    expect(Number(arrived[0]?.headers['content-length'])).toBe(arrived[0]?.body.length);
  });

  test('or as JSON: ruc, firma_base64, password, and no file beside it', async () => {
    const { url, arrived } = await recording(good);
    await openClient(url).calls.subirFirmaElectronica(
      { ruc, firma_file: p12, password: 'x' },
      { as: 'json' },
    );
    expect(JSON.parse(String(arrived[0]?.body))).toEqual({
      ruc,
      firma_base64: Buffer.from(p12).toString('base64'),
      password: 'x',
    });
  });

  test.each([
    ['PNG', png, 'image/png', 'logo.png'],
    ['JPEG', jpeg, 'image/jpeg', 'logo.jpg'],
  ])('a %s logo leaves as multipart or as base64 without a data URI', async (_, bytes, type, name) => {
    const { url, arrived } = await recording(good);
    const { calls } = openClient(url);
    await calls.subirLogoEmpresa({ ruc, logo_file: bytes });
    await calls.subirLogoEmpresa({ ruc, logo_file: bytes }, { as: 'json' });
    const file = (await partsOf(arrived[0])).get('logo_file') as File;
    expect({ type: file.type, name: file.name }).toEqual({ type, name });
    expect(JSON.parse(String(arrived[1]?.body))).toEqual({
      ruc,
      logo_base64: Buffer.from(bytes).toString('base64'),
    });
  });

  test('Limits: signature of 10 MB, logo of 2 MB; one byte more is refused before it leaves', async () => {
    const { url, arrived } = await recording(good);
    const { calls, rateLimit } = openClient(url);
    const sign = (firma_file: Uint8Array) => calls.subirFirmaElectronica({ ruc, firma_file, password: 'x' });
    const logo = (logo_file: Uint8Array) => calls.subirLogoEmpresa({ ruc, logo_file });
    expect((await sign(megabytes(10))).kind).toBe('saved');
    expect((await logo(megabytes(2))).kind).toBe('saved');
    expect(await sign(megabytes(10, 1))).toMatchObject({
      kind: 'refused',
      status: null,
      fields: { firma_file: [expect.stringContaining('10 MB')] },
    });
    expect(await logo(megabytes(2, 1))).toMatchObject({
      kind: 'refused',
      status: null,
      fields: { logo_file: [expect.stringContaining('2 MB')] },
    });
    expect(arrived).toHaveLength(2);
    expect(rateLimit.taken).toHaveLength(2);
  });

  test.each(['multipart', 'json'] as const)(
    'a connection cut in the middle of the upload as %s teaches nothing, and it is not sent again',
    async (as) => {
      let requests = 0;
      const url = await openHostile((req) => {
        requests += 1;
        req.once('data', () => req.socket.destroy());
      });
      const signature = { ruc, firma_file: megabytes(10), password: 'x' };
      expect(await openClient(url).calls.subirFirmaElectronica(signature, { as })).toMatchObject({
        kind: 'unknown',
      });
      expect(requests).toBe(1);
    },
  );

  test('a refusal before the upload has ended is read all the same', async () => {
    const url = await openHostile((req, res) => {
      const body = JSON.stringify({ success: false, message: 'Demasiado grande' });
      req.once('data', () => res.writeHead(413, { connection: 'close' }).end(body));
      req.resume();
    });
    const signature = { ruc, firma_file: megabytes(10), password: 'x' };
    expect(await openClient(url).calls.subirFirmaElectronica(signature)).toMatchObject({
      kind: 'refused',
      status: 413,
      errors: ['Demasiado grande'],
    });
  });

  test('an empty file and a logo that is no PNG or JPEG never leave', async () => {
    const { calls } = openClient('http://127.0.0.1:9');
    const gif = new TextEncoder().encode('GIF89a');
    expect(await calls.subirLogoEmpresa({ ruc, logo_file: gif })).toMatchObject({
      kind: 'refused',
      fields: { logo_file: ['Debe ser una imagen PNG o JPEG.'] },
    });
    const empty = new Uint8Array();
    expect(await calls.subirFirmaElectronica({ ruc, firma_file: empty, password: 'x' })).toMatchObject({
      kind: 'refused',
      fields: { firma_file: ['El archivo está vacío.'] },
    });
  });
});
