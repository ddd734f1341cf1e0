import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import { certificate, p12 } from './p12-support.ts';
import {
  apiKey,
  type Client,
  company,
  create,
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

describe('a strict sandbox emits as production would', () => {
  test('not for a company the account has not registered', async () => {
    await refused(await strict(), /no está registrada en esta cuenta.*\/api\/empresa\/crear/);
  });

  test('not for a company that only another account has registered', async () => {
    const client = await strict({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    await client.send('POST', '/api/empresa/crear', company(), 'otra');
    await sign(client, p12(), 'otra');
    await refused(client, /no está registrada en esta cuenta/);
  });

  test('not without an electronic signature', async () => {
    const client = await strict();
    await create(client);
    await refused(client, /no tiene firma electrónica.*\/api\/empresa\/subirfirma/);
  });

  test('not once the certificate of the signature has expired', async () => {
    let now = new Date('2026-11-20T15:00:00Z');
    const client = await strict({ now: () => now });
    await create(client);
    await sign(client, p12({ certificates: [certificate({ to: '2026-11-25' })] }));
    expect((await client.emit(factura())).body.creado).toBe(true);
    now = new Date('2026-11-25T00:00:01Z');
    const { body } = await client.emit(
      factura((b) => {
        b.emisor.fecha_emision = '2026/11/24';
        b.emisor.secuencial = '000000124';
      }),
    );
    expect(body).toMatchObject({
      creado: false,
      errors: [expect.stringContaining('caducó el 2026/11/24')],
    });
  });

  test('for a registered company with a valid signature', async () => {
    const client = await strict();
    await create(client);
    await sign(client, p12());
    expect((await client.emit(factura())).body.creado).toBe(true);
  });

  test('the signature survives an edit of the company', async () => {
    const client = await strict();
    await create(client);
    await sign(client, p12());
    await client.send('PUT', '/api/empresa/editar', company({ contabilidad: true }));
    expect((await client.emit(factura())).body.creado).toBe(true);
  });

  test('what is wrong with the body is told first', async () => {
    const wrong = factura((b) => (b.ambiente = 3));
    await refused(await strict(), /^ambiente/, wrong);
  });

  test.each(['/api/credito/emision', '/api/retencion/emision'])('also on %s', async (path) => {
    const client = await strict();
    const note = path.includes('credito') ? notaCredito() : retencion();
    const { body } = await client.send('POST', path, note);
    expect(body).toMatchObject({ creado: false, errors: [expect.stringContaining('no está registrada')] });
  });

  test('also in ambiente 2', async () => {
    const client = await strict({ accounts: [{ apiKey, providerApproved: true }] });
    await refused(
      client,
      /no está registrada/,
      factura((b) => (b.ambiente = 2)),
    );
  });
});

test('a sandbox that is not strict emits for any valid RUC as if company and signature were there', async () => {
  expect((await (await start()).emit(factura())).body.creado).toBe(true);
});
