import { expect, test } from 'vitest';
import { exampleNotaCredito } from '../../sandbox/emulator/emission/example.ts';
import { start, today } from './support.ts';

test('the example factura and the nota de crédito about it are authorised as they are', async () => {
  const { sandbox, emit, send, settled } = await start();
  const { body } = await emit(sandbox.exampleFactura());
  const factura = await settled(body.claveacceso);
  expect(factura).toMatchObject({ autorizado: true });
  const note = await send('POST', '/api/credito/emision', exampleNotaCredito(today, factura.numero, today));
  expect(await settled(note.body.claveacceso)).toMatchObject({ autorizado: true, tipo_comprobante: '04' });
});

test.each([
  ['/api/guia/emision', 'exampleGuiaRemision'],
  ['/api/retencion/emision', 'exampleRetencion'],
] as const)('so is what POST %s takes, %s', async (route, example) => {
  const { sandbox, send, settled } = await start();
  const { body } = await send('POST', route, sandbox[example]());
  expect(await settled(body.claveacceso)).toMatchObject({ autorizado: true });
});
