import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { FacturaBody, NotaCreditoBody } from '../../../mappers/body.ts';
import { writeDocument } from '../../../sandbox/emulator/authority/xml/document.ts';
import { notaCredito as notaCreditoKind } from '../../../sandbox/emulator/emission/kinds.ts';
import { compareAuthorized, type SentDocument } from '../../../src/jobs/verify-document.ts';
import { readAuthorizedXml } from '../../../src/service/authorized-xml.ts';
import { stored } from '../../sandbox/stored.ts';
import { notaCredito } from '../../sandbox/support.ts';

/** The authorised XML is held against what was sent: tolerant of its writing, exact about its values. */
const golden = fileURLToPath(new URL('../../golden/', import.meta.url));
const timelines = readdirSync(golden, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(`${golden}${entry.name}`).includes('document.xml'))
  .map(({ name }) => name);

/** What a golden timeline sends, and its XML as the sandbox's authority has it. */
function timeline(name: string): { sent: SentDocument; xml: string } {
  const body = JSON.parse(readFileSync(`${golden}${name}/body.json`, 'utf8')) as FacturaBody;
  const xml = readFileSync(`${golden}${name}/document.xml`, 'utf8');
  return { sent: sentOf('01', { ...body, emisor: { ...body.emisor, secuencial: '000000123' } }, xml), xml };
}

function sentOf(codDoc: string, body: FacturaBody | NotaCreditoBody, xml: string): SentDocument {
  const reference = body.informacion_adicional.find(({ nombre }) => nombre === 'Referencia');
  const total = /<(?:importeTotal|valorModificacion)>(.*?)</.exec(xml)?.[1] ?? '';
  const accessKey = /<claveAcceso>(\d+)/.exec(xml)?.[1] ?? '';
  return {
    codDoc,
    accessKey,
    body,
    total,
    reference: { name: 'Referencia', value: reference?.detalle ?? '' },
  };
}

function creditTimeline(): { sent: SentDocument; xml: string } {
  const raw = notaCredito((body) => {
    body.emisor.secuencial = '000000123';
    body.informacion_adicional = [{ nombre: 'Referencia', detalle: 'woocommerce/t/nota-credito/7/1' }];
  });
  const read = notaCreditoKind({ dialect: 'former', arithmetic: 'totals' }).read(raw, '2026/11/20');
  if ('errors' in read) throw new Error(read.errors.join(' '));
  const document = stored(read.body as never);
  if (document.tipo !== '04') throw new Error('The sample is no nota de crédito.');
  const totales = document.figures.groups.map(({ codigo, codigoPorcentaje, base, tarifa, valor }) => ({
    codigo,
    codigo_porcentaje: codigoPorcentaje,
    base_imponible: Number(base),
    tarifa: Number(tarifa),
    valor: Number(valor),
  }));
  const items = document.figures.lines.map(({ item, total, descuento }) => ({
    ...item,
    descuento: Number(descuento),
    precio_total_sin_impuesto: Number(total),
  }));
  const xml = writeDocument(document);
  return { sent: sentOf('04', { ...document.body, items, totales } as unknown as NotaCreditoBody, xml), xml };
}

function compared({ sent, xml }: { sent: SentDocument; xml: string }) {
  const read = readAuthorizedXml(xml);
  if (!read) throw new Error('The XML cannot be read.');
  return compareAuthorized(sent, read);
}
const differing = (reported: { sent: SentDocument; xml: string }): string[] => compared(reported).fields;

describe('a document that became what was sent agrees', () => {
  test.each(timelines)('%s', (name) => expect(differing(timeline(name))).toEqual([]));
  test('a nota de crédito', () => expect(differing(creditTimeline())).toEqual([]));
});

describe('how a value is written does not matter', () => {
  const rewritten = (change: (xml: string) => string) => {
    const { sent, xml } = timeline('woocommerce-iva-0-y-15');
    expect(change(xml)).not.toBe(xml);
    return differing({ sent, xml: change(xml) });
  };
  test.each<[string, (xml: string) => string]>([
    ['figures with more or fewer zeros', (xml) => xml.replace(/>(\d+\.\d+)</g, '>$1000<')],
    ['white space around and inside texts', (xml) => xml.replace(/(<descripcion>\S+) /, '$1 \n  ')],
    ['letters as numeric entities', (xml) => xml.replace(/(<razonSocialComprador>)(.)/, '$1&#67;')],
    ['entities written twice', (xml) => xml.replace(/<descripcion>C/, '<descripcion>&amp;#67;')],
    ['no currency', (xml) => xml.replace(/<moneda>.*?<\/moneda>/, '')],
    ['the currency in other words', (xml) => xml.replace('DOLAR', 'Dólar')],
    ['rows of taxes in another order', reverseRows],
    ['tariffs left out of the rows', (xml) => xml.replace(/<tarifa>.*?<\/tarifa>/g, '')],
  ])('%s', (_, change) => expect(rewritten(change)).toEqual([]));

  test('a long description that was cut', () => {
    const { sent, xml } = timeline('woocommerce-iva-15');
    const [item, ...rest] = sent.body.items;
    if (!item) throw new Error('The timeline has no line.');
    const long = { ...item, descripcion: `${item.descripcion} de algodón con mangas largas y capucha` };
    const body = { ...sent.body, items: [long, ...rest] } as FacturaBody;
    const cut = xml.replace(/<descripcion>.*?</, `<descripcion>${long.descripcion.slice(0, 30)}<`);
    expect(differing({ sent: { ...sent, body }, xml: cut })).toEqual([]);
    const other = xml.replace(/<descripcion>.*?</, '<descripcion>Ca<');
    expect(differing({ sent: { ...sent, body }, xml: other })).toEqual(['detalle 1 descripcion']);
  });
});

