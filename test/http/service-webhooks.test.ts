import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../sandbox/emulator/index.ts';
import { factura, noon } from '../sandbox/support.ts';
import { eventually } from '../support/eventually.ts';
import { apiKey, now, openInstallation, serviceSecrets } from './installation.ts';

const clave = '2011202601179214673900110010010000001231234567819';
const event = JSON.stringify({
  evento: 'comprobante.autorizado',
  claveacceso: clave,
  numero: '001-001-000000123',
  estado: 4,
  autorizado: true,
  numero_autorizacion: clave,
  fecha_autorizacion: '2026-11-20T10:00:05-05:00',
  comprador: { razon_social: 'María' },
});
const seconds = now.getTime() / 1000;
const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
const v1 = (body: string, key: string = serviceSecrets[0]) => ({
  'x-service-signature': `sha256=${hex(key, body)}`,
});
const v2 = (body: string, { t = seconds, id = 'b6f2', key = serviceSecrets[0] as string } = {}) => ({
  'x-service-signature-v2': `t=${t},v1=${hex(key, `${t}.${body}`)}`,
  'x-service-delivery': id,
});
const path = '/service/webhook/principal';

describe("the service's webhook", () => {
  test('asks to settle the document by its access key, with facts but no buyer', async () => {
    const installation = await openInstallation();
    const answer = await installation.post(path, event, v2(event));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'accepted' });
    const [job] = await installation.jobs();
    const subject = `clave:${clave}:comprobante.autorizado`;
    // Settling by what was said takes no slot of the key's rate.
    expect(job).toMatchObject({ kind: 'settle-document', subject, storeId: 'quito', rateLimit: null });
    expect(job?.payload).toEqual({
      account: 'principal',
      claveacceso: clave,
      state: 'authorized',
      numeroAutorizacion: clave,
      fechaAutorizacion: '2026-11-20T10:00:05-05:00',
      errors: [],
      tipo_comprobante: '01',
      numero: '001-001-000000123',
      ambiente: 1,
      ruc_emisor: '1792146739001',
      evento: 'comprobante.autorizado',
    });
  });

  test('that repeats is a duplicate: by its delivery in V2, by its content in V1', async () => {
    const installation = await openInstallation();
    const send = async (headers: Record<string, string>) =>
      (await installation.post(path, event, headers)).json();
    expect(await send({ ...v1(event), 'x-service-delivery': 'c1' })).toEqual({ status: 'accepted' });
    expect(await send({ ...v1(event), 'x-service-delivery': 'c2' })).toEqual({ status: 'duplicate' });
    expect(await send(v2(event))).toEqual({ status: 'accepted' });
    expect(await send(v2(event, { t: seconds + 60 }))).toEqual({ status: 'duplicate' });
    expect(await installation.jobs()).toHaveLength(1);
  });

  test('without V2 is refused from an account that signed V2 before: V1 alone has no time', async () => {
    const installation = await openInstallation();
    expect((await installation.post(path, event, { ...v1(event), ...v2(event) })).status).toBe(200);
    expect((await installation.post(path, event, v1(event))).status).toBe(401);
  });

  test.each([
    ['a flipped byte', event.replace('123"', '124"'), v2(event)],
    ['no signature', event, {}],
    [
      'V2 signed 301 seconds ago, with a good V1 beside it',
      event,
      { ...v2(event, { t: seconds - 301 }), ...v1(event) },
    ],
    ['V2 signed 301 seconds ahead', event, v2(event, { t: seconds + 301 })],
    ['a secret of somebody else', event, v2(event, { key: 'otro' })],
  ])('with %s is 401 and leaves nothing', async (_, body, headers) => {
    const installation = await openInstallation();
    expect((await installation.post(path, body, headers)).status).toBe(401);
    expect(await installation.jobs()).toEqual([]);
    expect(JSON.stringify(installation.lines)).not.toContain(clave);
  });

  test('that contradicts itself is 200, leaves no work and is told', async () => {
    const installation = await openInstallation();
    const torn = JSON.stringify({ ...JSON.parse(event), requiere_correccion: true });
    const answer = await installation.post(path, torn, v2(torn));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ignored' }]);
    expect(await installation.jobs()).toEqual([]);
    expect(installation.lines.map(({ level }) => level)).toContain('warn');
  });

  test('is accepted with either secret while they are rotated', async () => {
    const installation = await openInstallation();
    for (const [at, key] of serviceSecrets.entries()) {
      expect((await installation.post(path, event, v2(event, { id: `d${at}`, key }))).status).toBe(200);
    }
  });

  test('that is a test is 200, one that cannot be read is 400', async () => {
    const installation = await openInstallation();
    const prueba = '{"evento":"webhook.prueba"}';
    expect((await installation.post(path, prueba, v2(prueba))).status).toBe(200);
    expect((await installation.post(path, '{', v2('{'))).status).toBe(400);
    const big = ' '.repeat(256 * 1024 + 1);
    expect((await installation.post(path, big, v2(big))).status).toBe(413);
    expect(await installation.jobs()).toEqual([]);
  });

  test('is 404 at an account nobody has', async () => {
    const installation = await openInstallation();
    expect((await installation.post('/service/webhook/otra', event, v2(event))).status).toBe(404);
  });

  test('as the sandbox sends it becomes work', async () => {
    const installation = await openInstallation();
    const webhook = { url: `${installation.url}${path}`, secret: serviceSecrets[1] };
    const sandbox = await createSandbox({
      ...{ accounts: [{ apiKey, webhook }], allowLoopbackWebhooks: true, authorizeDelayMs: 5, now: noon },
    });
    onTestFinished(() => sandbox.close());
    await fetch(`${sandbox.url}/api/factura/emision`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(factura()),
    });
    const [job] = await eventually(async () => {
      const found = await installation.jobs();
      return found.length > 0 && found;
    }, 'work to settle');
    const [document] = sandbox.documents();
    expect(job?.payload).toMatchObject({
      claveacceso: document?.claveacceso,
      numero: document?.numero,
      ruc_emisor: document?.ruc,
    });
  });
});
