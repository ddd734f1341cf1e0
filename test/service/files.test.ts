import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { answering, clave, openClient, openHostile } from './hostile.ts';

// GET /api/comprobante/xml/{claveacceso} as a stream; the PDF's are in look-ups.test.ts.

describe('the XML as a stream', () => {
  test.each([
    '<?xml version="1.0"?><autorizacion/>',
    '\uFEFF<?xml version="1.0"?><guiaRemision/>',
    '  \n<comprobanteRetencion id="comprobante"/>',
    '<!-- firmado --><factura></factura>',
  ])('%j comes as it is', async (xml) => {
    const answer = await openClient(await answering(200, xml)).calls.descargarXml(clave, 'stream');
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(Buffer.from(await text(answer.stream)).toString()).toBe(xml.replace('\uFEFF', ''));
  });

  test('it is handed on before its end, and byte by byte', async () => {
    const { promise: handedOn, resolve: finish } = Promise.withResolvers<void>();
    const url = await openHostile(async (_req, res) => {
      for (const byte of '<?xml version="1.0"?>') {
        res.write(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await handedOn;
      res.end('<factura/>');
    });
    const answer = await openClient(url).calls.descargarXml(clave, 'stream');
    if (answer.kind !== 'found') throw new Error(answer.kind);
    finish();
    expect(await text(answer.stream)).toBe('<?xml version="1.0"?><factura/>');
  });

  test.each([
    [200, '<!DOCTYPE html><html><body>mantenimiento</body></html>', 'unknown'],
    [200, '<HTML><body>mantenimiento</body></HTML>', 'unknown'],
    [200, '{"success":true,"xml":"<factura/>"}', 'unknown'],
    [200, '', 'unknown'],
    [200, ' '.repeat(100_000), 'unknown'],
    [404, { success: false }, 'not-found'],
    [401, { success: false }, 'unauthorized'],
    [503, '', 'unknown'],
  ])('%i %.40j is no XML', async (status, body, kind) => {
    const answer = await openClient(await answering(status, body)).calls.descargarXml(clave, 'stream');
    expect(answer.kind).toBe(kind);
  });
});