describe('a value that is another one is told by its name, and its value by nobody', () => {
  const one = (text: string) => text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  const spoil = (xml: string, element: string) =>
    xml.replace(new RegExp(`(<${element}>)(.*?)(</${element}>)`), (_, open, text: string, close) => {
      const changed = /\d/.test(text) ? one(text) : `${text} y otra cosa`;
      return `${open}${changed}${close}`;
    });

  test.each([
    ['claveAcceso', 'claveAcceso'],
    ['ambiente', 'ambiente'],
    ['ruc', 'ruc'],
    ['secuencial', 'número'],
    ['fechaEmision', 'fechaEmision'],
    ['tipoIdentificacionComprador', 'tipoIdentificacionComprador'],
    ['razonSocialComprador', 'razonSocialComprador'],
    ['identificacionComprador', 'identificacionComprador'],
    ['totalSinImpuestos', 'totalSinImpuestos'],
    ['totalDescuento', 'totalDescuento'],
    ['importeTotal', 'importeTotal'],
    ['moneda', 'moneda'],
    ['codigoPrincipal', 'detalle 1 codigoPrincipal'],
    ['descripcion', 'detalle 1 descripcion'],
    ['cantidad', 'detalle 1 cantidad'],
    ['precioUnitario', 'detalle 1 precioUnitario'],
    ['descuento', 'detalle 1 descuento'],
    ['precioTotalSinImpuesto', 'detalle 1 precioTotalSinImpuesto'],
    ['formaPago', 'pago 1 formaPago'],
  ])('%s', (element, field) => {
    const { sent, xml } = timeline('woocommerce-iva-0-y-15');
    const spoilt = spoil(xml, element);
    expect(spoilt).not.toBe(xml);
    expect(differing({ sent, xml: spoilt })).toEqual([field]);
  });

  test.each([
    ['codDocModificado', 'codDocModificado'],
    ['numDocModificado', 'numDocModificado'],
    ['fechaEmisionDocSustento', 'fechaEmisionDocSustento'],
    ['motivo', 'motivo'],
    ['valorModificacion', 'importeTotal'],
    ['codigoInterno', 'detalle 1 codigoPrincipal'],
  ])('%s of a nota de crédito', (element, field) => {
    const { sent, xml } = creditTimeline();
    const spoilt = element === 'motivo' ? xml.replace(/<motivo>.*?</, '<motivo>Otro<') : spoil(xml, element);
    expect(differing({ sent, xml: spoilt })).toEqual([field]);
  });

  test.each<[string, (xml: string) => string, string[]]>([
    [
      'the rate of a total',
      (xml) =>
        xml.replace(/(<totalImpuesto>\s*<codigo>2<\/codigo>\s*<codigoPorcentaje>)4/, (_, head) => `${head}2`),
      ['totalImpuesto 2/4', 'totalImpuesto 2/2'],
    ],
    [
      'the value of a total',
      (xml) => xml.replace(/(<totalImpuesto>[\s\S]*?<valor>)[\d.]+/, '$177.77'),
      [expect.stringMatching(/^totalImpuesto 2\/\d valor$/) as never],
    ],
    [
      'the rate of a line',
      (xml) =>
        xml.replace(/(<impuesto>\s*<codigo>2<\/codigo>\s*<codigoPorcentaje>)\d/, (_, head) => `${head}8`),
      [
        expect.stringMatching(/^detalle 1 impuesto 2\/\d$/) as never,
        expect.stringMatching(/^detalle 1 impuesto 2\/8$/) as never,
      ],
    ],
    ['a line too few', (xml) => xml.replace(/<detalle>[\s\S]*?<\/detalle>/, ''), ['detalles']],
    ['a payment too few', (xml) => xml.replace(/<pago>[\s\S]*?<\/pago>/, ''), ['pagos']],
    ['another reference', (xml) => xml.replace(/(nombre="Referencia">)[^<]*/, '$1otra'), ['Referencia']],
  ])('%s', (_, change, fields) => {
    const { sent, xml } = timeline('woocommerce-iva-0-y-15');
    expect(change(xml)).not.toBe(xml);
    expect(differing({ sent, xml: change(xml) })).toEqual(fields);
  });
});

