import { describe, expect, test } from 'vitest';
import { readAuthorizedXml } from '../../src/service/authorized-xml.ts';
import { hasShared, readShared } from '../support/shared.ts';
import { answering, clave, openClient } from './hostile.ts';

const factura = `<?xml version="1.0" encoding="UTF-8"?>
<!-- <claveAcceso>0</claveAcceso> -->
<factura id="comprobante" version="1.1.0">
  <infoTributaria><ruc>1090007870001</ruc><claveAcceso>${clave}</claveAcceso><codDoc>01</codDoc>
    <estab>032</estab><ptoEmi>101</ptoEmi><secuencial> 000046045 </secuencial></infoTributaria>
  <infoFactura><fechaEmision>04/08/2025</fechaEmision><razonSocialComprador>A &amp; B &lt;S.A.&gt;</razonSocialComprador>
    <identificacionComprador>2459999997</identificacionComprador><importeTotal>33.75</importeTotal></infoFactura>
  <infoAdicional>
    <campoAdicional nombre="Nota &quot;1&quot;">Niño &amp; C&#237;a</campoAdicional>
    <campoAdicional nombre='Referencia'><![CDATA[shopify/tienda<1>/factura/42/0]]></campoAdicional>
    <campoAdicional nombre="__proto__">x</campoAdicional>
  </infoAdicional>
</factura>`;
const wrapped = (inner: string) =>
  `<?xml version="1.0"?><autorizacion><estado>AUTORIZADO</estado><numeroAutorizacion>${clave}</numeroAutorizacion><comprobante>${inner}</comprobante><mensajes/></autorizacion>`;
const escaped = factura.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const cdata = factura.replaceAll(']]>', ']]]]><![CDATA[>');

describe('an authorised document', () => {
  test.each([
    ['bare', factura],
    ['with a byte order mark', `\uFEFF${factura}`],
    ['inside CDATA', wrapped(`<![CDATA[${cdata}]]>`)],
    ['inside escaped text', wrapped(escaped)],
    ['as a child', wrapped(factura.replace(/<\?xml.*?\?>/, ''))],
    [
      'with a namespace',
      factura.replace('<factura ', '<sri:factura xmlns:sri="x" ').replace('</factura>', '</sri:factura>'),
    ],
  ])('is read %s', (_, xml) => {
    const read = readAuthorizedXml(xml);
    expect(read).toMatchObject({
      claveAcceso: clave,
      codDoc: '01',
      ruc: '1090007870001',
      numero: '032-101-000046045',
      secuencial: '000046045',
      fechaEmision: '2025-08-04',
      identificacionComprador: '2459999997',
      importeTotal: '33.75',
    });
    expect(Object.entries(read?.campoAdicional ?? {})).toEqual([
      ['Nota "1"', 'Niño & Cía'],
      ['Referencia', 'shopify/tienda<1>/factura/42/0'],
      ['__proto__', 'x'],
    ]);
  });

  test('text that only looks like an element is text', () => {
    const inText = factura.replace('Niño', `&lt;claveAcceso&gt;${'9'.repeat(49)}&lt;/claveAcceso&gt;`);
    expect(readAuthorizedXml(inText)?.claveAcceso).toBe(clave);
    const inCdata = factura.replace('shopify/', '</campoAdicional></infoAdicional>');
    expect(readAuthorizedXml(inCdata)?.campoAdicional.Referencia).toMatch(/^<\/campoAdicional>/);
  });

  test.each([
    ['nothing', ''],
    ['HTML', '<html><body><br></body></html>'],
    ['JSON', '{"success":true}'],
    ['a document cut short', factura.slice(0, 700)],
    ['elements closed out of order', factura.replace('</ruc>', '</RUC>')],
    [
      'a document type with entities',
      factura.replace('<factura ', '<!DOCTYPE f [<!ENTITY a "b">]><factura '),
    ],
    ['an access key of 48 digits', factura.replace(clave, clave.slice(1))],
    ['no total', factura.replace(/<importeTotal>.*<\/importeTotal>/, '')],
    ['another kind of document', factura.replaceAll('factura', 'guiaRemision')],
    ['an empty wrapper', wrapped('')],
    ['an entity nobody declared', factura.replace('Niño', '&eacute;')],
    ['an attribute without quotation marks', factura.replace('"comprobante"', 'comprobante')],
    ['two documents', `${factura}${factura.replace(/<\?xml.*?\?>/, '')}`],
  ])('%s is none', (_, xml) => {
    expect(readAuthorizedXml(xml)).toBeNull();
  });

  test('an answer about another document is unknown', async () => {
    const other = factura.replaceAll(clave, clave.replace(/^04/, '05'));
    const { calls } = openClient(await answering(200, other));
    expect(await calls.descargarXml(clave)).toMatchObject({ kind: 'unknown' });
    const right = openClient(await answering(200, wrapped(`<![CDATA[${cdata}]]>`)));
    expect(await right.calls.descargarXml(clave)).toMatchObject({
      kind: 'found',
      facts: { claveAcceso: clave },
    });
    expect(await openClient(await answering(404, '')).calls.descargarXml(clave)).toEqual({
      kind: 'not-found',
    });
  });
});

describe.skipIf(!hasShared)('the published samples', () => {
  const index = hasShared
    ? (JSON.parse(readShared('data/sri/samples/index.json')) as {
        file: string;
        claveAcceso: string;
        ruc: string;
        fecha: string;
        total: string;
      }[])
    : [];

  test.each(index)('$file', ({ file, claveAcceso, ruc, fecha, total }) => {
    const read = readAuthorizedXml(readShared(`data/sri/samples/${file}`));
    expect(read).toMatchObject({ claveAcceso, ruc, fechaEmision: fecha.split('/').reverse().join('-') });
    expect(Number(read?.importeTotal)).toBe(Number(total));
    expect(claveAcceso).toContain(read?.numero.replaceAll('-', ''));
    const lines = read?.detalles ?? [];
    const base = lines.reduce((all, line) => all + Number(line.precioTotalSinImpuesto), 0);
    expect(lines.length).toBeGreaterThan(0);
    // Issuers round in ways of their own: some totals are cents away from their lines.
    expect(Math.abs(base - Number(read?.totalSinImpuestos))).toBeLessThan(0.1);
    expect(lines.every(({ impuestos, cantidad }) => impuestos.length > 0 && Number(cantidad) > 0)).toBe(true);
    expect(read?.totalImpuestos.every(({ valor }) => valor !== null)).toBe(true);
    expect(read?.documentoModificado?.numero ?? null).toEqual(
      read?.codDoc === '04' ? expect.stringMatching(/^\d{3}-\d{3}-\d{9}$/) : null,
    );
  });
});
