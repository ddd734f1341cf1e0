import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyServiceWebhook } from '../../src/service/event.ts';
import { clave } from './hostile.ts';

const secret = 'secreto-nuevo';
const now = new Date('2026-11-20T15:00:00Z');
const seconds = Math.floor(now.getTime() / 1000);
const body = (
  value: unknown = { evento: 'comprobante.autorizado', claveacceso: clave, estado_texto: 'ñ/1' },
) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const hmac = (key: string, ...parts: (string | Buffer)[]) => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest('hex');
};
const v1 = (raw: Buffer, key = secret) => ({ 'x-service-signature': `sha256=${hmac(key, raw)}` });
const v2 = (raw: Buffer, t: number | string = seconds, key = secret) => ({
  'x-service-signature-v2': `t=${t},v1=${hmac(key, `${t}.`, raw)}`,
  'x-service-delivery': 'b6f2',
});
const verify = (headers: Record<string, string>, raw: Buffer, secrets = [secret]) =>
  verifyServiceWebhook(headers, raw, secrets, now);

describe('the signature of the service', () => {
  test('V2 is accepted, and the id of the delivery tells repeats', () => {
    expect(verify(v2(body()), body())).toEqual({
      ok: true,
      kind: 'document',
      event: {
        ...{ evento: 'comprobante.autorizado', claveacceso: clave, state: null },
        ...{ numeroAutorizacion: null, fechaAutorizacion: null, errors: [] },
      },
      dedupeKey: 'entrega:b6f2',
    });
  });

  test.each([-300, 0, 300])('V2 signed %i seconds away is accepted', (away) => {
    expect(verify(v2(body(), seconds + away), body()).ok).toBe(true);
  });

  test.each([-301, 301])('V2 signed %i seconds away is refused, whatever V1 says', (away) => {
    expect(verify({ ...v2(body(), seconds + away), ...v1(body()) }, body())).toMatchObject({
      ok: false,
      status: 401,
    });
  });

  test('a timestamp that was not signed is refused', () => {
    const old = v2(body(), seconds - 4000)['x-service-signature-v2'].replace(/t=\d+/, `t=${seconds}`);
    expect(verify({ 'x-service-signature-v2': old }, body())).toMatchObject({ ok: false, status: 401 });
  });

  test('V1 stands in only where there is no V2, and the content tells repeats', () => {
    expect(verify({ ...v1(body()), 'x-service-delivery': 'b6f2' }, body())).toMatchObject({
      ok: true,
      dedupeKey: `evento:${clave}:comprobante.autorizado`,
    });
    for (const broken of ['', 'nonsense', `t=${seconds},v1=${'0'.repeat(64)}`]) {
      expect(verify({ ...v1(body()), 'x-service-signature-v2': broken }, body()).ok).toBe(false);
    }
  });

  test('every flipped byte of the body is refused, in V1 and V2', () => {
    const raw = body();
    for (let at = 0; at < raw.length; at += 1) {
      const flipped = Buffer.from(raw);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(verify(v1(raw), flipped)).toMatchObject({ ok: false, status: 401 });
      expect(verify(v2(raw), flipped)).toMatchObject({ ok: false, status: 401 });
    }
  });

  test('during a rotation both secrets are accepted, a third is not', () => {
    for (const key of [secret, 'secreto-viejo']) {
      expect(verify(v2(body(), seconds, key), body(), [secret, 'secreto-viejo']).ok).toBe(true);
    }
    expect(verify(v2(body(), seconds, 'otro'), body(), [secret, 'secreto-viejo']).ok).toBe(false);
    expect(verify(v2(body()), body(), []).ok).toBe(false);
  });

  test.each([
    [{}],
    [{ 'x-service-signature': 'sha256=' }],
    [{ 'x-service-signature': `sha1=${hmac(secret, body())}` }],
    [{ 'x-service-signature': hmac(secret, body()) }],
    [{ 'x-service-signature': `sha256=${hmac(secret, body())}, sha256=${hmac(secret, body())}` }],
  ])('%j is no signature', (headers) => {
    expect(verify(headers as Record<string, string>, body())).toMatchObject({ ok: false, status: 401 });
  });
});

