import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import { certificate, p12 } from './p12-support.ts';
import {
  apiKey,
  type Client,
  company,
  create,
  edit,
  factura,
  notaCredito,
  retencion,
  ruc,
  start,
} from './support.ts';

const strict = (options: SandboxOptions = {}) => start({ strict: true, ...options });

async function sign(client: Client, file: Buffer, key = apiKey): Promise<void> {
  const firma_base64 = file.toString('base64');
  const body = { ruc, password: 'clave', firma_base64 };
  expect((await client.send('POST', '/api/empresa/subirfirma', body, key)).status).toBe(200);
}

/** Emission answers 200 with creado false and the one sentence. */
async function refused(client: Client, sentence: RegExp, body = factura()): Promise<void> {
  const answer = await client.emit(body);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ creado: false, errors: [expect.stringMatching(sentence)] });
  expect(client.sandbox.documents()).toEqual([]);
}

/** What has been registered before, in the words of the refusal that follows; without one it is emitted. */
const cases: [before: string, prepare: (client: Client) => Promise<unknown>, refusal: RegExp | null][] = [
  ['nothing', async () => {}, /no está registrada en esta cuenta.*\/api\/empresa\/crear/],
  [
    'the company and its signature by another account',
    async (client) => {
      await client.send('POST', '/api/empresa/crear', company(), 'otra');
      await sign(client, p12(), 'otra');
    },
    /no está registrada en esta cuenta/,
  ],
  ['the company', create, /no tiene firma electrónica.*\/api\/empresa\/subirfirma/],
  [
    'company and signature',
    async (client) => {
      await create(client);
      await sign(client, p12());
    },
    null,
  ],
  [
    'company and signature, and an edit since',
    async (client) => {
      await create(client);
      await sign(client, p12());
      await edit(client, company({ contabilidad: true }));
    },
    null,
  ],
];

describe('a strict sandbox emits as production would', () => {
  test.each(cases)('with %s registered', async (_before, prepare, refusal) => {
    const client = await strict({
      accounts: [{ apiKey, providerApproved: true, credits: 9 }, { apiKey: 'otra' }],
    });
    await prepare(client);
    if (refusal) return refused(client, refusal);
    expect((await client.emit(factura())).body.creado).toBe(true);
  });

  test('not once the certificate of the signature has expired', async () => {
    let now = new Date('2026-11-20T15:00:00Z');
    const client = await strict({ now: () => now });
    await create(client);
    await sign(client, p12({ certificates: [certificate({ to: '2026-11-25' })] }));
    now = new Date('2026-11-25T00:00:01Z');
    const body = factura((b) => (b.emisor.fecha_emision = '2026/11/24'));
    await refused(client, /caducó el 2026\/11\/24/, body);
  });

  test('what is wrong with the body is told first', async () => {
    await refused(
      await strict(),
      /^ambiente/,
      factura((b) => (b.ambiente = 3)),
    );
  });

  test('also other documents, and in ambiente 2', async () => {
    const client = await strict({ accounts: [{ apiKey, providerApproved: true }] });
    await refused(
      client,
      /no está registrada/,
      factura((b) => (b.ambiente = 2)),
    );
    for (const [path, body] of [
      ['/api/credito/emision', notaCredito()],
      ['/api/retencion/emision', retencion()],
    ] as const)
      expect((await client.send('POST', path, body)).body.errors).toEqual([
        expect.stringMatching(/no está registrada/),
      ]);
  });
});
