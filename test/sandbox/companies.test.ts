import { describe, expect, test } from 'vitest';
import { company, create, edit, mail, ruc, sendForm, sendRawForm } from './company-support.ts';
import { apiKey, start } from './support.ts';

const saved = (razon_social = 'EMISOR DE PRUEBA S.A.') => ({
  respuesta: true,
  mensaje: expect.stringMatching(/\.$/),
  data: { id: 1, ruc, razon_social },
});

/** The answer of a refused company: which fields, each with Spanish sentences. */
const refusing = (...fields: string[]) => ({
  respuesta: false,
  errors: Object.fromEntries(fields.map((field) => [field, [expect.stringMatching(/^\p{Lu}.+\.$/u)]])),
});

describe('crear_empresa: POST /api/empresa/crear', () => {
  test('200: answers respuesta, mensaje and data with id, ruc and razon_social', async () => {
    const { status, headers, body } = await create(await start());
    expect(status).toBe(200);
    expect(body).toMatchObject(saved());
    expect(Object.keys(body.data)).toEqual(['id', 'ruc', 'razon_social']);
    expect(headers.get('x-sandbox-inferred')).toBeNull();
  });

  test('each company of an account has an id of its own', async () => {
    const client = await start();
    await create(client);
    const { body } = await create(client, company({ ruc: '1790016919001' }));
    expect(body.data).toMatchObject({ id: 2, ruc: '1790016919001' });
  });

  test('a RUC the account already has is refused under ruc', async () => {
    const client = await start();
    await create(client);
    const { status, body } = await create(client);
    expect(status).toBe(400);
    expect(body).toMatchObject(refusing('ruc'));
  });

  test('the same RUC may be registered in two accounts', async () => {
    const client = await start({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    await create(client);
    const { status } = await client.send('POST', '/api/empresa/crear', company(), 'otra');
    expect(status).toBe(200);
  });

  test('401: an invalid key answers success false and message', async () => {
    const client = await start();
    const { status, body } = await client.send('POST', '/api/empresa/crear', company(), 'mala');
    expect(status).toBe(401);
    expect(body).toMatchObject({ success: false, message: expect.any(String) });
  });

  test('429: more than 300 requests in a minute answer success false and message', async () => {
    const client = await start();
    for (let i = 0; i < 300; i++) await create(client, {});
    const { status, body } = await create(client);
    expect(status).toBe(429);
    expect(body).toMatchObject({ success: false, message: expect.any(String) });
  });
});

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
  const nullable = [
    ...['ncontribuyenteespecial', 'calificacionartesanal', 'numero_resolucion', 'smtp_host', 'smtp_port'],
    ...['smtp_user', 'smtp_password', 'smtp_encryption', 'smtp_from_email', 'smtp_from_name'],
  ];

  test('every field of the table is taken', async () => {
    expect((await create(await start(), company(everything))).status).toBe(200);
  });

  test.each(nullable)('%s may be null', async (field) => {
    expect((await create(await start(), company({ [field]: null }))).status).toBe(200);
  });

  test.each([
    ...['exportador_habitual', 'grancontribuyente', 'agenteretencion', 'contabilidad', 'regimen_rimpe'],
    ...['regimen_rimpe_popular', 'smtp'],
  ])('%s is a boolean: null and "true" are refused', async (field) => {
    const client = await start();
    for (const wrong of [null, 'true', 1]) {
      const { status, body } = await create(client, company({ [field]: wrong }));
      expect(status).toBe(400);
      expect(body).toMatchObject(refusing(field));
    }
  });

  test.each([
    ['ruc', { ruc: undefined }],
    ['ruc', { ruc: '179214673900' }],
    ['ruc', { ruc: '17921467390011' }],
    ['ruc', { ruc: '179214673900A' }],
    ['ruc', { ruc: '9992146739001' }],
    ['ruc', { ruc: '1792146739000' }],
    ['ruc', { ruc: 1792146739001 }],
    ['ruc', { ruc: '__proto__' }],
    ['razon_social', { razon_social: undefined }],
    ['razon_social', { razon_social: '  ' }],
    ['razon_social', { razon_social: null }],
    ['razon_social', { razon_social: 'x'.repeat(301) }],
    ['ncontribuyenteespecial', { ncontribuyenteespecial: 826 }],
    ['numero_resolucion', { agenteretencion: true }],
    ['numero_resolucion', { agenteretencion: true, numero_resolucion: ' ' }],
    ['regimen_rimpe', { regimen_rimpe: true, regimen_rimpe_popular: true }],
    ['smtp_host', { ...mail, smtp_host: undefined }],
    ['smtp_port', { ...mail, smtp_port: null }],
    ['smtp_user', { ...mail, smtp_user: undefined }],
    ['smtp_password', { ...mail, smtp_password: '' }],
    ['smtp_from_email', { ...mail, smtp_from_email: null }],
    ['smtp_from_email', { ...mail, smtp_from_email: 'facturas' }],
    ['smtp_port', { smtp_port: '587' }],
    ['smtp_port', { smtp_port: 587.5 }],
    ['smtp_port', { smtp_port: 70_000 }],
    ['smtp_encryption', { smtp_encryption: 'starttls' }],
    ['correo', { correo: 'a@example.com' }],
  ])('400: %s is at fault in %o', async (field, change) => {
    const { status, body } = await create(await start(), company(change));
    expect(status).toBe(400);
    expect(body).toMatchObject(refusing(field));
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  test.each(['tls', 'ssl', null])('smtp_encryption may be %s', async (smtp_encryption) => {
    expect((await create(await start(), company({ ...mail, smtp_encryption }))).status).toBe(200);
  });

  test.each([
    ['mail settings without smtp_from_name', mail],
    ['smtp false without any of its fields', { smtp: false }],
    ['one RIMPE regime', { regimen_rimpe_popular: true }],
    ['numero_resolucion without agenteretencion', { numero_resolucion: 'NAC-1' }],
    ['a RUC whose check digits follow no algorithm', { ruc: '1791234567001' }],
  ])('%s are enough', async (_, change) => {
    expect((await create(await start(), company(change))).status).toBe(200);
  });

  test('every fault of a body is told at once', async () => {
    const { body } = await create(await start(), { ruc: '1', smtp: 'no' });
    expect(Object.keys(body.errors).sort()).toEqual(['razon_social', 'ruc', 'smtp']);
  });
});

describe('editar_empresa: PUT /api/empresa/editar', () => {
  test('200: the RUC says which company; its id stays', async () => {
    const client = await start();
    await create(client);
    const { status, body } = await edit(client, company({ razon_social: 'NUEVA S.A.' }));
    expect(status).toBe(200);
    expect(body).toMatchObject(saved('NUEVA S.A.'));
  });

  test('400: the schema is the same as for crear', async () => {
    const client = await start();
    await create(client);
    const { status, body } = await edit(client, { ruc, smtp: true });
    expect(status).toBe(400);
    expect(body).toMatchObject({ respuesta: false, errors: { razon_social: [expect.any(String)] } });
  });

  test('404: a company the account does not have, told under ruc', async () => {
    const client = await start({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    await client.send('POST', '/api/empresa/crear', company(), 'otra');
    const { status, body } = await edit(client, company());
    expect(status).toBe(404);
    expect(body).toMatchObject(refusing('ruc'));
  });

  test('an edited company does not come back under crear, and one never created is not there after a 404', async () => {
    const client = await start();
    expect((await edit(client, company())).status).toBe(404);
    expect((await create(client)).status).toBe(200);
    expect((await edit(client, company())).status).toBe(200);
    expect((await create(client)).status).toBe(400);
  });
});

describe('an account’s companies', () => {
  test('may be there from the start', async () => {
    const client = await start({
      accounts: [{ apiKey, companies: [{ ruc, razon_social: 'EMISOR DE PRUEBA S.A.' }] }],
    });
    expect((await create(client)).status).toBe(400);
    expect((await edit(client, company())).status).toBe(200);
  });

  test('a wrong one at the start is refused with its reason', async () => {
    const wrong = { ruc: '1', razon_social: 'X' };
    await expect(start({ accounts: [{ apiKey, companies: [wrong] }] })).rejects.toThrow(/13 dígitos/);
  });

  test('are gone after a reset, but for those of the start', async () => {
    const client = await start();
    await create(client);
    client.sandbox.reset();
    expect((await create(client)).status).toBe(200);
  });

  test('aviso_proveedor_sri is in company answers too while provider data is not approved', async () => {
    const { body } = await create(await start());
    expect(body.aviso_proveedor_sri).toEqual(expect.any(String));
  });

  test('no mail password is in the kept requests', async () => {
    const client = await start();
    await create(client, company(mail));
    expect(JSON.stringify(client.sandbox.requests())).toContain('smtp.example.com');
    expect(JSON.stringify(client.sandbox.requests())).not.toContain('secreto-smtp');
  });
});

describe('hostile bodies on company routes get a 400, never a crash', () => {
  const paths = ['/api/empresa/crear', '/api/empresa/subirfirma', '/api/empresa/subirlogo'];

  test.each(paths)('%s: JSON that is none, no object, or names a prototype', async (path) => {
    const client = await start();
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"__proto__":{"ruc":"1"},"constructor":1,"toString":2}',
    ]) {
      const answer = await client.send('POST', path, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ respuesta: false });
    }
    const answer = await client.send('POST', path, '{"__proto__":1}');
    expect(Object.entries(answer.body.errors)).toContainEqual(['__proto__', [expect.any(String)]]);
    expect((await client.send('POST', '/api/ping')).body).toMatchObject({ pong: true });
  });

  const part = (name: string, value: string, rest = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${value}\r\n`;
  test.each([
    ['without boundary', 'multipart/form-data', part('ruc', ruc)],
    ['with another boundary', 'multipart/form-data; boundary=x', `${part('ruc', ruc)}--b--`],
    [
      'cut short',
      'multipart/form-data; boundary=b',
      part('firma_file', 'abc', '; filename="f"').slice(0, -6),
    ],
    ['empty', 'multipart/form-data; boundary=b', ''],
    ['with a field twice', 'multipart/form-data; boundary=b', `${part('ruc', ruc)}${part('ruc', ruc)}--b--`],
    [
      'with a file twice',
      'multipart/form-data; boundary=b',
      `${part('f', 'x', '; filename="f"').repeat(2)}--b--`,
    ],
    ['with parts without name', 'multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--'],
    [
      'with fields named after prototypes',
      'multipart/form-data; boundary=b',
      `${part('__proto__', 'x')}${part('constructor', 'x', '; filename="f"')}--b--`,
    ],
    [
      'with a thousand parts',
      'multipart/form-data; boundary=b',
      `${Array.from({ length: 1000 }, (_, i) => part(`f${i}`, 'x')).join('')}--b--`,
    ],
    [
      'with a thousand files',
      'multipart/form-data; boundary=b',
      `${Array.from({ length: 1000 }, (_, i) => part(`f${i}`, 'x', '; filename="f"')).join('')}--b--`,
    ],
  ])('multipart %s', async (_, type, body) => {
    const client = await start();
    for (const path of paths) {
      const answer = await sendRawForm(client, path, type, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ respuesta: false, errors: expect.any(Object) });
    }
    expect((await client.send('POST', '/api/ping')).body).toMatchObject({ pong: true });
  });

  test('a body beyond 16 MB', async () => {
    const client = await start();
    const huge = Buffer.alloc(17 * 1024 * 1024);
    const { status, body } = await sendForm(client, '/api/empresa/subirfirma', {
      ruc,
      password: 'x',
      firma_file: huge,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject(refusing('cuerpo'));
  });
});
