import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { demoIssuer } from '../../src/cli/given.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { cliExamples } from './cli-examples.ts';
import { cliReference, leaves } from './cli-reference.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('docs/cli.md tells every command as it describes itself (npm run reference)', async () => {
  await expect(cliReference()).toMatchFileSnapshot('../../docs/cli.md');
});

test('every example is of a command there is, and every command has one', () => {
  const names = leaves().map(({ name }) => name);
  expect(Object.keys(cliExamples).sort()).toEqual(names.sort());
});

const tried = Object.entries(cliExamples).filter(([, { triedBy }]) => triedBy === undefined);
const elsewhere = Object.entries(cliExamples).filter(([, { triedBy }]) => triedBy !== undefined);

test.each(elsewhere)(
  'the example of %s is tried elsewhere, its options are known',
  (name, { run: line, triedBy }) => {
    expect(existsSync(join(root, triedBy ?? ''))).toBe(true);
    const command = leaves().find((one) => one.name === name)?.command;
    const { unknown } = command?.parseOptions(words(line).slice(name.split(' ').length)) ?? {
      unknown: ['no'],
    };
    expect(unknown).toEqual([]);
  },
);

describe('beside a running start, each example does what docs/cli.md says', () => {
  let product: Product;
  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite' });
    await product.start();
    product.sandbox.faults.add({ failBeforeStoring: 400 });
    await product.deliver('1201');
    await eventually(() => written(product, '1201').estado, 'the refusal on the order');
    await product.deliver('1202');
    await eventually(() => written(product, '1202').pdf, 'the other factura on its order');
    const file = (name: string, text: string) => writeFile(join(product.folder, name), text);
    await file('pedido.json', JSON.stringify(product.shop.order('1203')));
    await file('otra-tienda.yaml', otherStore(product.sandbox.url));
  });
  afterAll(() => product?.close());

  test.each(tried)('%s', async (_name, { run: line, message = '', code, input = '' }) => {
    const ran = await run(words(line), {}, input, product.folder);
    const [said, expected] = [
      (ran.stdout + ran.stderr).replaceAll(product.url, 'https://facturas.mitienda.ec'),
      message,
    ];
    for (const line of expected.split('\n').filter((one) => one.trim() !== '…'))
      expect(said).toMatch(lineLike(line));
    expect(ran.code).toBe(code);
  });

  /** The tutorial runs the others. */
  test.each(['plan', 'documents', 'explain', 'doctor'])('%s, as the README shows it', async (name) => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const line = readme.match(new RegExp(`^npx facturapuente ${name}\\b.*?(?=  |$)`, 'm'))?.[0] ?? '';
    const here = line.replace('#1001', '#1201').replace('order.json', 'pedido.json');
    expect(await run(words(here), {}, '', product.folder)).toMatchObject({
      code: cliExamples[name]?.code,
    });
  });
});

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A line of an example: `…` stands for anything, runs of spaces and of table lines for each other. */
function lineLike(line: string): RegExp {
  const parts = line
    .trim()
    .split('…')
    .map((part) => part.trim().split(/\s+/).map(literally).join('\\s+'));
  return new RegExp(parts.join('.*'));
}

/** The words of a shell's line after `npx facturapuente`. */
function words(line: string): string[] {
  const parts = [...line.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)];
  return parts.map(([, double, single, plain]) => double ?? single ?? plain ?? '').slice(2);
}

function otherStore(serviceUrl: string): string {
  const { ambiente, ...issuer } = demoIssuer.issuer;
  return stringify({
    accounts: { otra: { baseUrl: serviceUrl, apiKey: 'clave-1' } },
    issuers: { otra: { account: 'otra', ambiente, ...issuer } },
    stores: {
      'otra-tienda': {
        platform: 'woocommerce',
        issuer: 'otra',
        series: { establecimiento: '001', puntoEmision: '009' },
        connection: { url: 'https://otra.example.ec' },
      },
    },
  });
}
