import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { factura } from '../sandbox/support.ts';
import { eventually } from '../support/eventually.ts';
import { openClient } from './hostile.ts';
import { apiKey, openSandbox as open } from './sandbox-installation.ts';

const body = (change?: Parameters<typeof factura>[0]) => JSON.stringify(factura(change));

describe('against a whole service', () => {
  test('a factura is created, becomes authorised, and its XML and PDF can be read', async () => {
    const { calls, rateLimit } = await open();
    const created = await calls.emitirFactura(body());
    if (created.kind !== 'created') throw new Error(created.kind);
    expect(created.aviso).toMatch(/./);
    const { claveacceso } = created;
    const found = await eventually(async () => {
      const answer = await calls.consultarComprobante(claveacceso);
      return answer.kind === 'found' && answer.state === 'authorized' && answer;
    }, 'authorised');
    expect(found).toMatchObject({
      numero: '001-001-000000123',
      rucEmisor: '1792146739001',
      ambiente: 1,
      tipo: '01',
    });
    expect(await calls.descargarXml(claveacceso)).toMatchObject({
      kind: 'found',
      facts: {
        claveAcceso: claveacceso,
        numero: '001-001-000000123',
        importeTotal: '47.98',
        identificacionComprador: '2459999997',
        fechaEmision: '2026-11-20',
        campoAdicional: { Pedido: '#1001' },
      },
    });
    const pdf = await calls.descargarPdf(claveacceso);
    if (pdf.kind !== 'found') throw new Error(pdf.kind);
    const bytes = await buffer(pdf.stream);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.length).toBe(pdf.length);
    expect(rateLimit.taken.slice(-2)).toEqual(['download', 'download']);
  });

  test('the same number again is a duplicate that names the key', async () => {
    const { calls } = await open();
    const first = await calls.emitirFactura(body());
    const second = await calls.emitirFactura(body());
    expect(second).toMatchObject({
      kind: 'duplicate',
      claveacceso: first.kind === 'created' && first.claveacceso,
    });
  });

  test("yesterday's date is refused with the service's own words", async () => {
    const { calls } = await open();
    const answer = await calls.emitirFactura(body((it) => (it.emisor.fecha_emision = '2026/11/19')));
    expect(answer).toMatchObject({
      kind: 'refused',
      status: 200,
      errors: [expect.stringContaining('fecha_emision')],
    });
  });

  test('a wrong key is unauthorized everywhere', async () => {
    const { sandbox } = await open();
    const { calls } = openClient(sandbox.url, { apiKey: 'otra' });
    expect(await calls.emitirFactura(body())).toEqual({ kind: 'unauthorized' });
    expect(await calls.consultarSaldo()).toEqual({ kind: 'unauthorized' });
  });

  test('the wallet is read', async () => {
    const { calls } = await open({ accounts: [{ apiKey, credits: 41 }] });
    expect(await calls.consultarSaldo()).toMatchObject({ kind: 'balance', creditos: 41 });
  });

  test('a document in error says why, with the code of the tax authority', async () => {
    const { sandbox, calls } = await open();
    sandbox.faults.add({ outcome: { identificacion: '2459999997', resultado: 'error', codigo: 39 } });
    const created = await calls.emitirFactura(body());
    if (created.kind !== 'created') throw new Error(created.kind);
    const found = await eventually(async () => {
      const answer = await calls.consultarComprobante(created.claveacceso);
      return answer.kind === 'found' && answer.state === 'error' && answer;
    }, 'in error');
    expect(found.errors[0]).toMatchObject({ identificador: '39' });
  });

  test('the strings "true" and "false" for creado change nothing', async () => {
    const { sandbox, calls } = await open();
    sandbox.faults.add({ creadoAsString: { times: 2 } });
    expect((await calls.emitirFactura(body())).kind).toBe('created');
    expect((await calls.emitirFactura(body())).kind).toBe('duplicate');
  });

  test.each([
    ['dropAnswer', { dropAnswer: true }, null],
    ['htmlAnswer', { htmlAnswer: true }, null],
    ['status500AfterStoring', { status500AfterStoring: true }, expect.stringMatching(/^\d{49}$/)],
  ] as const)(
    '%s: the answer is lost although the document exists, and it was sent once',
    async (_, fault, key) => {
      const { sandbox, calls } = await open();
      sandbox.faults.add(fault);
      expect(await calls.emitirFactura(body())).toMatchObject({
        kind: 'unknown',
        mayHaveLeft: true,
        claveacceso: key,
      });
      expect(sandbox.documents()).toHaveLength(1);
      expect(sandbox.requests()).toHaveLength(1);
    },
  );

  test('a 500 before storing looks the same, and the look-up says not found', async () => {
    const { sandbox, calls } = await open();
    sandbox.faults.add({ failBeforeStoring: 500 });
    const lost = await calls.emitirFactura(body());
    if (lost.kind !== 'unknown' || lost.claveacceso === null) throw new Error(lost.kind);
    expect(await calls.consultarComprobante(lost.claveacceso)).toEqual({ kind: 'not-found' });
    expect(sandbox.documents()).toHaveLength(0);
  });
});
