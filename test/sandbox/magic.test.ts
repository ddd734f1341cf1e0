import { describe, expect, test } from 'vitest';
import { magicBuyers } from '../../sandbox/emulator/authority/magic.ts';
import { isCedula } from '../../src/domain/identification.ts';
import { eventually } from '../support/eventually.ts';
import { delivering, factura, guiaRemision, listen, retencion, start } from './support.ts';

const soldTo = (identificacion: string, tipo_identificacion: string) =>
  factura((b) => Object.assign(b.comprador, { identificacion, tipo_identificacion }));
const find = (pasaporte: string) => {
  const buyer = magicBuyers.find((one) => one.pasaporte === pasaporte);
  if (!buyer) throw new Error(`No magic buyer ${pasaporte}`);
  return buyer;
};
const hours = (count: number) => count * 3_600_000;

// Written by hand: the table of the sandbox must not be its own proof.
const endings: [
  pasaporte: string,
  cedula: string,
  estado: number,
  code: string | undefined,
  resolved: boolean,
][] = [
  ['SRI-4', '2459900045', 4, undefined, false],
  ['SRI-9', '2459900094', 9, undefined, false],
  ['SRI-59', '2459900599', 4, undefined, false],
  ['SRI-35', '2459900359', 5, '35', false],
  ['SRI-43', '2459900433', 5, '43', false],
  ['SRI-45', '2459900458', 5, '45', false],
  ['SRI-65', '2459900656', 5, '65', false],
  ['SRI-50', '2459900508', 5, '50', true],
  ['SRI-70', '2459900706', 5, '70', true],
  ['SRI-46', '2459900466', 6, '46', false],
  ['SRI-52', '2459900524', 6, '52', false],
  ['SRI-69', '2459900698', 6, '69', false],
  ['SRI-2', '2459900029', 6, '2', true],
  ['SRI-10', '2459900102', 6, '10', true],
  ['SRI-37', '2459900375', 6, '37', true],
  ['SRI-39', '2459900391', 6, '39', true],
  ['SRI-40', '2459900409', 6, '40', true],
  ['SRI-56', '2459900565', 6, '56', true],
];

describe('magic buyers: how their documents end', () => {
  test.each(endings)('%s (cédula %s) ends in %i %s', async (pasaporte, cedula, estado, code, resolved) => {
    const { emit, settled, send } = await start();
    expect(find(pasaporte).cedula).toBe(cedula);
    const { body } = await emit(soldTo(cedula, '05'));
    const ended = await settled(body.claveacceso);
    expect([ended.estado, ended.errores?.[0].identificador]).toEqual([estado, code]);
    expect(ended).toMatchObject({ autorizado: code === undefined, requiere_correccion: code !== undefined });
    if (code === undefined) return;
    await send('POST', '/api/comprobante/reprocesar', { claveacceso: body.claveacceso });
    const again = await settled(body.claveacceso);
    expect(again.errores?.[0].identificador).toBe(resolved ? undefined : code);
    expect(again.autorizado).toBe(resolved);
  });

  const named = (identificacion: string, tipo_identificacion: string) => ({
    identificacion,
    tipo_identificacion,
  });
  test.each([
    ['a buyer’s passport', '/api/factura/emision', soldTo('SRI-39', '06')],
    ['a RUC made of the cédula', '/api/factura/emision', soldTo('2459900391001', '04')],
    [
      'who gets the goods of a guía',
      '/api/guia/emision',
      guiaRemision((b) => Object.assign(b.destinatario, named('2459900391', '05'))),
    ],
    [
      'the supplier of a retención',
      '/api/retencion/emision',
      retencion((b) => Object.assign(b.proveedor, named('2459900391001', '04'))),
    ],
  ])('%s ends a document like the cédula of its buyer', async (_name, path, body) => {
    const { send, settled } = await start();
    const { claveacceso } = (await send('POST', path, body)).body;
    expect((await settled(claveacceso)).errores).toMatchObject([{ identificador: '39' }]);
  });

  test.each([
    ['SRI-101', 4, 'comprobante.autorizado'],
    ['SRI-102', 5, 'comprobante.error'],
  ])(
    '%s is in process for three hours of the sandbox’s clock, then %i',
    async (pasaporte, estado, evento) => {
      const hook = await listen();
      const { emit, get, settled, sandbox } = await start(delivering(hook.url));
      const { body } = await emit(soldTo(find(pasaporte).cedula, '05'));
      sandbox.clock.run(0);
      sandbox.clock.step(hours(3) - 1);
      const waiting = await get(`/api/comprobante/consulta/${body.claveacceso}`);
      expect(waiting.body).toMatchObject({ estado: 1, autorizado: false, requiere_correccion: false });
      sandbox.clock.step(1);
      expect((await settled(body.claveacceso)).estado).toBe(estado);
      const event = await eventually(() => hook.received[0], 'the event');
      expect(event.body.evento).toBe(evento);
    },
  );

  test('SRI-199 stays in process for ever', async () => {
    const { emit, get, send, sandbox } = await start();
    const { body } = await emit(soldTo(find('SRI-199').cedula, '05'));
    sandbox.clock.step(hours(24 * 365));
    expect((await get(`/api/comprobante/consulta/${body.claveacceso}`)).body.estado).toBe(1);
    const again = await send('POST', '/api/comprobante/reprocesar', { claveacceso: body.claveacceso });
    expect(again.status).toBe(409);
  });

  test('every one is in the table once, with a cédula that passes its check digit and is not the example’s', () => {
    const listed = [...endings.map(([pasaporte]) => pasaporte), 'SRI-101', 'SRI-102', 'SRI-199'];
    expect(magicBuyers.map(({ pasaporte }) => pasaporte).sort()).toEqual(listed.sort());
    const cedulas = magicBuyers.map(({ cedula }) => cedula);
    expect(new Set(cedulas).size).toBe(cedulas.length);
    expect(cedulas.filter((cedula) => !isCedula(cedula))).toEqual([]);
    expect(cedulas).not.toContain(factura().comprador.identificacion);
  });
});
