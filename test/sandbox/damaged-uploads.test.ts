import fc from 'fast-check';
import forge from 'node-forge';
import { expect, test } from 'vitest';
import { readLogo } from '../../sandbox/emulator/accounts/logo.ts';
import { readSignature } from '../../src/setup/certificates/signature.ts';
import { draws } from '../support/chance.ts';
import { jpg, png } from './image-support.ts';
import { p12 } from './p12-support.ts';
import { noon } from './support.ts';

/** The bytes with some of them changed, and perhaps cut short. */
const damaged = (bytes: Buffer) =>
  fc
    .record({
      changes: fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      length: fc.oneof(fc.constant(bytes.length), fc.nat(bytes.length)),
    })
    .map(({ changes, length }) => {
      const copy = Buffer.from(bytes);
      for (const [at, value] of changes) copy[at] = value;
      return copy.subarray(0, length);
    });

test.each([
  ['PNG', png()],
  ['interlaced PNG of 4 bits', png({ colour: 3, depth: 4, interlaced: true })],
  ['JPEG', jpg()],
])('a damaged %s is either read or refused with a sentence, never a crash', async (_, image) => {
  const property = fc.asyncProperty(damaged(image), async (bytes) => {
    const logo = await readLogo(bytes);
    expect('refused' in logo ? logo.refused.endsWith('.') : logo.ancho * logo.alto > 0).toBe(true);
  });
  await fc.assert(property, { numRuns: draws(60, 2_000) });
});

/** Without its MAC, damage inside a .p12 is not noticed before its contents are read. */
function withoutMac(): Buffer {
  const pfx = forge.asn1.fromDer(p12({ count: 1 }).toString('latin1'));
  (pfx.value as forge.asn1.Asn1[]).length = 2;
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1');
}

test.each([
  ['with MAC', p12({ count: 1 })],
  ['without MAC', withoutMac()],
])('a damaged .p12 %s is either read or refused with a sentence, never a crash', async (_, file) => {
  const property = fc.asyncProperty(damaged(file), async (bytes) => {
    const read = await readSignature(bytes, 'clave', noon());
    expect('blame' in read ? read.sentence.endsWith('.') : read.titular !== '').toBe(true);
  });
  await fc.assert(property, { numRuns: draws(60, 2_000) });
});

test('any bytes are refused as logo and as .p12', async () => {
  const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
    expect(await readLogo(Buffer.from(bytes))).toHaveProperty('refused');
    expect(await readSignature(Buffer.from(bytes), 'clave', noon())).toHaveProperty('blame');
  });
  await fc.assert(property, { numRuns: draws(40, 2_000) });
});

test('a certificate whose validity cannot be read is refused', async () => {
  const file = withoutMac();
  file.write('ab', file.indexOf('260101000000Z'), 'latin1');
  expect(await readSignature(file, 'clave', noon())).toMatchObject({
    blame: 'file',
    sentence: expect.stringContaining('fechas de validez'),
  });
});
