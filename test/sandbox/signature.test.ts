import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import { readSignature } from '../../src/setup/certificates/signature.ts';
import { certificate, p12, rsaKey } from './p12-support.ts';
import { type Client, create, noon, ruc, sendForm, start, withCompany } from './support.ts';

const path = '/api/empresa/subirfirma';
const password = 'clave';

/** Sends a .p12 as base64 in JSON. */
const upload = (client: Client, file: Buffer, change: Record<string, unknown> = {}) =>
  client.send('POST', path, { ruc, password, firma_base64: file.toString('base64'), ...change });

describe('a .p12 must really open', () => {
  const cases: [string, () => Buffer, string, 'file' | 'password', RegExp][] = [
    ['another password', p12, 'otra', 'password', /contraseña no abre/],
    ['the password in other case', p12, 'CLAVE', 'password', /contraseña no abre/],
    ['bytes that are no .p12', () => Buffer.from('hola'), password, 'file', /no es un \.p12/],
    ['a certificate in PEM', () => Buffer.from(pem()), password, 'file', /no es un \.p12/],
    ['a certificate in DER', der, password, 'file', /no es válido/],
    ['a file cut short', () => p12().subarray(0, -40), password, 'file', /no es un \.p12/],
    ['no private key', () => p12({ key: null }), password, 'file', /clave privada/],
    ['no certificate', () => p12({ certificates: [] }), password, 'file', /un certificado/],
    [
      'the certificate of another key',
      () => p12({ key: rsaKey(1) }),
      password,
      'file',
      /corresponde a su clave/,
    ],
    [
      'an expired certificate',
      () => p12({ certificates: [certificate({ to: '2026-11-20' })] }),
      password,
      'file',
      /caducó el 2026\/11\/19/,
    ],
    [
      'a certificate not valid yet',
      () => p12({ certificates: [certificate({ from: '2026-12-01' })] }),
      password,
      'file',
      /empieza el 2026\/11\/30/,
    ],
    ['rounds of encryption that would take minutes', () => manyRounds(), password, 'file', /más rondas/],
  ];

  test.each(cases)('%s is refused', async (_, file, given, blame, sentence) => {
    expect(await readSignature(file(), given, noon())).toEqual({
      blame,
      sentence: expect.stringMatching(sentence),
    });
  });

  test('its certificate expires by the clock of the sandbox', async () => {
    const client = await start({ now: () => new Date('2031-01-01T12:00:00Z') });
    await create(client);
    const file = p12({ certificates: [certificate({ to: '2030-01-01' })] });
    expect((await upload(client, file)).status).toBe(400);
  });

  test.each(['3des', 'aes128', 'aes256'] as const)('%s opens', async (algorithm) => {
    expect((await upload(await withCompany(), p12({ algorithm, count: 2048 }))).status).toBe(200);
  });

  test.each(['contraseña', 'ключ', 'a b"c/1'])('the password %s opens', async (given) => {
    const file = p12({ password: given });
    expect((await upload(await withCompany(), file, { password: given })).status).toBe(200);
    const form = await sendForm(await withCompany(), path, { ruc, password: given, firma_file: file });
    expect(form.status).toBe(200);
  });

  test('a file with several pairs and the authority’s chain takes the certificate of its key', async () => {
    const file = p12({
      certificates: [
        certificate({ name: 'CADUCADO', to: '2026-02-01' }),
        certificate({ name: 'FIRMANTE' }),
        certificate({ name: 'AUTORIDAD', to: '2040-01-01' }, rsaKey(1)),
      ],
    });
    const { body } = await upload(await withCompany(), file);
    expect(body.mensaje).toContain('FIRMANTE');
  });
});