describe('what a genuine delivery says', () => {
  const read = (value: unknown, headers = {}) => verify({ ...v2(body(value)), ...headers }, body(value));

  test("the event is the body's, not the unsigned header's", () => {
    const event = { evento: 'comprobante.error', claveacceso: clave };
    expect(read(event, { 'x-service-event': 'comprobante.autorizado' })).toMatchObject({ event });
  });

  const said = { claveacceso: clave, evento: 'comprobante.autorizado' };
  const key = {
    numero: '032-101-000046045',
    ruc_emisor: '1090007870001',
    tipo_comprobante: '01',
    ambiente: 2,
  };
  const errorEvent = { ...said, evento: 'comprobante.error' };

  test.each([
    ['authorised by its flag', { ...said, ...key, autorizado: true, estado: 4 }, 'authorized'],
    ['authorised by 9 alone', { ...said, estado: 9 }, 'authorized'],
    ['its type in words', { ...said, tipo_comprobante: 'Factura', estado: 4 }, 'authorized'],
    ['its type without the zero', { ...said, tipo_comprobante: '1', estado: 4 }, 'authorized'],
    ['its type as a number', { ...said, tipo_comprobante: 1, estado: 4 }, 'authorized'],
    ['an error that requires correction', { ...errorEvent, requiere_correccion: true, estado: 5 }, 'error'],
    ['an error of a state we do not know', { ...errorEvent, estado: 17, autorizado: false }, 'error'],
    ['an authorisation of a state we do not know', { ...said, estado: 17 }, null],
    ['nothing but its name', said, null],
    ['nothing but its name, of an error', errorEvent, null],
  ])('a body can say %s', (_, value, state) => {
    expect(read(value)).toMatchObject({ kind: 'document', event: { state, claveacceso: clave } });
  });

  test.each([
    ['authorised, and not', { ...said, estado: 4, autorizado: false }],
    ['authorised, and to be corrected', { ...said, autorizado: true, requiere_correccion: true }],
    ['an authorisation of a returned document', { ...said, estado: 5, requiere_correccion: true }],
    ['an error of an authorised document', { ...errorEvent, autorizado: true, estado: 4 }],
    ['another number than its key', { ...said, ...key, numero: '032-101-000046046', autorizado: true }],
    ['another issuer than its key', { ...said, ...key, ruc_emisor: '1790016919001', autorizado: true }],
    ['another type than its key, without the zero', { ...said, tipo_comprobante: '4', autorizado: true }],
    ['another type than its key', { ...said, tipo_comprobante: '04', autorizado: true }],
    ['another environment than its key', { ...said, ambiente: 1, autorizado: true }],
  ])('a body that says %s contradicts itself', (_, value) => {
    expect(read(value)).toEqual({ ok: true, kind: 'contradictory', evento: value.evento });
  });

  test('what the authority says of an error is kept without what may be the buyer’s', () => {
    const errores = [
      {
        identificador: '35',
        mensaje: 'DOCUMENTO INVÁLIDO',
        informacionAdicional: `Value 'María Peñafiel' of razonSocialComprador; maria@example.com 1710034065; 001-001-000000123 ${clave}`,
        tipo: 'ERROR',
      },
    ];
    const { event } = read({ ...errorEvent, requiere_correccion: true, errores }) as {
      event: { errors: { informacionAdicional: string }[] };
    };
    expect(event.errors).toEqual([
      {
        ...errores[0],
        informacionAdicional: `Value '…' of razonSocialComprador; … …; 001-001-000000123 ${clave}`,
      },
    ]);
  });

  test('webhook.prueba is a test, an event of the future is passed over', () => {
    expect(read({ evento: 'webhook.prueba' })).toEqual({ ok: true, kind: 'test' });
    expect(read({ evento: 'verificacion.completa' })).toEqual({
      ok: true,
      kind: 'other',
      evento: 'verificacion.completa',
    });
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    {},
    { evento: 1 },
    { evento: 'comprobante.error' },
    { evento: 'comprobante.error', claveacceso: '1' },
  ])('%j is unreadable', (value) => {
    expect(read(value)).toMatchObject({ ok: false, status: 400 });
  });

  test('bytes that are no UTF-8 are unreadable', () => {
    const raw = Buffer.from([0x7b, 0xff, 0x7d]);
    expect(verify(v2(raw), raw)).toMatchObject({ ok: false, status: 400 });
  });
});
