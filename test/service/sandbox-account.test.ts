import { describe, expect, test } from 'vitest';
import { verifyServiceWebhook } from '../../src/service/event.ts';
import { factura, listen, noon } from '../sandbox/support.ts';
import { eventually } from '../support/eventually.ts';
import { apiKey, expectKind, openSandbox } from './sandbox-installation.ts';

const json = JSON.stringify(factura());

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
    const kept = expectKind(await calls.actualizarWebhook({ url, activo: false }), 'saved');
    expect(kept).toMatchObject({ secret: saved.secret, activo: false });
  });

  test('a private URL is refused in the words of the service', async () => {
    const { calls } = await openSandbox();
    expect(await calls.guardarWebhook({ url: 'http://localhost:3000/hook' })).toMatchObject({
      kind: 'refused',
      status: 400,
      errors: [expect.stringMatching(/^url: /)],
    });
  });

  test('a delivery signed with the saved secret is genuine, and its attempts can be read', async () => {
    const { calls } = await openSandbox({ allowLoopbackWebhooks: true });
    const { url, received } = await listen();
    const { secret } = expectKind(await calls.guardarWebhook({ url }), 'saved');
    const { claveacceso } = expectKind(await calls.emitirFactura(json), 'created');
    const delivery = await eventually(() => received[0], 'the delivery');
    const headers = delivery.headers as Record<string, string>;
    const raw = Buffer.from(delivery.raw);
    expect(verifyServiceWebhook(headers, raw, [secret ?? ''], noon())).toMatchObject({
      ok: true,
      kind: 'document',
      event: { evento: 'comprobante.autorizado', claveacceso },
    });
    const attempts = await eventually(async () => {
      const { ultimasEntregas } = expectKind(await calls.leerWebhook(), 'webhook');
      return ultimasEntregas.length > 0 && ultimasEntregas;
    }, 'the attempt');
    expect(attempts).toEqual([
      {
        entrega: headers['x-service-delivery'],
        evento: 'comprobante.autorizado',
        claveacceso,
        intento: 1,
        estadoHttp: 200,
        exito: true,
        error: null,
        enviadoEn: expect.stringMatching(/^2026-11-20T/),
      },
    ]);
  });
});

test('GET /api/creditos/saldo of a whole service: both wallets', async () => {
  for (const [dialect, estadoSaldo, venceEn] of [
    ['described', 'suficiente', null],
    ['former', null, expect.stringMatching(/^2027-11-20T/)],
    ['older', 'suficiente', null],
  ] as const) {
    const { calls } = await openSandbox({
      dialect,
      accounts: [{ apiKey, credits: 41, queries: 7, queriesWallet: 1.5 }],
    });
    expect(await calls.consultarSaldo()).toMatchObject({
      kind: 'balance',
      creditos: 41,
      ...{ estadoSaldo, venceEn },
      consultas: { saldo: 1.5, gratisRestantes: 7 },
    });
  }
});

test('GET /api/creditos/historial of a whole service: what was bought, in pages', async () => {
  const { calls } = await openSandbox({ accounts: [{ apiKey, credits: 41 }] });
  expect(await calls.consultarHistorialCreditos({ tipo: 'recarga', limit: 1 })).toMatchObject({
    kind: 'history',
    movimientos: [{ tipo: 'recarga', cantidad: 41, fecha: expect.stringMatching(/^2026-11-20T/) }],
  });
  expect(await calls.consultarHistorialCreditos({ limit: 1, page: 2 })).toMatchObject({ movimientos: [] });
});

test('POST /api/ping of a whole service does not check the key', async () => {
  const { calls } = await openSandbox({}, { apiKey: 'otra' });
  expect(await calls.ping()).toMatchObject({ kind: 'alive', date: expect.any(Date) });
});
