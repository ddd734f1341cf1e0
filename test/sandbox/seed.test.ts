import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Seed } from '../../sandbox/emulator/index.ts';
import { apiKey, factura, noon, openFolder, start } from './support.ts';

const withoutDay = () => {
  const { fecha_emision: _, ...emisor } = factura().emisor;
  return { ...factura(), emisor };
};
const seed = (more: Partial<Seed> = {}): Seed => ({
  accounts: [{ apiKey, providerApproved: true, credits: 7 }],
  documents: [{ apiKey, body: withoutDay() }],
  ...more,
});

test('a sandbox begins with the accounts, documents of today and faults of its seed', async () => {
  const client = await start({
    accounts: [],
    seed: seed({ faults: [{ htmlAnswer: { operacion: 'consultar_saldo' } }] }),
  });
  const [document] = client.sandbox.documents();
  expect(document).toMatchObject({ numero: '001-001-000000123', fechaEmision: '2026/11/20' });
  expect(await client.settled(document?.claveacceso ?? '')).toMatchObject({ autorizado: true });
  expect((await client.get('/api/creditos/saldo')).status).toBe(502);
  const { body } = await client.get('/api/creditos/saldo');
  expect(body.creditos_disponibles).toBe(7);
});

test('a reset brings the seed back, and nothing else', async () => {
  const { sandbox, emit } = await start({ accounts: [], seed: seed() });
  await emit(factura((b) => (b.emisor.secuencial = '000000200')));
  sandbox.reset();
  expect(sandbox.documents().map(({ secuencial }) => secuencial)).toEqual(['000000123']);
});

test('a data directory that has documents is not sown again', async () => {
  const dataDirectory = openFolder();
  const first = await createSandbox({ dataDirectory, seed: seed(), now: noon });
  await first.close();
  const second = await createSandbox({ dataDirectory, seed: seed(), now: noon });
  onTestFinished(() => second.close());
  expect(second.documents()).toHaveLength(1);
});

test.each<[string, Partial<Record<keyof Seed, unknown>>, RegExp]>([
  ['an unknown name', { accounts: [{ apiKey, credit: 7 }] }, /credit[\s\S]*accounts\[0\]/],
  ['a fault that does not exist', { faults: [{ htmlAnswers: true }] }, /htmlAnswers/],
  [
    'a document of a key that is in no account',
    { documents: [{ apiKey: 'otra', body: factura() }] },
    /documents\.0/,
  ],
  [
    'a document the service refuses',
    { documents: [{ apiKey, body: { emisor: {} } }] },
    /documents\.0: .*nombre_comercial/,
  ],
])('%s is refused with its place', async (_rule, more, reason) => {
  await expect(createSandbox({ seed: seed(more as Partial<Seed>), now: noon })).rejects.toThrow(reason);
});
