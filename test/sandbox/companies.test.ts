import { describe, expect, test } from 'vitest';
import { companySchema } from '../../sandbox/emulator/accounts/company-fields.ts';
import { readFields } from '../../sandbox/emulator/accounts/field-errors.ts';
import { apiKey, company, create, edit, mail, ruc, sendRawForm, start } from './support.ts';

/** The answer of a refused company: which fields, each with Spanish sentences. */
const refusing = (...fields: string[]) => ({
  respuesta: false,
  errors: Object.fromEntries(fields.map((field) => [field, [expect.stringMatching(/^\p{Lu}.+\.$/u)]])),
});

/** What is wrong with a company, by field; nothing when the schema takes it. */
function faults(body: unknown): Record<string, string[]> {
  const read = readFields(companySchema, body);
  return 'errors' in read ? read.errors : {};
}

// One schema serves POST /api/empresa/crear and PUT /api/empresa/editar.
describe('the company fields', () => {
  const everything = {
    ncontribuyenteespecial: '826',
    calificacionartesanal: 'A-1',
    exportador_habitual: true,
    grancontribuyente: true,
    agenteretencion: true,
    contabilidad: true,
    regimen_rimpe: true,
    regimen_rimpe_popular: false,
    numero_resolucion: 'NAC-1',
    ...mail,
    smtp_encryption: 'tls',
    smtp_from_name: 'Facturas',
  };

  test('every field of the table is taken', () => {
    expect(faults(company(everything))).toEqual({});
  });

  test('every optional text and number may be null, no boolean may', () => {
    for (const [field, value] of Object.entries(everything)) {
      const isBoolean = typeof value === 'boolean';
      expect(faults(company({ [field]: null }))).toEqual(isBoolean ? refusing(field).errors : {});
      if (isBoolean) expect(faults(company({ [field]: 'true' }))).toEqual(refusing(field).errors);
    }
  });

  test.each([
    ['ruc', { ruc: '9992146739001' }],
    ['ruc', { ruc: '1792146739000' }],
    ['ruc', { ruc: 1792146739001 }],
    ['ruc', { ruc: '__proto__' }],
    ['razon_social', { razon_social: null }],
    ['ncontribuyenteespecial', { ncontribuyenteespecial: 826 }],
    ['numero_resolucion', { agenteretencion: true }],
    ['regimen_rimpe', { regimen_rimpe: true, regimen_rimpe_popular: true }],
    ['smtp_port', { ...mail, smtp_port: null }],
    ['smtp_password', { ...mail, smtp_password: '' }],
    ['smtp_from_email', { ...mail, smtp_from_email: null }],
    ['smtp_from_email', { ...mail, smtp_from_email: 'facturas' }],
    ['smtp_port', { smtp_port: 587.5 }],
    ['smtp_port', { smtp_port: 70_000 }],
    ['correo', { correo: 'a@example.com' }],
  ])('%s is at fault in %o', (field, change) => {
    expect(faults(company(change))).toEqual(refusing(field).errors);
  });

  test.each<[string, object]>([
    ['one RIMPE regime', { regimen_rimpe_popular: true }],
    ['numero_resolucion without agenteretencion', { numero_resolucion: 'NAC-1' }],
    ['a RUC whose check digits follow no algorithm', { ruc: '1791234567001' }],
  ])('%s is enough', (_, change) => {
    expect(faults(company(change))).toEqual({});
  });

  test.each([
    ...['ncontribuyenteespecial', 'calificacionartesanal'].map((field) => [field, 50] as const),
    ['numero_resolucion', 100],
    ...['razon_social', 'smtp_host', 'smtp_user', 'smtp_password', 'smtp_from_name'].map(
      (field) => [field, 300] as const,
    ),
  ] as const)('%s has %i characters at most', (field, most) => {
    expect(faults(company({ [field]: 'ñ'.repeat(most) }))).toEqual({});
    expect(faults(company({ [field]: 'x'.repeat(most + 1) }))).toEqual(refusing(field).errors);
  });
});

describe('an account’s companies', () => {
  test('have ids of their own, and are no other account’s: the same RUC may be in two', async () => {
    const client = await start({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    const { status, headers, body } = await create(client);
    expect([status, headers.get('x-sandbox-inferred')]).toEqual([200, null]);
    expect(Object.keys(body.data)).toEqual(['id', 'ruc', 'razon_social']);
    const second = await create(client, company({ ruc: '1790016919001' }));
    expect([body.data.id, second.body.data.id]).toEqual([1, 2]);
    expect((await client.send('POST', '/api/empresa/crear', company(), 'otra')).status).toBe(200);
    // Provider data are not approved: every answer says so.
    expect(body.aviso_proveedor_sri).toEqual(expect.any(String));
  });

  test('are created once, and edited under their RUC and id', async () => {
    const client = await start();
    expect((await edit(client, company())).status).toBe(404);
    const { body: created } = await create(client);
    const { status, body } = await edit(client, company({ razon_social: 'NUEVA S.A.' }));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { respuesta: true, data: { ...created.data, razon_social: 'NUEVA S.A.' } },
    });
    expect(await create(client)).toMatchObject({ status: 400, body: refusing('ruc') });
    expect(await edit(client, { ruc, smtp: true })).toMatchObject({
      status: 400,
      body: { respuesta: false, errors: { razon_social: [expect.any(String)] } },
    });
  });

  test('404: of another account there is none to edit, told under ruc', async () => {
    const client = await start({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    await client.send('POST', '/api/empresa/crear', company(), 'otra');
    expect(await edit(client, company())).toMatchObject({ status: 404, body: refusing('ruc') });
  });

  test('may be there from the start, and are again after a reset; others are gone', async () => {
    const [first, second] = [ruc, '1790016919001'];
    const companies = [{ ruc: first, razon_social: 'EMISOR DE PRUEBA S.A.' }];
    const client = await start({ accounts: [{ apiKey, companies }] });
    expect((await create(client)).status).toBe(400);
    await create(client, company({ ruc: second }));
    client.sandbox.reset();
    expect((await edit(client, company())).status).toBe(200);
    expect((await create(client, company({ ruc: second }))).status).toBe(200);
  });
});

describe('hostile bodies on company routes get a 400, never a crash', () => {
  const paths = ['/api/empresa/crear', '/api/empresa/subirfirma', '/api/empresa/subirlogo'];

  const part = (name: string, value: string, rest = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${value}\r\n`;
  const file = '; filename="f"';
  const form = 'multipart/form-data; boundary=b';
  const thousand = Array.from({ length: 1000 }, (_, i) => part(`f${i}`, 'x')).join('');
  test.each([
    ['without boundary', 'multipart/form-data', part('ruc', ruc)],
    ['cut short', form, part('firma_file', 'abc', file).slice(0, -6)],
    ['with a field twice', form, `${part('ruc', ruc)}${part('ruc', ruc)}--b--`],
    ['with parts without name', form, '--b\r\n\r\nx\r\n--b--'],
    [
      'with fields named after prototypes',
      form,
      `${part('__proto__', 'x')}${part('constructor', 'x', file)}--b--`,
    ],
    ['with a thousand parts', form, `${thousand}--b--`],
  ])('multipart %s', async (_, type, body) => {
    const client = await start();
    for (const path of paths) {
      const answer = await sendRawForm(client, path, type, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ respuesta: false, errors: expect.any(Object) });
    }
    expect((await client.send('POST', '/api/ping')).body).toMatchObject({ pong: true });
  });
});
