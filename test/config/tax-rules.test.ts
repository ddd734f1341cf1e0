import { describe, expect, it, test } from 'vitest';
import { ivaRates } from '../../mappers/index.ts';
import { parseConfig } from '../../src/config/load.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { defaultPolicy } from '../../src/config/resolve-stores.ts';
import type { Platform } from '../../src/domain/platform.ts';
import { piece, woocommerce } from './example.ts';

/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */
function settingsWith(
  policy: Record<string, unknown>,
  platform: Platform<never> | typeof woocommerce = woocommerce,
  rates = ivaRates,
) {
  const config = {
    publicUrl: 'https://facturas.ec',
    accounts: { principal: { baseUrl: 'https://servicio.example', apiKey: 'llave' } },
    issuers: { 'mi-empresa': piece.issuer },
    stores: { tienda: { ...piece.woo, policy } },
  };
  const parsed = parseConfig(config, { file: '/srv/config.yaml', env: {} });
  return resolveSettings(parsed, [platform as Platform], rates);
}

const complaint = (policy: Record<string, unknown>): string => {
  try {
    settingsWith(policy);
    return 'accepted';
  } catch (error) {
    return (error as Error & { merchant?: string }).merchant ?? String(error);
  }
};
const rules = (...list: unknown[]) => complaint({ tax: { rules: list } });

describe('tax rules are checked before the first order', () => {
  it.each<[string, unknown[], RegExp]>([
    [
      'an unknown IVA code',
      [{ when: {}, then: { iva: 9 } }],
      /rules\.0\.then\.iva: Debe ser uno de estos valores: 0, 2/,
    ],
    ['a rule that says nothing', [{ when: { sku: 'A' }, then: {} }], /rules\.0\.then: La regla no dice nada/],
    [
      'an unknown condition',
      [{ when: { product: 'A' }, then: { iva: 0 } }],
      /rules\.0\.when: No se conoce: product/,
    ],
    ['a code that is no ICE', [{ when: { sku: 'A' }, then: { ice: { codigo: 15, tarifa: 10 } } }], /3000/],
  ])('%s is refused', (_, list, sentence) => {
    expect(rules(...list)).toMatch(sentence);
  });

  it.each<[string, unknown[], RegExp]>([
    [
      'of 15 % on a rate stated 12',
      [{ name: 'mal', when: { rateId: 3, rate: 12 }, then: { iva: 4 } }],
      /tienda\.policy\.tax\.rules\.0: La regla «mal» asigna el IVA 4 \(15 %\) a un impuesto del 12 %\./,
    ],
    [
      'of 15 % on lines without tax',
      [{ when: { untaxed: true }, then: { iva: 4 } }],
      /«regla 1» asigna el IVA 4 \(15 %\) a líneas en las que la tienda no cobró impuesto/,
    ],
    [
      'that asks for a tax and for none',
      [{ when: { untaxed: true, title: 'IVA*' }, then: { iva: 0 } }],
      /líneas sin impuesto y un impuesto/,
    ],
    [
      'that gives a gift card an IVA, which its policy decides',
      [{ when: { sku: 'GC-*' }, then: { kind: 'gift-card', iva: 0 } }],
      /dice que es gift-card y le da un IVA, que decide policy\.giftCardsSold; quite iva/,
    ],
    [
      'that gives a kind after another one did',
      [
        { name: 'uno', when: { sku: 'GC-*' }, then: { kind: 'gift-card' } },
        { name: 'dos', when: { sku: 'GC-5' }, then: { kind: 'tip' } },
      ],
      /«dos» nunca se aplicaría/,
    ],
    [
      'that takes a fee for a gift card, which it cannot be',
      [{ name: 'mal', when: { kind: ['fee', 'shipping'] }, then: { kind: 'gift-card' } }],
      /«mal» nunca se aplicaría: lo que en la tienda es fee o shipping no puede ser gift-card, sino shipping, fee, tip, duty\./,
    ],
    [
      'that takes a product for shipping',
      [{ when: { kind: 'product' }, then: { kind: 'shipping' } }],
      /no puede ser shipping, sino product, gift-card, tip, duty/,
    ],
    ['that holds and decides', [{ when: { sku: 'A' }, then: { hold: 'No.', iva: 0 } }], /deje solo hold/],
    [
      'that repeats an earlier one',
      [
        { name: 'uno', when: { sku: 'LIB-*' }, then: { iva: 0 } },
        { name: 'dos', when: { sku: 'LIB-1', tag: 'x' }, then: { iva: 7 } },
      ],
      /rules\.1: La regla «dos» nunca se aplicaría: «uno» ya decide lo mismo antes/,
    ],
    [
      'that stands after one without conditions',
      [
        { when: {}, then: { tipo: 'servicio' } },
        { when: { kind: ['product', 'fee'] }, then: { tipo: 'bien' } },
      ],
      /nunca se aplicaría/,
    ],
  ])('a rule %s is refused', (_, list, sentence) => {
    expect(rules(...list)).toMatch(sentence);
  });

  it('the rates are those of the tables handed in, and of nothing else', () => {
    const rule = { name: 'general', when: { rate: 15 }, then: { iva: 4 } };
    const raised = { ...ivaRates, 4: '16' };
    expect(() => settingsWith({ tax: { rules: [rule] } }, woocommerce, raised)).toThrow(
      /«general» asigna el IVA 4 \(16 %\) a un impuesto del 15 %/,
    );
    expect(settingsWith({ tax: { rules: [rule] } }).stores.size).toBe(1);
  });

  it('rules that only overlap in part, or decide something else, are accepted', () => {
    expect(
      rules(
        { when: { sku: 'LIB-*', tag: 'x' }, then: { iva: 0 } },
        { when: { sku: 'LIB-*' }, then: { iva: 7 } },
        { when: { sku: 'LIB-*' }, then: { tipo: 'bien' } },
        { when: { title: 'ICE*' }, then: { ice: { codigo: 3101, tarifa: 75 } } },
        { when: { title: 'ICE*' }, then: { hold: 'Otro ICE.' } },
        { when: { sku: 'LIB-*' }, then: { kind: 'product', unidad: 3 } },
        { when: { name: 'Propina*' }, then: { kind: 'tip' } },
        { when: { kind: 'tip', name: 'Tip Top' }, then: { kind: 'fee' } },
        { when: { kind: ['fee', 'product'] }, then: { kind: 'gift-card' } },
      ),
    ).toBe('accepted');
  });

  it('rules of sales in Ecuador and of sales abroad are accepted together', () => {
    expect(
      rules(
        { when: { untaxed: true }, then: { iva: 0 } },
        { when: { untaxed: true, abroad: true }, then: { iva: 0 } },
        { when: { abroad: true }, then: { iva: 6 } },
        { when: {}, then: { hold: 'Lo demás se factura a mano.' } },
      ),
    ).toBe('accepted');
  });

  it.each<[string, unknown[]]>([
    [
      'abroad',
      [
        { when: { abroad: true }, then: { iva: 0 } },
        { when: { sku: 'A', abroad: true }, then: { iva: 6 } },
      ],
    ],
    [
      'at home, said or not',
      [
        { when: { abroad: false }, then: { iva: 0 } },
        { when: { sku: 'A' }, then: { iva: 6 } },
      ],
    ],
    [
      'everywhere',
      [
        { when: {}, then: { tipo: 'bien' } },
        { when: { abroad: true }, then: { tipo: 'servicio' } },
      ],
    ],
  ])('a rule that repeats an earlier one %s is refused', (_, list) => {
    expect(rules(...list)).toMatch(/nunca se aplicaría/);
  });

  it('a rule on a fact the platform does not have is refused, with an alternative', () => {
    const silent = { ...woocommerce, unstatedFacts: () => ['tag'] as const };
    expect(() =>
      settingsWith({ tax: { rules: [{ when: { tag: 'libro' }, then: { iva: 0 } }] } }, silent),
    ).toThrow(/la tienda no dice «tag» de sus líneas|tax\.rules\.0/);
  });

  it('a short form after a rule that covers it is refused too', () => {
    expect(
      complaint({ tax: { rules: [{ when: { untaxed: true }, then: { iva: 0 } }], untaxed: 7 } }),
    ).toMatch(/«untaxed» nunca se aplicaría/);
  });
});
/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */

