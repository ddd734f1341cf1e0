import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { accessKeyOf, keysInPdf } from '../../src/service/event.ts';

const key = (secuencial: string) =>
  accessKeyOf(
    {
      ...{ issueDate: '2026-11-20', codDoc: '01', ruc: '1790012345001', ambiente: 1 },
      ...{ establecimiento: '001', puntoEmision: '001', secuencial },
    },
    '123456781',
  );
const [one, two] = [key('000000001'), key('000000002')];
const pdf = (content: string | Buffer) =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nstream\r\n'),
    Buffer.from(content),
    Buffer.from('\nendstream'),
  ]);
const drawn = (compress: boolean) =>
  new Promise<Buffer>((resolve) => {
    const doc = new PDFDocument({ compress });
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)));
    doc.text(`CLAVE DE ACCESO ${one}`).text(two, { characterSpacing: 1 });
    doc.end();
  });

describe('the access keys in a PDF', () => {
  it.each([true, false])('are read where a common library drew them, packed: %s', async (compress) => {
    expect(keysInPdf(await drawn(compress))).toEqual([one, two]);
  });

  it.each([
    ['as one string', `BT (Clave: ${one}) Tj ET`],
    ['in pieces', `BT [(${one.slice(0, 20)}) -12.5 (${one.slice(20)})] TJ ET`],
    ['as hexadecimal digits', `BT <${Buffer.from(one).toString('hex')}> Tj ET`],
    ['with spaces', `BT (${one.replace(/(.{10})/g, '$1 ')}) Tj ET`],
    ['packed', deflateSync(`BT (${one}) Tj ET`)],
  ])('are read %s', (_, content) => {
    expect(keysInPdf(pdf(content))).toEqual([one]);
  });

  it.each([
    ['glyphs of a font that numbers them anew', 'BT <001A001B001C> Tj ET'],
    ['49 digits that are no key', `BT (${'1'.repeat(49)}) Tj ET`],
    ['a longer number', `BT (9${one}) Tj ET`],
    ['a stream that cannot be unpacked', Buffer.from([0x78, 0x9c, 1, 2, 3])],
    ['what swells beyond measure', deflateSync(Buffer.alloc(64 * 1024 * 1024))],
    ['no stream that ends', `(${one}) Tj`],
  ])('are none in %s', (_, content) => {
    expect(
      keysInPdf(_ === 'no stream that ends' ? Buffer.from(`%PDF stream ${content}`) : pdf(content)),
    ).toEqual([]);
  });
});
