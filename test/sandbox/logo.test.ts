import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { readLogo } from '../../sandbox/emulator/accounts/logo.ts';
import { drawRide } from '../../sandbox/emulator/ride/ride.ts';
import { chunk, jpg, png } from './image-support.ts';
import { written } from './stored.ts';
import { apiKey, type Client, create, factura, openFolder, ruc, start } from './support.ts';

const path = '/api/empresa/subirlogo';

/** Sends an image as base64 in JSON. */
const upload = (client: Client, image: Buffer, change: Record<string, unknown> = {}) =>
  client.send('POST', path, { ruc, logo_base64: image.toString('base64'), ...change });

const anyLengthOf = (image: Buffer, share: number) => image.subarray(0, Math.floor(image.length * share));
function withoutPalette(): Buffer {
  const image = png({ colour: 3 });
  const from = image.indexOf('PLTE') - 4;
  return Buffer.concat([image.subarray(0, from), image.subarray(from + 12 + 3 * 256)]);
}
function spoilt(image: Buffer): Buffer {
  const copy = Buffer.from(image);
  const at = image.indexOf('IDAT') + 8;
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

describe('a logo is really decoded', () => {
  test.each([
    ['a text', Buffer.from('hola')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
    ['a PNG cut in half', anyLengthOf(png(), 0.5)],
    ['a PNG with a wrong checksum', spoilt(png())],
    ['a PNG with fewer rows than it says', png({ rows: Buffer.alloc(100) })],
    ['an interlaced PNG with fewer rows than it says', png({ interlaced: true, rows: Buffer.alloc(100) })],
    ['a PNG with a filter that does not exist', png({ rows: Buffer.alloc(20 * 121, 9) })],
    ['a PNG of colours in 4 bits, which do not exist', png({ depth: 4 })],
    ['a PNG without its palette', withoutPalette()],
    ['a PNG whose rows unpack to 20 MB', png({ rows: Buffer.alloc(20_000_000) })],
    ['a PNG of 60,000 × 60,000', png({ width: 60_000, height: 60_000, rows: Buffer.alloc(10) })],
    ['a JPEG cut in half', anyLengthOf(jpg(), 0.5)],
  ])('%s is refused', async (_, image) => {
    expect(await readLogo(image)).toEqual({ refused: expect.stringMatching(/^(El logo|La imagen) .+\.$/) });
  });

  test.each([
    ['a palette of 4 bits', png({ colour: 3, depth: 4 })],
    ['an interlaced palette of 2 bits', png({ colour: 3, depth: 2, interlaced: true })],
  ])('%s, which PDF libraries draw wrongly, is kept as the same picture in 8 bits', async (_, image) => {
    const logo = await readLogo(image);
    const kept = Buffer.from('base64' in logo ? logo.base64 : '', 'base64');
    const [depth, , , , interlacing] = kept.subarray(24);
    expect([depth, interlacing]).toEqual([8, 0]);
    expect(PNG.sync.read(kept).data).toEqual(PNG.sync.read(image).data);
  });

  test('a colour profile that unpacks to 20 MB is not unpacked', async () => {
    const profile = Buffer.concat([Buffer.from('icc\0\0'), png({ rows: Buffer.alloc(20_000_000) })]);
    expect(await readLogo(png({ extra: [chunk('iCCP', profile)] }))).toMatchObject({ ancho: 40, alto: 20 });
  });
});

describe('the RIDE', () => {
  const images = (pdf: Buffer) => pdf.toString('latin1').match(/\/Subtype \/Image\b/g)?.length ?? 0;

  async function ride(client: Client): Promise<Buffer> {
    const { body } = await client.emit(factura());
    await client.settled(body.claveacceso);
    return (await client.get(`/api/comprobante/pdf/${body.claveacceso}`)).body;
  }

  test('has no picture without a logo', async () => {
    expect(images(await drawRide(written('01', factura())))).toBe(0);
  });

  test.each([
    ['a JPEG', jpg()],
    ['a grey PNG of 1 bit', png({ colour: 0, depth: 1 })],
    ['a colour PNG of 16 bits', png({ colour: 2, depth: 16 })],
    ['a PNG with a palette of 4 bits', png({ colour: 3, depth: 4 })],
    ['a colour PNG with alpha', png({ colour: 6 })],
    ['an interlaced PNG of one pixel', png({ width: 1, height: 1, interlaced: true })],
  ])('shows the company’s logo: %s', async (_, image) => {
    const logo = await readLogo(image);
    const drawable = Buffer.from('base64' in logo ? logo.base64 : '', 'base64');
    const pdf = await drawRide(written('01', factura()), drawable);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(images(pdf)).toBeGreaterThan(0);
  });

  test('a logo is there again after a restart, and is written once, however often its account changes', async () => {
    const dataDirectory = openFolder();
    const first = await start({ dataDirectory });
    await create(first);
    const image = Buffer.concat([jpg(), Buffer.alloc(1_000_000)]);
    expect((await upload(first, image)).status).toBe(200);
    for (let i = 0; i < 20; i++) await first.send('PUT', '/api/webhook', { url: 'https://example.com/' });
    await first.sandbox.close();
    expect(statSync(join(dataDirectory, 'sandbox.jsonl')).size).toBeLessThan(1_500_000);
    const second = await start({ dataDirectory });
    expect(images(await ride(second))).toBe(1);
  });

  test('the logo of another account’s company with the same RUC is not shown', async () => {
    const client = await start({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    await client.send('POST', '/api/empresa/crear', { ruc, razon_social: 'X' }, 'otra');
    const logo_base64 = png().toString('base64');
    expect((await client.send('POST', path, { ruc, logo_base64 }, 'otra')).status).toBe(200);
    expect(images(await ride(client))).toBe(0);
  });
});
