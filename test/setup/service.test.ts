import { describe, expect, it, vi } from 'vitest';
import { type IssuerRecord, issuerName, issuersUnder } from '../../src/domain/issuer-record.ts';
import type { SetupLedger } from '../../src/setup/health.ts';
import { png } from '../sandbox/image-support.ts';
import { openInstallation, p12For, ruc, signature, states } from './installation.ts';

const withFiles = { signature, logo: 'logo.png' };
const given = async (installation: Awaited<ReturnType<typeof openInstallation>>, days = 400) => {
  vi.stubEnv('FIRMA_DE_PRUEBA', 'clave');
  await installation.file('firma.p12', p12For(days));
  await installation.file('logo.png', png());
};

describe('the service side of install', () => {
  it('registers company, signature, logo and webhook, and the service issues from then on', async () => {
    const installation = await openInstallation({ issuer: withFiles });
    await given(installation);
    expect(await installation.issues()).toBe(false);
    const plan = await installation.run({ check: true });
    expect(states(plan)).toMatchObject({
      'account-api-key': 'ok',
      'service-webhook': 'missing',
      company: 'missing',
      signature: 'missing',
      logo: 'missing',
    });
    expect(plan.signature?.what).toMatch(/MARÍA JOSÉ PEÑAFIEL, vale hasta el \d{4}-/);
    expect(installation.writes()).toEqual(['POST /api/factura/emision 200']);
    const done = await installation.run();
    expect(Object.values(done).every(({ state }) => state === 'ok')).toBe(true);
    expect(done.company?.done).toBe(true);
    expect(await installation.issues()).toBe(true);
  });

  it('changes nothing the second time, and only what changed the third', async () => {
    const installation = await openInstallation({ issuer: withFiles });
    await given(installation);
    await installation.run();
    const before = installation.writes();
    expect(before).toHaveLength(4);
    expect((await installation.run()).company).toMatchObject({ state: 'ok' });
    expect(installation.writes()).toEqual(before);
    installation.change({ issuer: { ...withFiles, razon_social: 'Otro Nombre S.A.' } });
    expect((await installation.run({ check: true })).company?.state).toBe('differs');
    await installation.run();
    expect(installation.writes().slice(4)).toEqual(['PUT /api/empresa/editar 200']);
    await installation.run({ resend: true });
    expect(installation.writes()).toHaveLength(9);
  });

  it('ends the same wherever it is killed, and repeated', async () => {
    let killings = 0;
    for (let at = 0; ; at += 1) {
      const installation = await openInstallation({ issuer: withFiles });
      await given(installation);
      let calls = 0;
      const mortal: SetupLedger = {
        ...installation.setupLedger,
        async put(...write) {
          if (calls++ === at) throw new Error('killed');
          return installation.setupLedger.put(...write);
        },
      };
      const killed = await installation.run({}, mortal).then(
        () => false,
        () => true,
      );
      if (!killed) break;
      killings += 1;
      const again = await installation.run();
      expect(Object.values(again).map(({ state }) => state)).not.toContain('problem');
      expect(await installation.issues()).toBe(true);
      const before = installation.writes().length;
      await installation.run();
      expect(installation.writes()).toHaveLength(before);
    }
    expect(killings).toBe(5);
  });

  it('warns of an issuer that is a negocio popular, whose regime issues notas de venta, and goes on', async () => {
    const installation = await openInstallation({
      issuer: { obligado_contabilidad: 'NO', regimen_rimpe_popular: true },
    });
    const items = await installation.run();
    expect(items['tax-rules']).toMatchObject({
      state: 'warning',
      resolution: expect.stringMatching(/notas de venta, no facturas.*Compruebe en su RUC/),
    });
    expect(items.company?.state).toBe('ok');
    installation.change({ issuer: { regimen_rimpe: true } });
    expect((await installation.run())['tax-rules']).toBeUndefined();
  });

  it('takes a company whose answer was lost for its own', async () => {
    const installation = await openInstallation();
    installation.sandbox.faults.add({ dropAnswer: { operacion: 'crear_empresa' } });
    expect((await installation.run()).company?.state).toBe('problem');
    expect((await installation.run()).company).toMatchObject({ state: 'ok', done: true });
  });

  it('sends the old data again after an edit whose answer was lost was taken back', async () => {
    const installation = await openInstallation();
    await installation.run();
    installation.change({ issuer: { razon_social: 'Otro Nombre S.A.' } });
    installation.sandbox.faults.add({ dropAnswer: { operacion: 'editar_empresa' } });
    expect((await installation.run()).company?.state).toBe('problem');
    installation.change({ issuer: {} });
    expect((await installation.run()).company).toMatchObject({ state: 'ok', done: true });
    expect(installation.writes().filter((one) => one.includes('editar'))).toHaveLength(2);
  });

  it('keeps what another system entered, unless --replace is given', async () => {
    const other = { url: 'http://127.0.0.1:9/otro-sistema', secret: 'de-otro' };
    const installation = await openInstallation({
      account: { webhook: other, companies: [{ ruc, razon_social: 'De otro' }] },
    });
    const found = await installation.run();
    expect(found.company).toMatchObject({
      state: 'problem',
      resolution: expect.stringContaining('--replace'),
    });
    expect(found['service-webhook']).toMatchObject({
      state: 'problem',
      resolution: expect.stringMatching(/otro-sistema.*--replace/),
    });
    expect(installation.writes()).toEqual(['POST /api/empresa/crear 400']);
    expect(states(await installation.run({ replace: true }))).toMatchObject({
      company: 'ok',
      'service-webhook': 'ok',
    });
  });

  it('sends the company’s own mail server, and says what happens to one that is not configured', async () => {
    const smtp = {
      host: 'smtp.mitienda.ec',
      port: 587,
      user: 'facturas@mitienda.ec',
      password: 'clave-del-correo',
      encryption: 'tls',
      fromEmail: 'facturas@mitienda.ec',
      fromName: 'Mi Tienda',
    };
    const installation = await openInstallation();
    await installation.run();
    installation.change({ issuer: { smtp } });
    expect((await installation.run({ check: true })).company?.resolution).not.toMatch(/SMTP/);
    expect((await installation.run()).company).toMatchObject({ state: 'ok', done: true });
    const sent = installation.sandbox.requests().findLast(({ method }) => method === 'PUT')?.body;
    expect(sent).toMatchObject({ smtp: true, smtp_host: smtp.host, smtp_from_name: 'Mi Tienda' });
    expect((await installation.run()).company?.done).toBeUndefined();
    // The block of every document knows nothing of it.
    expect(JSON.stringify(await installation.stores())).not.toContain('clave-del-correo');
    installation.change({ issuer: {} });
    expect((await installation.run({ check: true })).company?.resolution).toMatch(
      /SMTP.*se apaga.*«smtp» del emisor/,
    );
  });

  it('reports a logo it cannot read, and why the service refuses one', async () => {
    const installation = await openInstallation({ issuer: { ...withFiles, logo: 'no-esta.png' } });
    await given(installation);
    expect((await installation.run()).logo).toMatchObject({
      state: 'problem',
      resolution: expect.stringMatching(/No se pudo leer .*no-esta\.png/),
    });
    await installation.file('no-esta.png', Buffer.from('no es una imagen'));
    expect((await installation.run()).logo).toMatchObject({
      state: 'problem',
      resolution: expect.stringMatching(/\w/),
    });
  });

  it('asks for a confirmation before production, once', async () => {
    const installation = await openInstallation({
      issuer: { ambiente: 2 },
      account: { providerApproved: true },
    });
    const first = await installation.run();
    expect(first.production).toMatchObject({
      state: 'problem',
      resolution: expect.stringContaining('--production'),
    });
    expect(first.company).toBeUndefined();
    expect((await installation.run({ check: true, production: true })).production?.state).toBe('missing');
    expect(states(await installation.run({ production: true }))).toMatchObject({
      production: 'ok',
      company: 'ok',
    });
    expect((await installation.run()).production?.state).toBe('ok');
  });

  it('reports what production lacks: credits, and provider data in the service’s words', async () => {
    const installation = await openInstallation({ issuer: { ambiente: 2 }, account: { credits: 0 } });
    const found = await installation.run({ check: true });
    expect(found['account-credits']).toMatchObject({
      state: 'problem',
      resolution: expect.stringContaining('Recargue'),
    });
    expect(found['account-provider-data']?.resolution).toMatch(/El servicio dice: .+/);
  });

  it.each([
    [5, 'warning', 'Créditos (5, bajo)'],
    [0, 'problem', 'Créditos (0, agotado)'],
    [50, 'ok', 'Créditos (50)'],
  ])(
    'tells %i credits in production as %s, in the service’s word where it warns',
    async (credits, state, what) => {
      const installation = await openInstallation({ issuer: { ambiente: 2 }, account: { credits } });
      expect((await installation.run({ check: true }))['account-credits']).toMatchObject({ state, what });
    },
  );

  it('checks the signature before the upload, and reports each fault with its resolution', async () => {
    const installation = await openInstallation({ issuer: { signature } });
    const resolutionOf = async () => (await installation.run()).signature?.resolution ?? '';
    vi.stubEnv('FIRMA_DE_PRUEBA', '');
    expect(await resolutionOf()).toMatch(/No se pudo leer .*firma\.p12/);
    await installation.file('firma.p12', p12For(400));
    expect(await resolutionOf()).toMatch(/Falta la contraseña.*FIRMA_DE_PRUEBA/);
    vi.stubEnv('FIRMA_DE_PRUEBA', 'equivocada');
    expect(await resolutionOf()).toMatch(/contraseña no abre.*FIRMA_DE_PRUEBA/);
    vi.stubEnv('FIRMA_DE_PRUEBA', 'clave');
    await installation.file('firma.p12', p12For(-1));
    expect(await resolutionOf()).toMatch(/caducó el/);
    await installation.file('firma.p12', p12For(400, { ruc: '0992345678001' }));
    expect(await resolutionOf()).toMatch(/es del RUC 0992345678001 y el emisor es 1790012345001/);
    await installation.file('firma.p12', Buffer.from('no es un p12'));
    expect(await resolutionOf()).toMatch(/no es un \.p12/);
    expect(installation.writes().filter((one) => one.includes('subirfirma'))).toEqual([]);
    await installation.file('firma.p12', p12For(20));
    expect((await installation.run()).signature).toMatchObject({
      state: 'warning',
      done: true,
      resolution: expect.stringMatching(/Caduca en (19|20) días/),
    });
  });

  it('reports a signature that ended since it was uploaded', async () => {
    const installation = await openInstallation({ issuer: { signature } });
    await given(installation);
    await installation.run();
    const name = issuerName('cuenta', ruc);
    const kept = await installation.setupLedger.get(issuersUnder, name);
    const record = kept?.value as IssuerRecord;
    const ended = { ...record.signature, until: '2026-01-01T00:00:00.000Z' };
    await installation.setupLedger.put(
      issuersUnder,
      name,
      { ...record, signature: ended },
      kept?.version ?? null,
    );
    expect((await installation.run({ check: true })).signature).toMatchObject({
      state: 'problem',
      what: expect.stringContaining('vale hasta el 2025-12-31'),
      resolution: expect.stringMatching(/^Caducó/),
    });
  });

  it('stops at a key the service does not accept, at one that is missing and at a service that is away', async () => {
    const installation = await openInstallation({ webhookSecrets: [] });
    expect((await installation.run())['service-webhook']?.resolution).toContain('openssl rand');
    const { url } = installation.sandbox;
    const account = (baseUrl: string, apiKey: string) => ({ accounts: { cuenta: { baseUrl, apiKey } } });
    installation.change({ config: account(url, 'otra-clave') });
    expect(Object.keys(await installation.run())).toEqual(['account-api-key', 'series']);
    expect((await installation.run())['account-api-key']?.resolution).toContain('no acepta la clave');
    installation.change({ config: account('http://127.0.0.1:9', 'clave-1') });
    expect((await installation.run())['account-api-key']?.resolution).toContain('baseUrl');
  });

  it('passes on why the service refuses an address the world cannot reach', async () => {
    const installation = await openInstallation({ allowLoopbackWebhooks: false });
    expect((await installation.run())['service-webhook']?.resolution).toMatch(/debe ser pública/);
  });

  it('takes its webhook along when its public address moves', async () => {
    const url = 'https://antes.mitienda.ec/service/webhook/cuenta';
    const installation = await openInstallation({ account: { webhook: { url, secret: 'otro' } } });
    expect((await installation.run({ check: true }))['service-webhook']?.state).toBe('differs');
    expect((await installation.run())['service-webhook']).toMatchObject({ state: 'ok', done: true });
  });

  it('sees a webhook that was changed in the panel, and a rotated secret', async () => {
    const installation = await openInstallation();
    await installation.run();
    expect((await installation.run())['service-webhook']).toMatchObject({ state: 'ok' });
    installation.change({ webhookSecrets: ['el-secreto-nuevo-9876543210-0123456789abcdef'] });
    expect((await installation.run({ check: true }))['service-webhook']?.state).toBe('differs');
    await installation.run();
    const url = 'http://127.0.0.1:8080/service/webhook/cuenta';
    await fetch(`${installation.sandbox.url}/api/webhook`, {
      method: 'PUT',
      headers: { 'X-API-KEY': 'clave-1', 'content-type': 'application/json' },
      body: JSON.stringify({ url, secret: 'puesto-a-mano-en-el-panel' }),
    });
    expect((await installation.run({ check: true }))['service-webhook']?.state).toBe('differs');
  });

  it('sends nothing again after the API key was rotated within the account', async () => {
    const installation = await openInstallation();
    await installation.run();
    const before = installation.writes().length;
    installation.sandbox.addAccount({ apiKey: 'clave-2', companies: [{ ruc, razon_social: 'La misma' }] });
    const webhookSecrets = ['secreto-del-servicio-0123456789abcdef'];
    const rotated = { baseUrl: installation.sandbox.url, apiKeys: ['clave-2', 'clave-1'], webhookSecrets };
    installation.change({ config: { accounts: { cuenta: rotated } } });
    expect((await installation.run({ check: true })).company?.state).toBe('ok');
    expect(installation.writes()).toHaveLength(before);
  });

  it('says of a stopped series what to write where', async () => {
    const installation = await openInstallation();
    const series = { ruc, ambiente: 1, codDoc: '01', establecimiento: '001', puntoEmision: '001' } as const;
    const stop = { reason: 'El número 7 es de otro sistema.', secuencial: '000000007' };
    await installation.ledger.sequences.stop(series, stop, new Date());
    expect((await installation.run({ check: true })).series).toMatchObject({
      state: 'problem',
      resolution: expect.stringMatching(/otro sistema\. Escriba un número libre en series\.first y/),
    });
  });
});
