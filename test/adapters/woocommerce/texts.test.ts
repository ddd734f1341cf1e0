import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { readRefunds } from '../../../adapters/woocommerce/refund.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { oneLine } from '../../../mappers/hold.ts';
import { tryReadJson } from '../../../src/domain/loose.ts';
import type { Order } from '../../../src/domain/order.ts';
import { draws } from '../../support/chance.ts';
import { hasShared, readShared, sharedPath } from '../../support/shared.ts';
import { paidOrder } from './shop.ts';

const connection = connectionSchema.parse({ url: 'https://mitienda.ec', webhookSecrets: ['secreto'] });
const read = (changes: Record<string, unknown>): Order => readOrder(paidOrder(changes), connection);

const entity = /&(?:#\d+|#x[\da-f]+|[a-z]+\d*);/i;
const escaped: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};
const escapeAll = (text: string) => text.replace(/[&<>"']/g, (sign) => escaped[sign] ?? sign);

/** A lone "<" and what follows it, as `wp_pre_kses_less_than` of WordPress writes them. */
const lessThan = (text: string) => text.replace(/<[^>]*?(?:(?=<)|$)/g, escapeAll);
/** The block checkout: `wp_kses` without any tag (SanitizationUtils.php), for a text without tags and entities. */
const block = (text: string) =>
  text
    .split(/(<[^<>]*)/)
    .map((part) =>
      part.startsWith('<') ? escapeAll(part) : part.replaceAll('&', '&amp;').replaceAll('>', '&gt;'),
    )
    .join('');

/** What a buyer or merchant types, and how it is stored: by the block checkout, the classic one, the API. */
const typed: [typed: string, ...stored: string[]][] = [
  ['Ferretería & Hijos', 'Ferretería &amp; Hijos', 'Ferretería & Hijos', 'Ferretería &#038; Hijos'],
  ['AT&T del Ecuador', 'AT&amp;T del Ecuador', 'AT&T del Ecuador'],
  ['D\'Ángelo «Ñandú» "Pepe"', 'D\'Ángelo «Ñandú» "Pepe"', 'D&#039;Ángelo «Ñandú» &quot;Pepe&quot;'],
  ['O’Neill', 'O&#8217;Neill', 'O&#x2019;Neill', 'O&rsquo;Neill'],
  ["L'Oréal", 'L&#x27;Oréal', 'L&apos;Oréal', "L'Oréal"],
  ['Peña Núñez', 'Pe&ntilde;a N&uacute;&ntilde;ez', 'Peña Núñez'],
  ['Pan <3 & Café', 'Pan &lt;3 &amp; Café', 'Pan <3 & Café'],
  ['Talla > 40', 'Talla &gt; 40', 'Talla > 40'],
  // Without a semicolon it is no entity: wp_kses writes `&amp;copy`.
  ['Papel &copy Tinta', 'Papel &amp;copy Tinta', 'Papel &copy Tinta'],
  ['Sal&notas R&reg', 'Sal&amp;notas R&amp;reg', 'Sal&notas R&reg'],
  // wp_kses keeps the names of HTML 4 only.
  ['Luz&sol; y &AMP;', 'Luz&amp;sol; y &amp;AMP;', 'Luz&sol; y &AMP;'],
  // Encoded twice: a person typed an entity, and another program encoded it.
  ['R &amp; G', 'R &amp;amp; G'],
  ['&#38;', '&amp;#38;'],
  ['Ropa &lt;nueva&gt;', 'Ropa &amp;lt;nueva&amp;gt;'],
];
const rows = typed.flatMap(([text, ...stored]) => stored.map((one) => [one, text] as const));

type Line = Record<string, unknown>;
const [soldLine] = paidOrder().line_items as [Line];
const money = { total: '0.00', total_tax: '0.00', taxes: [] };
const meta = (key: string, value: unknown) => ({ meta_data: [{ key, value }] });
const billing = (changes: Line) => ({
  billing: { first_name: '', last_name: '', country: 'EC', ...changes },
});
const line = (changes: Line) => ({ line_items: [{ ...soldLine, ...changes }] });
const lineMeta = (changes: Line) => line({ meta_data: [{ key: 'talla', value: 'x', ...changes }] });

/** Every text of an order that a document, a note, a mail or a page can show. */
const fields: Record<string, (stored: string) => [changes: Line, read: (order: Order) => unknown]> = {
  'billing.first_name': (stored) => [billing({ first_name: stored }), ({ buyer }) => buyer.name],
  'billing.last_name': (stored) => [billing({ last_name: stored }), ({ buyer }) => buyer.name],
  'billing.company': (stored) => [billing({ company: stored }), ({ buyer }) => buyer.company],
  'billing.address_1': (stored) => [billing({ address_1: stored }), ({ buyer }) => buyer.address],
  'billing.address_2': (stored) => [billing({ address_2: stored }), ({ buyer }) => buyer.address],
  'billing.city': (stored) => [billing({ city: stored }), ({ buyer }) => buyer.address],
  'billing.phone': (stored) => [billing({ phone: stored }), ({ buyer }) => buyer.phone],
  'shipping.phone': (stored) => [
    { shipping: { country: 'EC', phone: stored } },
    ({ buyer }) => buyer.phones?.at(-1),
  ],
  customer_note: (stored) => [{ customer_note: stored }, ({ note }) => note],
  payment_method_title: (stored) => [{ payment_method_title: stored }, ({ payments }) => payments[0]?.title],
  'razón social of the classic checkout': (stored) => [
    meta('_billing_razon_social', stored),
    ({ buyer }) => buyer.company,
  ],
  'razón social of the block checkout': (stored) => [
    meta('_wc_other/facturapuente/razon-social', stored),
    ({ buyer }) => buyer.company,
  ],
  'any other field': (stored) => [meta('sucursal', stored), ({ attributes }) => attributes[0]?.value],
  'the name of a field': (stored) => [meta(stored, 'x'), ({ attributes }) => attributes[0]?.name],
  'number that a plugin gives': (stored) => [{ number: stored }, ({ name }) => name.slice(1)],
  'name of a line': (stored) => [line({ name: stored }), ({ lines }) => lines[0]?.name],
  'sku of a line': (stored) => [line({ sku: stored }), ({ lines }) => lines[0]?.sku],
  'option of a line': (stored) => [
    lineMeta({ display_value: stored }),
    ({ lines }) => lines[0]?.attributes[0]?.value,
  ],
  'label of an option': (stored) => [
    lineMeta({ display_key: stored }),
    ({ lines }) => lines[0]?.attributes[0]?.name,
  ],
  'tax label': (stored) => [
    { tax_lines: [{ rate_id: 1, label: stored, rate_percent: 15 }] },
    ({ lines }) => lines[0]?.taxes[0]?.title,
  ],
  'shipping method': (stored) => [
    { shipping_lines: [{ id: 4, ...money, method_title: stored }] },
    ({ charges }) => charges[0]?.name,
  ],
  'fee name': (stored) => [
    { fee_lines: [{ id: 5, ...money, name: stored, meta_data: [] }] },
    ({ charges }) => charges[0]?.name,
  ],
  'reason of a refund': (stored) => [
    { refunds: [{ id: 48, reason: stored, total: '-1.00' }] },
    ({ refunds }) => refunds[0]?.reason,
  ],
};

describe.each(Object.keys(fields))('%s', (field) => {
  test.each(rows)('stored as %s reads %s', (stored, text) => {
    const [changes, shown] = fields[field]?.(stored) ?? [{}, () => null];
    expect(shown(read(changes))).toBe(text);
  });
});

test('the refunds of an order: reason and names of rows', () => {
  const row = (changes: Line) => ({ id: 9, total: '-1.00', total_tax: '0.00', meta_data: [], ...changes });
  const [refund] = readRefunds(
    {
      id: 48,
      amount: '3.00',
      reason: 'No le gustó la talla &lt;38 &amp; pico',
      line_items: [row({ name: 'Té &amp; Café', quantity: -1 })],
      shipping_lines: [row({ method_title: 'Servientrega &amp; Cía.' })],
      fee_lines: [row({ name: 'Empaque & lazo' })],
    },
    paidOrder(),
  );
  expect([refund?.reason, ...(refund?.parts ?? []).map(({ name }) => name)]).toEqual([
    'No le gustó la talla <38 & pico',
    'Té & Café',
    'Servientrega & Cía.',
    'Empaque & lazo',
  ]);
});

test('codes of the shop stay as written', () => {
  const order = read({ payment_method: 'cod&amp;x', ...line({ tax_class: 'iva&amp;5' }) });
  expect([order.payments[0]?.gateway, order.lines[0]?.taxClass]).toEqual(['cod&amp;x', 'iva&amp;5']);
});

test('tags of an option go, brackets that a person typed stay', () => {
  const stored = '<p>Grabado: &lt;Ana &amp; Luis&gt;<br>Caja</p>';
  const { lines } = read(lineMeta({ display_value: stored }));
  expect(lines[0]?.attributes[0]?.value).toBe('Grabado: <Ana & Luis> Caja');
});

test('a text is limited after it is decoded', () => {
  const { buyer, note, lines } = read({
    ...billing({ company: 'R&amp;'.repeat(2_000) }),
    customer_note: '&ntilde;'.repeat(5_001),
    ...lineMeta({ display_value: '&amp;'.repeat(4_000) }),
  });
  expect(buyer.company).toBe('R&'.repeat(2_000));
  expect(note).toBe(`${'ñ'.repeat(5_000)} [cortado]`);
  expect(lines[0]?.attributes[0]?.value).toBe('&'.repeat(4_000));
});

test.each([
  ['Ana&#10;Vega', 'Ana Vega'],
  ['Ana&#13;&#x0A;&#9;Vega', 'Ana Vega'],
  ['Ana&nbsp;&nbsp;Vega', 'Ana Vega'],
  ['Ana&#1;Vega', 'Ana Vega'],
  ['Ana&#x2028;Vega', 'Ana Vega'],
  ['Ana&#xD800;Vega', 'Ana Vega'],
  ['Ana&#0;Vega', 'Ana\uFFFDVega'],
  ['Ana&#x1F600;Vega', 'Ana😀Vega'],
])('%s is one line of a document: %s', (stored, text) => {
  expect(oneLine(read(billing({ first_name: stored })).buyer.name ?? '', 300)).toBe(text);
});

const piece = fc.constantFrom(
  ...['&', '&', '<', '>', '"', "'", ';', '#', ' ', 'amp', 'lt', 'copy', '38', 'x27', 'ñ', 'Cía.', 'R', '3'],
);
/** Texts without a tag and without an entity, which the block checkout would keep as one. */
const anyTyped = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => `P${pieces.join('')}G`.replace(/\s+/g, ' '))
  .filter((text) => !entity.test(text) && !/<[^<]*>/.test(text));

test('what a person types reads the same from either checkout', () => {
  fc.assert(
    fc.property(anyTyped, (text) => {
      const companies = [block(text), lessThan(text), text].map(
        (company) => read(billing({ company })).buyer.company,
      );
      expect(companies).toEqual([text, text, text]);
    }),
    { numRuns: draws(400, 20_000) },
  );
});

interface Recorded {
  file: string;
  body: Record<string, unknown> & { billing: Record<string, string>; created_via?: string };
}

/** Every order body of the recordings. */
function recordedOrders(): Recorded[] {
  const folders = ['recordings', 'recordings2', 'recordings3'].flatMap((set) =>
    ['webhooks', 'rest'].map((part) => `data/woocommerce/${set}/${part}`),
  );
  return folders.flatMap((folder) =>
    readdirSync(sharedPath(folder)).flatMap((name): Recorded[] => {
      const recorded = JSON.parse(readShared(`${folder}/${name}`));
      const text = recorded.rawBodyText ?? Buffer.from(recorded.rawBodyBase64 ?? '', 'base64').toString();
      const body = tryReadJson(text) as Recorded['body'] | undefined;
      return body?.line_items && body.id && body.billing ? [{ file: `${folder}/${name}`, body }] : [];
    }),
  );
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describe.skipIf(!hasShared)('recorded orders of both checkouts', () => {
  const orders = hasShared ? recordedOrders() : [];
  const by = (via: string) => orders.filter(({ body }) => body.created_via === via);

  test('no text of any of them reads with an entity', () => {
    expect(by('store-api').length).toBeGreaterThan(20);
    expect(by('checkout').length).toBeGreaterThan(20);
    const encoded = orders.filter(({ body }) => textsOf(body).some((text) => entity.test(text)));
    expect(encoded.length).toBeGreaterThan(20);
    const left = orders.flatMap(({ file, body }) =>
      textsOf(readOrder(body, connection))
        .filter((text) => entity.test(text) && !text.includes('://'))
        .map((text) => `${file}: ${text}`),
    );
    expect(left).toEqual([]);
  });

  test('what the classic checkout and the API stored raw reads as it is', () => {
    for (const { file, body } of [...by('checkout'), ...by('rest-api')]) {
      const { first_name, last_name, address_1, address_2, city } = body.billing;
      const { buyer } = readOrder(body, connection);
      const join = (parts: (string | undefined)[], by: string) =>
        parts
          .map((part) => part?.trim() ?? '')
          .filter((part) => part !== '')
          .join(by) || null;
      expect([file, buyer.name, buyer.address]).toEqual([
        file,
        join([first_name, last_name], ' '),
        join([address_1, address_2, city], ', '),
      ]);
    }
  });

  test('one buyer at both checkouts has one name and one address', () => {
    const buyers = ['a01-block', 'a02-classic'].map((scenario) => {
      const found = orders.find(({ file }) => file.includes(scenario) && file.includes('/rest/'));
      return readOrder(found?.body, connection).buyer;
    });
    for (const buyer of buyers)
      expect(buyer).toMatchObject({
        name: 'José "Pepe" D\'Ángelo & Hermanos',
        address: "Av. 10 de Agosto & Colón, Dpto. 5'B, Quito",
      });
    expect(buyers[0]?.company).toBe('Ferretería & Hijos  Ltda.');
  });
});
