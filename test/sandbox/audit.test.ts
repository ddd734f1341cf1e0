import { expect, test } from 'vitest';
import { apiKey, factura, start } from './support.ts';

const numbered = (secuencial: string) => factura((b) => (b.emisor.secuencial = secuencial));

test('a number emitted twice is a duplicate, and how often it was authorised is told', async () => {
  const { emit, settled, sandbox } = await start({ codigoNumerico: 'aleatorio' });
  const first = await emit(numbered('000000007'));
  await settled(first.body.claveacceso);
  const second = await emit(numbered('000000007'));
  await settled(second.body.claveacceso);
  expect(sandbox.audit().duplicates).toEqual([
    {
      series: '1792146739001 ambiente 1 tipo 01 001-001',
      numero: '001-001-000000007',
      claves: [first.body.claveacceso, second.body.claveacceso],
      authorised: 1,
    },
  ]);
});

test('numbers between the first and the last one without a document are a gap', async () => {
  const { emit, get } = await start();
  for (const number of ['000000007', '000000008', '000000012']) await emit(numbered(number));
  const { body } = await get('/__sandbox/audit');
  expect(body.gaps).toEqual([
    {
      series: '1792146739001 ambiente 1 tipo 01 001-001',
      from: '000000009',
      to: '000000011',
      missing: 3,
    },
  ]);
  expect(body.duplicates).toEqual([]);
});

test('credits spent are the authorised production documents, by masked key', async () => {
  const { emit, settled, sandbox } = await start({
    accounts: [{ apiKey, providerApproved: true, credits: 5 }],
  });
  const production = await emit(factura((b) => (b.ambiente = 2)));
  await settled(production.body.claveacceso);
  await settled((await emit(factura())).body.claveacceso);
  expect(sandbox.audit().creditsSpent).toEqual([{ key: '********ba-1', credits: 1 }]);
  expect(sandbox.audit().documents).toEqual({ total: 2, authorised: 2, refused: 0, processing: 0 });
});
