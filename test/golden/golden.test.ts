import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { prove, record, recorded } from './recording.ts';
import { goldenFolder, tell } from './story.ts';

const recording = process.env.GOLDEN === 'record';
const validate = hasShared ? openXsd('factura_V1.1.0.xsd') : null;
const stories = readdirSync(goldenFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

describe('a golden story', () => {
  test.each(stories)('%s', (name) => {
    const folder = `${goldenFolder}/${name}`;
    const told = tell(folder, name);
    if (recording) record(folder, told, validate);
    if (told.document) {
      prove(told.document, validate);
      expect(readFileSync(`${folder}/README.md`, 'utf8')).toContain(told.document.charged);
    }
    expect(Object.fromEntries(recorded(folder))).toEqual(Object.fromEntries(told.files));
  });

  test.each(stories)('%s says in two to five lines what it is about', (name) => {
    const lines = readFileSync(`${goldenFolder}/${name}/README.md`, 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeLessThanOrEqual(5);
  });

  test('stands for every shape on both platforms', () => {
    const of = (platform: string) => stories.filter((name) => name.startsWith(`${platform}-`)).length;
    expect(stories.length).toBeGreaterThanOrEqual(25);
    expect(of('shopify')).toBeGreaterThan(10);
    expect(of('woocommerce')).toBeGreaterThan(10);
  });
});

describe('recording', () => {
  const told = tell(`${goldenFolder}/woocommerce-iva-15`, 'woocommerce-iva-15');
  const document = told.document ?? {
    xml: '',
    complaints: [],
    charged: '',
    difference: '',
    statedTax: false,
  };
  const spoilt = (from: RegExp, to: string) => ({
    ...told,
    document: { ...document, xml: document.xml.replace(from, to) },
  });

  test.each([
    ['breaks the schema', () => spoilt(/<moneda>DOLAR/, '<moneda>UNA MONEDA DE NOMBRE LARGO')],
    ['is a cent off in its tax', () => spoilt(/<valor>4.40/, '<valor>4.41')],
    ['is a cent off in its total', () => spoilt(/<importeTotal>33.75/, '<importeTotal>33.74')],
    ['does not reach what was charged', () => ({ ...told, document: { ...document, charged: '33.76' } })],
    ['the sandbox refuses', () => ({ ...told, document: { ...document, complaints: ['52'] } })],
  ])('refuses a document that %s, and writes nothing', (_what, spoil) => {
    const folder = mkdtempSync(`${tmpdir()}/golden-`);
    try {
      expect(() => record(folder, spoil(), validate)).toThrow();
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('refuses everything where the official schema is not at hand', () => {
    expect(() => record('/nowhere', told, null)).toThrow('XSD');
  });
});
