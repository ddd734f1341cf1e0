import { describe, expect, it, vi } from 'vitest';
import { type IssuerRecord, issuerName, issuersUnder } from '../../src/domain/issuer-record.ts';
import type { LedgerDesk } from '../../src/setup/health.ts';
import { png } from '../sandbox/image-support.ts';
import { openHouse, p12For, ruc, signature, states } from './house.ts';

const withFiles = { signature, logo: 'logo.png' };
const given = async (house: Awaited<ReturnType<typeof openHouse>>, days = 400) => {
  vi.stubEnv('FIRMA_DE_PRUEBA', 'clave');
  await house.file('firma.p12', p12For(days));
  await house.file('logo.png', png());
};

describe('the service side of install', () => {
  it('registers company, signature, logo and webhook, and the service issues from then on', async () => {
    const house = await openHouse({ issuer: withFiles });
    await given(house);
    expect(await house.issues()).toBe(false);
    const plan = await house.run({ check: true });
    expect(states(plan)).toMatchObject({
      'api-key': 'ok',
      'service-webhook': 'missing',
      company: 'missing',
      signature: 'missing',
      logo: 'missing',
    });
    expect(plan.signature?.cure).toMatch(/MARÍA JOSÉ PEÑAFIEL, vale hasta el \d{4}-/);
    expect(house.writes()).toEqual(['POST /api/factura/emision 200']);
    const done = await house.run();
    expect(Object.values(done).every(({ state }) => state === 'ok')).toBe(true);
    expect(done.company?.done).toBe(true);
    expect(await house.issues()).toBe(true);
  });

  it('changes nothing the second time, and only what changed the third', async () => {
    const house = await openHouse({ issuer: withFiles });
    await given(house);
    await house.run();
    const before = house.writes();
    expect(before).toHaveLength(4);
    expect((await house.run()).company).toMatchObject({ state: 'ok' });
    expect(house.writes()).toEqual(before);
    house.change({ issuer: { ...withFiles, razon_social: 'Otro Nombre S.A.' } });
    expect((await house.run({ check: true })).company?.state).toBe('differs');
    await house.run();
    expect(house.writes().slice(4)).toEqual(['PUT /api/empresa/editar 200']);
    await house.run({ resend: true });
    expect(house.writes()).toHaveLength(9);
  });

  it('ends the same wherever it is killed, and repeated', async () => {
    let killings = 0;
    for (let at = 0; ; at += 1) {
      const house = await openHouse({ issuer: withFiles });
      await given(house);
      let calls = 0;
      const mortal: LedgerDesk = {
        ...house.desk,
        async put(...write) {
          if (calls++ === at) throw new Error('killed');
          return house.desk.put(...write);
        },
      };
      const killed = await house.run({}, mortal).then(
        () => false,
        () => true,
      );
      if (!killed) break;
      killings += 1;
      const again = await house.run();
      expect(Object.values(again).map(({ state }) => state)).not.toContain('problem');
      expect(await house.issues()).toBe(true);
      const before = house.writes().length;
      await house.run();
      expect(house.writes()).toHaveLength(before);
    }
    expect(killings).toBe(5);
  });

  it('warns of an issuer that is a negocio popular, whose regime issues notas de venta, and goes on', async () => {
    const house = await openHouse({ issuer: { obligado_contabilidad: 'NO', regimen_rimpe_popular: true } });
    const items = await house.run();
    expect(items['rimpe-popular']).toMatchObject({
      state: 'warning',
      cure: expect.stringMatching(/notas de venta, no facturas.*Compruebe en su RUC/),
    });
    expect(items.company?.state).toBe('ok');
    house.change({ issuer: { regimen_rimpe: true } });
    expect((await house.run())['rimpe-popular']).toBeUndefined();
  });

  it('takes a company whose answer was lost for its own', async () => {
    const house = await openHouse();
    house.sandbox.faults.add({ dropAnswer: { operacion: 'crear_empresa' } });
    expect((await house.run()).company?.state).toBe('problem');
    expect((await house.run()).company).toMatchObject({ state: 'ok', done: true });
  });

  it('sends the old data again after an edit whose answer was lost was taken back', async () => {
    const house = await openHouse();
    await house.run();
    house.change({ issuer: { razon_social: 'Otro Nombre S.A.' } });
    house.sandbox.faults.add({ dropAnswer: { operacion: 'editar_empresa' } });
    expect((await house.run()).company?.state).toBe('problem');
    house.change({ issuer: {} });
    expect((await house.run()).company).toMatchObject({ state: 'ok', done: true });
    expect(house.writes().filter((one) => one.includes('editar'))).toHaveLength(2);
  });

  it('leaves alone what somebody else entered, until it is told to replace it', async () => {
    const other = { url: 'http://127.0.0.1:9/otro-sistema', secret: 'de-otro' };
    const house = await openHouse({
      account: { webhook: other, companies: [{ ruc, razon_social: 'De otro' }] },
    });
    const found = await house.run();
    expect(found.company).toMatchObject({ state: 'problem', cure: expect.stringContaining('--replace') });
    expect(found['service-webhook']).toMatchObject({
      state: 'problem',
      cure: expect.stringMatching(/otro-sistema.*--replace/),
    });
    expect(house.writes()).toEqual(['POST /api/empresa/crear 400']);
    expect(states(await house.run({ replace: true }))).toMatchObject({
      company: 'ok',
      'service-webhook': 'ok',
    });
  });

  it('takes the company’s own mail server along, and says what happens to one it is not told of', async () => {
    const smtp = {
      host: 'smtp.mitienda.ec',
      port: 587,
      user: 'facturas@mitienda.ec',
      password: 'clave-del-correo',
      encryption: 'tls',
      fromEmail: 'facturas@mitienda.ec',
      fromName: 'Mi Tienda',
    };
    const house = await openHouse();
    await house.run();
    house.change({ issuer: { smtp } });
    expect((await house.run({ check: true })).company?.cure).not.toMatch(/SMTP/);
    expect((await house.run()).company).toMatchObject({ state: 'ok', done: true });
    const sent = house.sandbox.requests().findLast(({ method }) => method === 'PUT')?.body;
    expect(sent).toMatchObject({ smtp: true, smtp_host: smtp.host, smtp_from_name: 'Mi Tienda' });
    expect((await house.run()).company?.done).toBeUndefined();
    // The block of every document knows nothing of it.
    expect(JSON.stringify(await house.stores())).not.toContain('clave-del-correo');
    house.change({ issuer: {} });
    expect((await house.run({ check: true })).company?.cure).toMatch(/SMTP.*se apaga.*«smtp» del emisor/);
  });

  it('tells of a logo it cannot read, and passes on why the service refuses one', async () => {
    const house = await openHouse({ issuer: { ...withFiles, logo: 'no-esta.png' } });
    await given(house);
    expect((await house.run()).logo).toMatchObject({
      state: 'problem',
      cure: expect.stringMatching(/No se pudo leer .*no-esta\.png/),
    });
    await house.file('no-esta.png', Buffer.from('no es una imagen'));
    expect((await house.run()).logo).toMatchObject({ state: 'problem', cure: expect.stringMatching(/\w/) });
  });

  it('asks for a confirmation before production, once', async () => {
    const house = await openHouse({ issuer: { ambiente: 2 }, account: { providerApproved: true } });
    const first = await house.run();
    expect(first.production).toMatchObject({
      state: 'problem',
      cure: expect.stringContaining('--production'),
    });
    expect(first.company).toBeUndefined();
    expect((await house.run({ check: true, production: true })).production?.state).toBe('missing');
    expect(states(await house.run({ production: true }))).toMatchObject({ production: 'ok', company: 'ok' });
    expect((await house.run()).production?.state).toBe('ok');
  });

  it('tells what production lacks: credits, and provider data in the service’s words', async () => {
    const house = await openHouse({ issuer: { ambiente: 2 }, account: { credits: 0 } });
    const found = await house.run({ check: true });
    expect(found.credits).toMatchObject({ state: 'problem', cure: expect.stringContaining('recargue') });
    expect(found['provider-data']?.cure).toMatch(/El servicio dice: .+/);
  });

  it.each([
    [5, 'warning', 'Créditos (5, bajo)'],
    [0, 'problem', 'Créditos (0, agotado)'],
    [50, 'ok', 'Créditos (50)'],
  ])(
    'tells %i credits in production as %s, in the service’s word where it warns',
    async (credits, state, what) => {
      const house = await openHouse({ issuer: { ambiente: 2 }, account: { credits } });
      expect((await house.run({ check: true })).credits).toMatchObject({ state, what });
    },
  );

  it('opens the signature before it leaves, and tells each fault with its cure', async () => {
    const house = await openHouse({ issuer: { signature } });
    const cureOf = async () => (await house.run()).signature?.cure ?? '';
    vi.stubEnv('FIRMA_DE_PRUEBA', '');
    expect(await cureOf()).toMatch(/No se pudo leer .*firma\.p12/);
    await house.file('firma.p12', p12For(400));
    expect(await cureOf()).toMatch(/Falta la contraseña.*FIRMA_DE_PRUEBA/);
    vi.stubEnv('FIRMA_DE_PRUEBA', 'equivocada');
    expect(await cureOf()).toMatch(/contraseña no abre.*FIRMA_DE_PRUEBA/);
    vi.stubEnv('FIRMA_DE_PRUEBA', 'clave');
    await house.file('firma.p12', p12For(-1));
    expect(await cureOf()).toMatch(/caducó el/);
    await house.file('firma.p12', p12For(400, { ruc: '0992345678001' }));
    expect(await cureOf()).toMatch(/es del RUC 0992345678001 y el emisor es 1790012345001/);
    await house.file('firma.p12', Buffer.from('no es un p12'));
    expect(await cureOf()).toMatch(/no es un \.p12/);
    expect(house.writes().filter((one) => one.includes('subirfirma'))).toEqual([]);
    await house.file('firma.p12', p12For(20));
    expect((await house.run()).signature).toMatchObject({
      state: 'warning',
      done: true,
      cure: expect.stringMatching(/Caduca en (19|20) días/),
    });
  });

  it('tells of a signature that ended since it was uploaded', async () => {
    const house = await openHouse({ issuer: { signature } });
    await given(house);
    await house.run();
    const name = issuerName('cuenta', ruc);
    const kept = await house.desk.get(issuersUnder, name);
    const record = kept?.value as IssuerRecord;
    const ended = { ...record.signature, until: '2026-01-01T00:00:00.000Z' };
    await house.desk.put(issuersUnder, name, { ...record, signature: ended }, kept?.version ?? null);
    expect((await house.run({ check: true })).signature).toMatchObject({
      state: 'problem',
      what: expect.stringContaining('vale hasta el 2025-12-31'),
      cure: expect.stringMatching(/^Caducó/),
    });
  });

  it('stops at a key the service does not accept, at one that is missing and at a service that is away', async () => {
    const house = await openHouse({ webhookSecrets: [] });
    expect((await house.run())['service-webhook']?.cure).toContain('openssl rand');
    const { url } = house.sandbox;
    const account = (baseUrl: string, apiKey: string) => ({ accounts: { cuenta: { baseUrl, apiKey } } });
    house.change({ config: account(url, 'otra-clave') });
    expect(Object.keys(await house.run())).toEqual(['api-key', 'series']);
    expect((await house.run())['api-key']?.cure).toContain('no acepta la clave');
    house.change({ config: account('http://127.0.0.1:9', 'clave-1') });
    expect((await house.run())['api-key']?.cure).toContain('baseUrl');
  });

  it('passes on why the service refuses an address the world cannot reach', async () => {
    const house = await openHouse({ allowLoopbackWebhooks: false });
    expect((await house.run())['service-webhook']?.cure).toMatch(/debe ser pública/);
  });

  it('takes its webhook along when its public address moves', async () => {
    const url = 'https://antes.mitienda.ec/service/webhook/cuenta';
    const house = await openHouse({ account: { webhook: { url, secret: 'otro' } } });
    expect((await house.run({ check: true }))['service-webhook']?.state).toBe('differs');
    expect((await house.run())['service-webhook']).toMatchObject({ state: 'ok', done: true });
  });

  it('sees a webhook that was changed in the panel, and a rotated secret', async () => {
    const house = await openHouse();
    await house.run();
    expect((await house.run())['service-webhook']).toMatchObject({ state: 'ok' });
    house.change({ webhookSecrets: ['el-secreto-nuevo-9876543210'] });
    expect((await house.run({ check: true }))['service-webhook']?.state).toBe('differs');
    await house.run();
    const url = 'http://127.0.0.1:8080/service/webhook/cuenta';
    await fetch(`${house.sandbox.url}/api/webhook`, {
      method: 'PUT',
      headers: { 'X-API-KEY': 'clave-1', 'content-type': 'application/json' },
      body: JSON.stringify({ url, secret: 'puesto-a-mano-en-el-panel' }),
    });
    expect((await house.run({ check: true }))['service-webhook']?.state).toBe('differs');
  });

  it('sends nothing again after the API key was rotated within the account', async () => {
    const house = await openHouse();
    await house.run();
    const before = house.writes().length;
    house.sandbox.addAccount({ apiKey: 'clave-2', companies: [{ ruc, razon_social: 'La misma' }] });
    const webhookSecrets = ['secreto-del-servicio-0123456789'];
    const rotated = { baseUrl: house.sandbox.url, apiKeys: ['clave-2', 'clave-1'], webhookSecrets };
    house.change({ config: { accounts: { cuenta: rotated } } });
    expect((await house.run({ check: true })).company?.state).toBe('ok');
    expect(house.writes()).toHaveLength(before);
  });

  it('says of a stopped series what to write where', async () => {
    const house = await openHouse();
    const series = { ruc, ambiente: 1, codDoc: '01', establecimiento: '001', puntoEmision: '001' } as const;
    const stop = { reason: 'El número 7 es de otro sistema.', secuencial: '000000007' };
    await house.ledger.sequences.stop(series, stop, new Date());
    expect((await house.run({ check: true })).series).toMatchObject({
      state: 'problem',
      cure: expect.stringMatching(/otro sistema\. Escriba en series\.first/),
    });
  });
});
