import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../sandbox/emulator/index.ts';
import { apiKey, factura, openFolder, start } from './support.ts';

test('documents, numbers, webhook and credits are there again after a restart', async () => {
  const dataDirectory = openFolder();
  const accounts = [{ apiKey, providerApproved: true, credits: 3 }];
  const first = await start({ dataDirectory, accounts });
  await first.send('POST', '/api/webhook', {
    url: 'https://tienda.example.com/w',
    secret: 'un-secreto-largo',
  });
  const { body } = await first.emit(factura((b) => (b.ambiente = 2)));
  const before = await first.settled(body.claveacceso);
  await first.sandbox.close();

  const second = await start({ dataDirectory, accounts });
  const after = await second.settled(body.claveacceso);
  expect({ ...after, xml: '', pdf: '' }).toEqual({ ...before, xml: '', pdf: '' });
  expect((await second.get(`/api/comprobante/xml/${body.claveacceso}`)).status).toBe(200);
  expect((await second.emit(factura((b) => (b.ambiente = 2)))).status).toBe(409);
  expect((await second.get('/api/creditos/saldo')).body.creditos_disponibles).toBe(2);
  expect((await second.get('/api/webhook')).body.url).toBe('https://tienda.example.com/w');
  const next = await second.emit(
    factura((b) => {
      b.ambiente = 2;
      delete b.emisor.secuencial;
    }),
  );
  expect(next.body.claveacceso.slice(30, 39)).toBe('000000124');
});

test('a reset empties the directory too', async () => {
  const dataDirectory = openFolder();
  const first = await start({ dataDirectory });
  await first.emit(factura());
  first.sandbox.reset();
  await first.sandbox.close();
  const second = await start({ dataDirectory });
  expect(second.sandbox.documents()).toEqual([]);
});

test('a sandbox moved to another time goes on in it', async () => {
  const dataDirectory = openFolder();
  const first = await createSandbox({ dataDirectory });
  first.clock.set(new Date('2027-03-01T12:00:00Z'));
  first.clock.run(0);
  const stopped = first.clock.now();
  await first.close();
  const second = await createSandbox({ dataDirectory });
  onTestFinished(() => second.close());
  expect(second.clock.now()).toEqual(stopped);
});
