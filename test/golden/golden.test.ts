import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import type { ProvableDocument } from './documents.ts';
import { record, recorded, verify } from './recording.ts';
import { goldenFolder, report } from './timeline.ts';

const recording = process.env.GOLDEN === 'record';
const schemas = hasShared
  ? { factura: openXsd('factura_V1.1.0.xsd'), 'nota-credito': openXsd('NotaCredito_V1.1.0.xsd') }
  : null;
const timelines = readdirSync(goldenFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

describe('a golden case', () => {
  test.each(timelines)('%s', (name) => {
    const folder = `${goldenFolder}/${name}`;
    const reported = report(folder, name);
    if (recording) record(folder, reported, schemas);
    const about = readFileSync(`${folder}/README.md`, 'utf8');
    for (const document of reported.documents) {
      verify(document, schemas);
      expect(about).toContain(document.charged);
    }
    expect(Object.fromEntries(recorded(folder))).toEqual(Object.fromEntries(reported.files));
  });

  test.each(timelines)('%s says in two to five lines what it is about', (name) => {
    const lines = readFileSync(`${goldenFolder}/${name}/README.md`, 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeLessThanOrEqual(5);
  });

  test('stands for every shape on both platforms', () => {
    const of = (platform: string) => timelines.filter((name) => name.startsWith(`${platform}-`)).length;
    expect(timelines.length).toBeGreaterThanOrEqual(25);
    expect(of('shopify')).toBeGreaterThan(10);
    expect(of('woocommerce')).toBeGreaterThan(10);
  });

  test('goes on to what was given back in at least ten of them, with every kind of outcome', () => {
    const refunded = timelines.filter((name) => existsSync(`${goldenFolder}/${name}/refunds.json`));
    expect(refunded.length).toBeGreaterThanOrEqual(10);
    const names = refunded.flatMap((name) => readdirSync(`${goldenFolder}/${name}`));
    for (const ending of ['.xml', '-hold.json', '-manual.json', '-wait.json', '-nothing.json'])
      expect(names.filter((name) => name.startsWith('nota-credito-1') && name.endsWith(ending))).not.toEqual(
        [],
      );
  });
});

describe('recording', () => {
  const reported = report(`${goldenFolder}/woocommerce-reembolso-total`, 'woocommerce-reembolso-total');
  const spoilt = (at: number, change: Partial<ProvableDocument>) => () => ({
    ...reported,
    documents: reported.documents.map((document, n) => (n === at ? { ...document, ...change } : document)),
  });
  const xml = (at: number, from: RegExp, to: string) =>
    spoilt(at, { xml: reported.documents[at]?.xml.replace(from, to) ?? '' });

  test.each([
    ['factura that breaks the schema', xml(0, /<moneda>DOLAR/, '<moneda>UNA MONEDA DE NOMBRE LARGO')],
    ['factura that is a cent off in its tax', xml(0, /<valor>4.40/, '<valor>4.41')],
    ['factura that is a cent off in its total', xml(0, /<importeTotal>51.75/, '<importeTotal>51.74')],
    ['factura that does not reach what was charged', spoilt(0, { charged: '51.76' })],
    ['factura the sandbox refuses', spoilt(0, { complaints: ['52'] })],
    ['nota de crédito that breaks the schema', xml(1, /<motivo>.*<\/motivo>/, '')],
    ['nota de crédito that is a cent off in its tax', xml(1, /<valor>4.40/, '<valor>4.41')],
    [
      'nota de crédito that is a cent off in its total',
      xml(1, /<valorModificacion>51.75/, '<valorModificacion>51.74'),
    ],
    ['nota de crédito that does not reach what went back', spoilt(1, { charged: '51.76' })],
    ['nota de crédito the sandbox refuses', spoilt(1, { complaints: ['52'] })],
  ])('refuses a %s, and writes nothing', (_what, spoil) => {
    const folder = mkdtempSync(`${tmpdir()}/golden-`);
    try {
      expect(reported.documents.map(({ kind }) => kind)).toEqual(['factura', 'nota-credito']);
      expect(() => record(folder, spoil(), schemas)).toThrow();
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.skipIf(!hasShared)('writes what is proven', () => {
    const folder = mkdtempSync(`${tmpdir()}/golden-`);
    try {
      record(folder, reported, schemas);
      expect(Object.fromEntries(recorded(folder))).toEqual(Object.fromEntries(reported.files));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('refuses everything where the official schema is not at hand', () => {
    expect(() => record('/nowhere', reported, null)).toThrow('XSD');
  });
});