describe('the facts kept of a certificate', () => {
  test('are its holder, authority, serial number, validity and RUC; no key and no password', async () => {
    const file = p12({ certificates: [certificate({ ruc })] });
    expect(await readSignature(file, password, noon())).toEqual({
      titular: 'MARÍA JOSÉ PEÑAFIEL',
      emisor: 'AUTORIDAD DE PRUEBA',
      numero_serie: '0123',
      ruc,
      valido_desde: '2025-12-31T19:00:00-05:00',
      valido_hasta: '2027-12-31T19:00:00-05:00',
    });
  });

  test.each([
    ['nowhere', {}, null],
    ['in the subject', { subject: [{ name: 'serialNumber', type: '2.5.4.5', value: `RUC${ruc}` }] }, ruc],
    ['as a number that is no RUC', { ruc: '9999999999999' }, null],
    [
      'within a longer number',
      { subject: [{ name: 'serialNumber', type: '2.5.4.5', value: `1${ruc}` }] },
      null,
    ],
  ])('the RUC may stand %s', async (_, facts, expected) => {
    const file = p12({ certificates: [certificate(facts)] });
    expect(await readSignature(file, password, noon())).toMatchObject({ ruc: expected });
  });

  test('a certificate that names another RUC is kept, and the answer says so', async () => {
    const file = p12({ certificates: [certificate({ ruc: '1790016919001' })] });
    const { status, body } = await upload(await withCompany(), file);
    expect(status).toBe(200);
    expect(body.mensaje).toContain('1790016919001');
  });
});

/** How OpenSSL is asked to write one, and the password; the first with its own defaults. */
const ofOpenssl: [how: string, password: string, options: string][] = [
  ['in PBES2 with AES-256', password, ''],
  ['as authorities still write it: RC2-40 and 3DES', password, '-legacy'],
  ['in 3DES alone', password, '-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES'],
  ['with a MAC of SHA-512', password, '-macalg sha512'],
  ['without MAC', password, '-nomac'],
  ['with a plain key', password, '-keypbe NONE -certpbe NONE'],
  ['in PBES2 with letters beyond ASCII in the password', 'contraseña€', ''],
  ['in RC2-40 with letters beyond ASCII in the password', 'contraseña€', '-legacy'],
];

/** The files as OpenSSL writes them, in one shell; undefined where there is none. */
function writtenByOpenssl(): Buffer[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'firma-'));
  try {
    writeFileSync(join(folder, 'key.pem'), forge.pki.privateKeyToPem(rsaKey()));
    writeFileSync(join(folder, 'cert.pem'), pem());
    const commands = ofOpenssl.map(
      ([, secret, options], at) =>
        `openssl pkcs12 -export -inkey key.pem -in cert.pem -out ${at}.p12 -passout 'pass:${secret}' ${options}`,
    );
    const made = spawnSync('sh', ['-ec', ['openssl version', ...commands].join('\n')], { cwd: folder });
    if (made.status === 127) return undefined;
    expect(made.stderr.toString()).toBe('');
    return ofOpenssl.map((_, at) => readFileSync(join(folder, `${at}.p12`)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a .p12 that OpenSSL writes opens, in whatever way it writes it', async ({ skip }) => {
  const files = writtenByOpenssl() ?? skip('openssl is not on the PATH');
  for (const [at, [how, secret]] of ofOpenssl.entries()) {
    const file = files[at] ?? Buffer.alloc(0);
    expect([how, await readSignature(file, secret, noon())]).toMatchObject([
      how,
      { titular: 'MARÍA JOSÉ PEÑAFIEL' },
    ]);
    expect([how, await readSignature(file, `${secret}x`, noon())]).toMatchObject([
      how,
      { blame: 'password' },
    ]);
  }
});

const pem = () => forge.pki.certificateToPem(certificate());
const der = () =>
  Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate())).getBytes(), 'latin1');

/** A .p12 whose MAC claims 2,000,000,000 rounds. */
function manyRounds(): Buffer {
  const pfx = forge.asn1.fromDer(p12().toString('latin1'));
  const mac = (pfx.value as forge.asn1.Asn1[])[2]?.value as forge.asn1.Asn1[];
  const rounds = forge.asn1.create(0, forge.asn1.Type.INTEGER, false, '\x77\x35\x94\x00');
  mac.splice(2, 1, rounds);
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1');
}
