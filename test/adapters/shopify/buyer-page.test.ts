import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBuyer } from '../../../adapters/shopify/buyer.ts';
import { metafieldNamespace } from '../../../adapters/shopify/sale.ts';
import { Connection } from '../../../adapters/shopify/settings.ts';
import { metafieldKeys, metafields } from '../../../adapters/shopify/write-back.ts';
import { examine, finalConsumerId } from '../../../src/domain/identification.ts';
import { hasShared, readShared } from '../../support/shared.ts';
import { cart, fenced, script } from './buyer-page.ts';

/** The check alone, in a world without a page. */
function check(): (text: string) => string | null {
  const world = createContext({ window: {}, document: { addEventListener() {} } });
  runInContext(script, world);
  return (text) =>
    runInContext(`facturapuenteIdentificacion(${JSON.stringify(text)})`, world) as string | null;
}

describe('the check of the field in the cart', () => {
  const isGood = check();

  test('agrees with ours on every number, and leaves consumidor final to an empty field', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
    const province = fc.integer({ min: 0, max: 32 }).map((n) => String(n).padStart(2, '0'));
    const likely = fc.tuple(province, digits(8), fc.constantFrom('', '001', '000', '123'));
    const text = fc.oneof(
      likely.map((parts) => parts.join('')),
      digits(10),
      digits(13),
      fc.stringMatching(/^[\d .-]{0,16}$/),
    );
    fc.assert(
      fc.property(text, (value) => {
        const examined = examine(value);
        const ours =
          examined.ok && examined.found.value !== finalConsumerId && /\d/.test(value)
            ? examined.found.value
            : null;
        expect(isGood(value)).toBe(ours);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    ['1710034065', '1710034065'],
    ['171003406-5', '1710034065'],
    [' 1710034065001 ', '1710034065001'],
    ['0992345678001', '0992345678001'],
    ['1710034066', null],
    ['1710034065000', null],
    ['2510034065', null],
    ['9999999999', null],
    ['9999999999999', null],
    ['AB123456', null],
    ['', null],
  ])('takes %j for %j', (text, expected) => {
    expect(isGood(text)).toBe(expected);
  });

  test.skipIf(!hasShared)('agrees with the known identifications', () => {
    const known = JSON.parse(readShared('data/sri/kat-identifications.json')) as Record<string, unknown>;
    const good = Object.entries(known)
      .filter(([name]) => name !== 'note' && name !== 'consumidor_final')
      .flatMap(([, value]) => {
        const list = (value as { list?: unknown }).list ?? value;
        return Array.isArray(list) ? (list as string[]) : Object.keys(list as object);
      });
    expect(good.length).toBeGreaterThan(20);
    for (const value of good) expect(isGood(value), value).toBe(value);
    expect(isGood(known.consumidor_final as string)).toBeNull();
  });

  test('writes an attribute that is read as the buyer’s identification', () => {
    const name = /name="attributes\[(.+?)\]"/.exec(cart)?.[1] ?? '';
    expect(cart.split(name).length).toBeGreaterThan(3);
    const nobody = {
      email: null,
      phone: null,
      otherPhones: [],
      customerName: null,
      billing: null,
      shipping: null,
    };
    const rest = { localizedFields: [], customerMetafields: [], b2bTaxRegistration: null, b2bCompany: null };
    const { idSources } = Connection.parse({ app: 'demo', shop: 'demo-ec.myshopify.com' });
    const noteAttributes = [{ name, value: '1710034065' }];
    const { ids } = readBuyer({ ...nobody, ...rest, noteAttributes }, idSources);
    expect(ids).toMatchObject([{ value: '1710034065' }]);
  });
});

describe('the extension for the order’s page', () => {
  test('asks for our own metafields only, and for those a buyer may read', () => {
    const toml = fenced('toml').find((code) => code.includes('[[extensions.metafields]]')) ?? '';
    expect(new Set([...toml.matchAll(/^namespace = "(.*)"$/gm)].map(([, name]) => name))).toEqual(
      new Set([metafieldNamespace]),
    );
    const asked = [...toml.matchAll(/^key = "(.*)"$/gm)].map(([, key = '']) => key);
    const open = metafieldKeys.filter((key) => metafields[key].forBuyer);
    expect(open).toEqual(expect.arrayContaining(asked));
    const used = [...(fenced('jsx')[0] ?? '').matchAll(/\bfields\.(\w+)/g)].map(([, key]) => key);
    expect(new Set(used)).toEqual(new Set(asked));
  });

  test('and the page for legacy accounts name no field that is not there', () => {
    const used = [...(fenced('liquid')[0] ?? '').matchAll(/factura\.(\w+)\.value/g)].map(([, key]) => key);
    expect(metafieldKeys).toEqual(expect.arrayContaining(used));
  });
});
