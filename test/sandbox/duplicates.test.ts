import { describe, expect, test } from 'vitest';
import { factura, start } from './support.ts';

describe('a repeated number with fixed free digits', () => {
  test('has another key on another day, which the authority refuses as 45', async () => {
    let now = new Date('2026-11-20T15:00:00Z');
    const { emit, settled } = await start({ now: () => now });
    const first = await emit(factura());
    now = new Date('2026-11-21T15:00:00Z');
    const second = await emit(factura((b) => (b.emisor.fecha_emision = '2026/11/21')));
    expect(second.body).toMatchObject({ creado: true });
    const [before, after] = [first.body.claveacceso as string, second.body.claveacceso as string];
    expect([before.slice(0, 8), after.slice(0, 8)]).toEqual(['20112026', '21112026']);
    expect(after.slice(8, 48)).toBe(before.slice(8, 48));
    expect(await settled(second.body.claveacceso)).toMatchObject({
      autorizado: false,
      errores: [{ identificador: '45' }],
    });
  });

  test('answers 409 across the API keys of one company, whose documents stay invisible to each other', async () => {
    const { emit, get } = await start({ accounts: [{ apiKey: 'una' }, { apiKey: 'dos' }] });
    const first = await emit(factura(), 'una');
    const second = await emit(factura(), 'dos');
    expect(second).toMatchObject({ status: 409, body: { claveacceso: first.body.claveacceso } });
    expect(await get(`/api/comprobante/consulta/${first.body.claveacceso}`, 'dos')).toMatchObject({
      status: 404,
      body: { success: false },
    });
  });

  test('is no repeat in another environment, point or company', async () => {
    const { emit, sandbox } = await start();
    await emit(factura());
    await emit(factura((b) => (b.emisor.codigo_puntoemision = '002')));
    await emit(factura((b) => (b.emisor.ruc = '1790016919001')));
    expect(new Set(sandbox.documents().map((d) => d.claveacceso)).size).toBe(3);
  });

  test('is taken again, corrected, once the first was refused', async () => {
    const { emit, settled, sandbox } = await start();
    const wrong = await emit(factura((b) => (b.pagos[0].total = 41)));
    expect((await settled(wrong.body.claveacceso)).requiere_correccion).toBe(true);
    const fixed = await emit(factura());
    expect(fixed.body).toMatchObject({ creado: true, claveacceso: wrong.body.claveacceso });
    expect((await settled(fixed.body.claveacceso)).autorizado).toBe(true);
    expect(sandbox.documents()).toHaveLength(1);
  });
});

describe('a repeated number with random free digits', () => {
  test('is refused with 45 while the first is in process for hours, and reprocessing does not help', async () => {
    const { emit, settled, send, sandbox, get } = await start({ codigoNumerico: 'aleatorio' });
    sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 3_600_000, times: 1 } });
    const first = await emit(factura());
    const second = await emit(factura());
    const { claveacceso } = second.body;
    expect(claveacceso).not.toBe(first.body.claveacceso);
    const refusal = { estado: 5, errores: [{ identificador: '45' }] };
    expect(await settled(claveacceso)).toMatchObject(refusal);
    await send('POST', '/api/comprobante/reprocesar', { claveacceso });
    expect(await settled(claveacceso)).toMatchObject(refusal);
    const consult = () => get(`/api/comprobante/consulta/${first.body.claveacceso}`);
    expect((await consult()).body.estado).toBe(1);
    sandbox.clock.step(3_600_000);
    expect((await settled(first.body.claveacceso)).autorizado).toBe(true);
  });

  test('is authorised by reprocessing once the one that held the number was refused', async () => {
    const { emit, settled, send, sandbox } = await start({ codigoNumerico: 'aleatorio' });
    sandbox.faults.add({ outcome: { codigo: 10, enProcesoMs: 3_600_000, times: 1 } });
    const first = await emit(factura());
    const { claveacceso } = (await emit(factura())).body;
    expect((await settled(claveacceso)).errores).toMatchObject([{ identificador: '45' }]);
    sandbox.clock.step(3_600_000);
    expect((await settled(first.body.claveacceso)).errores).toMatchObject([{ identificador: '10' }]);
    await send('POST', '/api/comprobante/reprocesar', { claveacceso });
    expect((await settled(claveacceso)).autorizado).toBe(true);
  });
});

describe('POST /__sandbox/codigo-numerico', () => {
  const digits = (answer: { body: { claveacceso: string } }) => answer.body.claveacceso.slice(39, 47);
  const numbered = (secuencial: string) => factura((b) => (b.emisor.secuencial = secuencial));

  test('changes the free digits of new keys while the sandbox runs; a reset takes it back', async () => {
    const { emit, send, get, sandbox } = await start();
    expect(digits(await emit(numbered('000000001')))).toBe('12345678');
    expect((await send('POST', '/__sandbox/codigo-numerico', { modo: 'aleatorio' })).body).toEqual({
      modo: 'aleatorio',
    });
    const random = [await emit(numbered('000000002')), await emit(numbered('000000003'))].map(digits);
    expect(new Set([...random, '12345678']).size).toBe(3);
    expect((await get('/__sandbox/codigo-numerico')).body).toEqual({ modo: 'aleatorio' });
    sandbox.reset();
    expect((await get('/__sandbox/codigo-numerico')).body).toEqual({ modo: 'fijo' });
  });
});