describe('a cent of the service’s own rounding', () => {
  /** Adds so many cents to what an element says, wherever `where` finds it. */
  const off = (xml: string, where: RegExp, cents: number) => {
    const changed = xml.replace(
      where,
      (_, head: string, figure: string) => `${head}${(Number(figure) + cents / 100).toFixed(2)}`,
    );
    expect(changed).not.toBe(xml);
    return changed;
  };
  const total = /(<(?:importeTotal|valorModificacion)>)([\d.]+)/;
  const valor = /(<totalImpuesto>\s*<codigo>2<\/codigo>\s*<codigoPorcentaje>4<[\s\S]*?<valor>)([\d.]+)/;
  const base =
    /(<totalImpuesto>\s*<codigo>2<\/codigo>\s*<codigoPorcentaje>4<[\s\S]*?<baseImponible>)([\d.]+)/;

  test.each([
    ['of the total', (xml: string) => off(xml, total, 1)],
    ['of a tax', (xml: string) => off(xml, valor, -1)],
    ['of both', (xml: string) => off(off(xml, valor, 1), total, 1)],
    [
      'of a payment too',
      (xml: string) => off(off(off(xml, valor, 1), total, 1), /(<pago>[\s\S]*?<total>)([\d.]+)/, 1),
    ],
  ])('%s is told as rounding', (_, change) => {
    const { sent, xml } = timeline('woocommerce-iva-0-y-15');
    expect(compared({ sent, xml: change(xml) })).toMatchObject({ isRounding: true });
  });

  test.each<[string, (xml: string) => string]>([
    ['two cents of a tax', (xml) => off(xml, valor, 2)],
    ['more cents of the total than there are taxes', (xml) => off(xml, total, 3)],
    ['a base that differs as well', (xml) => off(off(xml, valor, 1), base, 1)],
    [
      'another field beside it',
      (xml) => off(xml, total, 1).replace(/<descripcion>.*?</, '<descripcion>Otra<'),
    ],
    ['a total that is not in whole cents', (xml) => xml.replace(/(<importeTotal>[\d.]+)/, '$11')],
    ['a total that is no figure', (xml) => xml.replace(/(<pago>[\s\S]*?<total>)[\d.]+/, '$1mucho')],
  ])('%s is none', (_, change) => {
    const { sent, xml } = timeline('woocommerce-iva-0-y-15');
    expect(compared({ sent, xml: change(xml) })).toMatchObject({ isRounding: false });
  });

  test('a document that agrees has none', () => {
    expect(compared(timeline('woocommerce-iva-0-y-15'))).toEqual({ fields: [], isRounding: false });
    expect(compared(creditTimeline())).toEqual({ fields: [], isRounding: false });
  });
});

describe('the document a nota de crédito changes', () => {
  const of = (modified: Record<string, unknown>) => {
    const { sent, xml } = creditTimeline();
    const body = { ...sent.body, documento_modificado: modified } as unknown as NotaCreditoBody;
    return differing({ sent: { ...sent, body }, xml });
  };
  const original = () => (creditTimeline().sent.body as NotaCreditoBody).documento_modificado;

  test('is the same with its type as an integer and its number without dashes', () => {
    const { codigo_documento_sustento: _, numero_documento_sustento: numero, ...rest } = original();
    const bare = String(numero).replaceAll('-', '');
    expect(of({ ...rest, codigo_documento_sustento: 1, numero_documento_sustento: bare })).toEqual([]);
    expect(of({ ...rest, codigo_documento_sustento: 3, numero_documento_sustento: bare })).toEqual([
      'codDocModificado',
    ]);
  });

  test('is the same under whatever names the store gives the fields', () => {
    const renamed = Object.fromEntries(
      Object.entries(original()).map(([name, value], n) => [`campo_${n}_${name.length}`, value]),
    );
    expect(of(renamed)).toEqual([]);
  });

  test('is told where it is another one', () => {
    expect(of({ ...original(), numero_documento_sustento: '001001000000999' })).toEqual(['numDocModificado']);
    expect(of({})).toEqual(['codDocModificado', 'numDocModificado', 'fechaEmisionDocSustento', 'motivo']);
  });
});

function reverseRows(xml: string): string {
  return xml.replace(/<totalConImpuestos>([\s\S]*?)<\/totalConImpuestos>/, (_, rows: string) => {
    const all = rows.match(/<totalImpuesto>[\s\S]*?<\/totalImpuesto>/g) ?? [];
    return `<totalConImpuestos>${all.reverse().join('')}</totalConImpuestos>`;
  });
}