describe('additional information', () => {
  const info = (...additionalInfo: unknown[]) => complaint({ additionalInfo });
  const entry = (name: string) => info({ name, value: '{order}' });

  it.each([
    'RUC Proveedor',
    'ruc  proveedor',
    'R.U.C. PROVEEDOR',
    'RUC_Proveedor:',
    'ＲＵＣ Proveedor',
    'Ruc del proveedor',
  ])('the service’s own entry is refused, written «%s»', (name) => {
    expect(entry(name)).toMatch(/additionalInfo\.0\.name: El campo «RUC Proveedor» lo agrega el servicio/);
  });

  it('so are ours, empty names, unknown placeholders and more than 13', () => {
    expect(entry('referencia')).toMatch(/lo usa el conector/);
    expect(entry(' ')).toMatch(/una sola línea/);
    expect(info({ name: 'Nota', value: '{nota}' })).toMatch(/Solo existen \{order\}/);
    expect(info(...Array.from({ length: 14 }, (_, at) => ({ name: `n${at}`, value: '{order}' })))).toMatch(
      /13/,
    );
  });

  it('other entries about RUCs and suppliers are accepted', () => {
    expect(entry('Proveedor')).toBe('accepted');
    expect(entry('RUC del transportista')).toBe('accepted');
  });
});

test('a store that decides nothing holds tips and duties, invoices no gift cards and untaxed nothing as 0 %', () => {
  expect(defaultPolicy()).toMatchObject({
    tax: { rules: [] },
    tips: { as: 'hold' },
    duties: { as: 'hold' },
    giftCardsSold: { as: 'nothing' },
    payments: {},
    lineDetails: true,
  });
});
