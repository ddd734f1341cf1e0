import { describe, expect, it, test } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { CommandError, ConfigError, LedgerError, ShopError } from '../../src/domain/errors.ts';
import { reasonOf } from '../../src/jobs/sentences.ts';
import { alertTexts } from '../../src/messages/alerts.ts';
import { authority } from '../../src/messages/authority.ts';
import { catalogue } from '../../src/messages/es.ts';
import { type Message, sentenceOf } from '../../src/messages/message.ts';
import { reasons } from '../../src/messages/reasons.ts';

const general = [...catalogue.map(({ entries }) => entries), authority].flatMap((entries) =>
  Object.entries<Message>(entries),
);

describe('a sentence without data', () => {
  it.each(general)('%s has every word and one full stop', (_code, message) => {
    const said = sentenceOf(message);
    expect(said).not.toMatch(/undefined|null|NaN|\[object|«»| {2}|\.\.|\s[.,:;]|:\.|\bdéle|\bdélas/i);
    expect(said).toMatch(/^(?:[A-ZÁÉÍÓÚÑ«]|facturapuente start)/);
  });
});

const said = (code: keyof typeof reasons, params: Record<string, unknown>) =>
  sentenceOf(reasons[code] as Message, params);

describe('verbs agree with what they are of', () => {
  const refund = { refund: '9', money: '11.50', number: '001-001-000000001', rest: null };

  it.each([
    [
      { items: ['Taza'] },
      '«Taza», que se agregó al pedido después de la factura 001-001-000000001 y no está en ella',
    ],
    [
      { items: ['Taza', 'Té'] },
      '«Taza», «Té», que se agregaron al pedido después de la factura 001-001-000000001 y no están en ella',
    ],
  ])('%j', (items, words) => {
    expect(said('refund-not-invoiced', { why: 'added', ...refund, ...items })).toContain(words);
  });

  it.each([
    [1, 'tiene un comprobante en camino.'],
    [3, 'tiene 3 comprobantes en camino.'],
  ])('%i documents', (documents, words) => {
    expect(new ConfigError('store-busy', { store: 'loja', documents }).merchant).toContain(words);
  });
});

test('an alert about a document without a number leaves no gap, and one without a reason speaks of the general case', () => {
  const about = { order: '#7', document: 'la factura', number: '', reason: null };
  expect(alertTexts('document-manual', about).what).toBe(
    'Pedido #7: la factura necesita que una persona decida.',
  );
  expect(alertTexts('issuer-refused', about).what).toMatch(/^El SRI no autoriza un documento/);
});

describe('the words of the authority and of the service end once', () => {
  const refused = (sentence: 'notAuthorised' | 'triedAgain' | 'refusedAfterLost', ...words: string[]) =>
    reasonOf({ kind: 'factura' } as Document, { sentences: [sentence], words });

  it.each([
    ['notAuthorised', '39 FIRMA INVALIDA.', 'FIRMA INVALIDA. La firma'],
    ['notAuthorised', '39 FIRMA INVALIDA', 'FIRMA INVALIDA. La firma'],
    ['triedAgain', '999 OTRO', '999 OTRO. Se intentará de nuevo.'],
    ['refusedAfterLost', 'Cliente equivocado', 'Cliente equivocado. La respuesta'],
  ] as const)('%s: %s', (sentence, words, expected) => {
    expect(refused(sentence, words)).toContain(expected);
  });
});

describe('a fix fits its case', () => {
  it.each([
    [
      'a store that the config keeps',
      new ConfigError('store-unknown', { why: 'not-added', store: 'loja' }),
      /registrada con «store add».*las del archivo de configuración se quitan ahí/,
    ],
    [
      'the shop of an old order',
      new CommandError('store-unknown', { why: 'gone', store: 'loja.ec' }),
      /loja\.ec.*ya no está en la configuración\. Devuélvala/,
    ],
    [
      'a store without API access',
      new ConfigError('not-offered', { why: 'no-api', store: 'loja' }),
      /«loja» está configurada sin acceso.*apiAccess: false/,
    ],
    [
      'a damaged file, which no free space repairs',
      new LedgerError('ledger-unwritable', { why: 'damaged', path: 'l.db', cause: 'x' }),
      /dañado.*restaure el último respaldo/,
    ],
    [
      'a shop that Shopify does not find, by its name',
      new ShopError('shop-refused', { why: 'address', shop: 'loja.myshopify.com' }, { retryable: false }),
      /no encuentra la tienda loja\.myshopify\.com/,
    ],
    [
      'an answer of WooCommerce, with what was asked',
      new ShopError(
        'shop-answer',
        { platform: 'WooCommerce', path: 'orders/7', problem: '«id» no está' },
        { retryable: false },
      ),
      /respondió a orders\/7 con datos que no se pueden leer: «id» no está/,
    ],
    [
      'the store that has the shop already, with its address',
      new ConfigError('shop-twice', {
        store: 'loja',
        shop: 'https://loja.ec',
        address: 'https://b.ec',
        reason: '',
      }),
      /https:\/\/b\.ec.*«loja» \(https:\/\/loja\.ec\)/,
    ],
  ])('%s', (_what, error, words) => {
    expect(error.merchant).toMatch(words);
  });

  test('a damaged ledger is not about space on the disk', () => {
    const { merchant } = new LedgerError('ledger-unwritable', { why: 'damaged', path: 'l.db', cause: 'x' });
    expect(merchant).not.toMatch(/Libere espacio/);
  });
});
