import { describe, expect, test } from 'vitest';
import { isRetryable } from '../../src/service/answers.ts';
import type { FacturaRequest } from '../../src/service/shapes/documents.ts';
import { factura } from '../sandbox/support.ts';
import { openClient } from './hostile.ts';
import { apiKey, expectKind, openSandbox } from './sandbox-installation.ts';

// The list "Errors" of the specification, one test each; 3, 5 and 12 are in sandbox-companies.test.ts and 11
// in sandbox-account.test.ts.

const json = (change?: Parameters<typeof factura>[0]) => JSON.stringify(factura(change));
const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ nombre: `N${at}`, detalle: 'x' }));

describe('Errors', () => {
  test('1: a validation error of emission is HTTP 200 with creado false, and is refused in its words', async () => {
    const { calls, sandbox } = await openSandbox();
    const answer = await calls.emitirFactura(json((it) => (it.emisor.obligado_contabilidad = 'QUIZÁS')));
    expect(answer).toMatchObject({
      kind: 'refused',
      status: 200,
      errors: [expect.stringContaining('obligado_contabilidad')],
    });
    expect(isRetryable(answer)).toBe(false);
    expect(sandbox.documents()).toEqual([]);
  });

  test('1: a body that is no JSON is 400 and refused', async () => {
    const { calls } = await openSandbox();
    expect(await calls.emitirFactura('{"emisor":')).toMatchObject({ kind: 'refused', status: 400 });
  });

  test('2: a 500 with claveacceso names the key that must be asked about', async () => {
    const { calls, sandbox } = await openSandbox();
    sandbox.faults.add({ status500AfterStoring: true });
    const lost = expectKind(await calls.emitirFactura(json()), 'unknown');
    expect(lost).toMatchObject({ mayHaveLeft: true, claveacceso: expect.stringMatching(/^\d{49}$/) });
    expect(isRetryable(lost)).toBe(false);
    expectKind(await calls.consultarComprobante(String(lost.claveacceso)), 'found');
  });

  test('4: an invalid key is unauthorized in emission and elsewhere, and is not to be asked again', async () => {
    const { sandbox } = await openSandbox();
    const { calls } = openClient(sandbox.url, { apiKey: 'otra' });
    for (const answer of [await calls.emitirFactura(json()), await calls.consultarSaldo()]) {
      expect(answer).toEqual({ kind: 'unauthorized' });
      expect(isRetryable(answer)).toBe(false);
    }
  });

  test('6: the 301st request of a minute is throttled, with the time to wait, and slows the rate limit', async () => {
    const { calls, rateLimit } = await openSandbox();
    for (let batch = 0; batch < 10; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => calls.consultarSaldo()));
      expect(answers.every((answer) => answer.kind === 'balance')).toBe(true);
    }
    const late = expectKind(await calls.emitirFactura(json()), 'throttled');
    expect(isRetryable(late)).toBe(true);
    expect(rateLimit.slowed).toEqual([late.retryAfterMs]);
    expect(late.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test('7: a duplicate access key is named; the sandbox holds one document', async () => {
    const { calls, sandbox } = await openSandbox();
    const { claveacceso } = expectKind(await calls.emitirFactura(json()), 'created');
    const again = await calls.emitirFactura(json());
    expect(again).toMatchObject({ kind: 'duplicate', claveacceso });
    expect(isRetryable(again)).toBe(false);
    expect(sandbox.documents()).toHaveLength(1);
  });

  test('8: production without approved provider data is refused, with the notice beside it', async () => {
    const { calls } = await openSandbox();
    expect(await calls.emitirFactura(json((it) => (it.ambiente = 2)))).toMatchObject({
      kind: 'refused',
      status: 200,
      aviso: expect.stringContaining('J62021002'),
    });
    expect(await calls.consultarSaldo()).toMatchObject({ aviso: expect.stringContaining('J62021002') });
    const approved = await openSandbox({ accounts: [{ apiKey, providerApproved: true }] });
    const good = await approved.calls.emitirFactura(json((it) => (it.ambiente = 2)));
    expect(good).toMatchObject({ kind: 'created', aviso: null });
  });

  test.each([
    ['9: RUC Proveedor', [{ nombre: 'RUC Proveedor', detalle: '1790016919001' }]],
    ['10: more than 14 entries', entries(15)],
  ])('%s in informacion_adicional is refused by the service, and here before it leaves', async (_, more) => {
    const { calls, sandbox } = await openSandbox();
    const body = factura((it) => (it.informacion_adicional = more));
    expect(await calls.emitirFactura(JSON.stringify(body))).toMatchObject({ kind: 'refused', status: 200 });
    expect(await calls.emitirFactura(body as FacturaRequest)).toMatchObject({
      kind: 'refused',
      status: null,
    });
    expect(sandbox.requests()).toHaveLength(1);
  });
});
