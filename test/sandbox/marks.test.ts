import { expect, test } from 'vitest';
import { amount } from '../../sandbox/emulator/control/page/words.ts';
import { apiKey, factura, start } from './support.ts';

// What an answer says of itself, and what a body may not be.

const post = (url: string, body: string | Buffer) =>
  fetch(`${url}/api/factura/emision`, {
    method: 'POST',
    headers: { 'X-API-KEY': apiKey, 'content-type': 'application/json' },
    body: new Uint8Array(Buffer.from(body)),
  });

test('a body that is no UTF-8 is refused, and nothing of it is stored', async () => {
  const { sandbox } = await start();
  const text = Buffer.from(JSON.stringify(factura()));
  text[text.indexOf('Camiseta')] = 0xff;
  const answer = await post(sandbox.url, text);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { creado: false, errors: ['El cuerpo no es UTF-8 válido.'] },
  ]);
  expect(sandbox.documents()).toEqual([]);
});

test('a failure whose body the specification does not show is marked, one it shows is not', async () => {
  const { sandbox, emit } = await start();
  const broken = await post(sandbox.url, '{');
  await emit(factura());
  const repeated = await emit(factura());
  const mark = 'x-sandbox-inferred';
  expect([broken.status, broken.headers.get(mark)]).toEqual([400, 'true']);
  expect([repeated.status, repeated.headers.get(mark)]).toEqual([409, null]);
});

test('a control route says in Spanish which field is wrong', async () => {
  const { send } = await start();
  expect((await send('POST', '/__sandbox/clock', { rate: 'x' })).body.message).toBe(
    'rate: debe ser un número.',
  );
  expect((await send('POST', '/__sandbox/faults', { dropAnswer: { times: 0 } })).body.message).toBe(
    'dropAnswer.times: debe ser mayor que 0.',
  );
});

test('an amount no document can hold is short on the page', () => {
  expect(amount(`${'9'.repeat(301)}.00`)).toBe('1.0e+301');
  expect(amount('12345.60')).toBe('12\u202f345.60');
});
