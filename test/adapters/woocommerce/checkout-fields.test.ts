import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import type { WrittenDocument } from '../../../src/domain/platform.ts';
import { heldFactura, openBoth, paidOrder } from './shop.ts';

const docs = readFileSync(new URL('../../../docs/woocommerce.md', import.meta.url), 'utf8');
const connection = connectionSchema.parse({ url: 'https://mitienda.ec', webhookSecrets: ['secreto'] });

function buyerOf(meta: Record<string, unknown>) {
  const meta_data = Object.entries(meta).map(([key, value]) => ({ key, value }));
  return readOrder(paidOrder({ meta_data }), connection).buyer;
}
const found = (meta: Record<string, unknown>) => buyerOf(meta).ids.map(({ value, type }) => [value, type]);
const cedula = '1710034065';

test('the fields of the documentation are found under the keys WooCommerce saves them by', () => {
  const [, block] = /'id'\s*=> '([^']+)'/.exec(docs) ?? [];
  const [, classic] = /\$campos\['(billing_\w+)'\]/.exec(docs) ?? [];
  expect(/'location'\s*=> '(\w+)'/.exec(docs)?.[1]).toBe('contact');
  for (const key of [`_wc_other/${block}`, `_${classic}`])
    expect(found({ [key]: cedula })).toEqual([[cedula, null]]);
});

/** Plugins and themes seen in public code, each as it leaves an order. */
test.each([
  [
    'Contífico',
    { _billing_tax_id: cedula, _billing_tax_type: 'cedula', _billing_taxpayer_type: 'N' },
    [cedula, 'cedula'],
  ],
  [
    'Contífico, a passport',
    { _billing_tax_id: 'AB12345', _billing_tax_type: 'pasaporte' },
    ['AB12345', 'pasaporte'],
  ],
  ['Dátil', { _billing_ruc: '1790012345001', _billing_tipo_identificacion: '04' }, ['1790012345001', 'ruc']],
  ['Dátil, the other key', { 'C.I. / RUC': cedula }, [cedula, null]],
  ['Bukets', { _billing_cedula: cedula }, [cedula, 'cedula']],
  ['a field editor without prefix', { billing_cedula: cedula }, [cedula, 'cedula']],
  ['a theme', { _billing_ci_ruc: cedula }, [cedula, null]],
  ['a theme, the other way round', { billing_cedula_ruc: cedula }, [cedula, null]],
  ['Servientrega', { _shipping_identificacion: cedula }, [cedula, null]],
  ['neighbours', { _billing_dni_ruc: cedula }, [cedula, null]],
  [
    'neighbours with a type',
    { billing_tipo_documento: 'cedula', billing_numero_documento: cedula },
    [cedula, 'cedula'],
  ],
  [
    'the block checkout',
    { '_wc_billing/ecuador/identificacion': cedula, '_wc_billing/ecuador/tipo-identificacion': '05' },
    [cedula, 'cedula'],
  ],
])('%s is read without a setting', (_plugin, meta, expected) => {
  expect(found(meta)).toEqual([expected]);
});

test.each<[string, unknown]>([
  ['Cédula', cedula],
  ['RUC', cedula],
  ['Cédula / RUC', cedula],
  ['billing_cédula', cedula],
  ['_billing_ci', cedula],
  ['_billing_cedula_o_ruc', cedula],
  ['billing_numero_de_identificacion', cedula],
  ['_billing_company_ruc', cedula],
  ['_billing_vat', cedula],
  ['_identificacion', cedula],
  ['_wc_shipping/x/cedula', cedula],
  ['_billing_cedula', [cedula]],
  ['_billing_cedula', Number(cedula)],
])('a cédula under «%s» is found, whatever its spelling and shape', (key, value) => {
  expect(found({ [key]: value }).map(([text]) => text)).toEqual([cedula]);
});

test('of two fields for the type the first on the order counts', () => {
  const both = { billing_tipo_documento: '06', _billing_tipo_identificacion: '05' };
  expect(found({ ...both, _billing_numero_identificacion: 'AB12345' })).toEqual([['AB12345', 'pasaporte']]);
});

test('a billing field that only speaks of an identification is none', () => {
  for (const [key, value] of [
    ['_billing_tipo_de_identificacion', 'cedula'],
    ['_billing_quiero_ruc', '1'],
    ['_billing_foto_cedula', 'https://mitienda.ec/subidas/1710034065.jpg'],
    ['_billing_ruc_nombre', 'Comercial Andina S.A.'],
    ['_ruc_emisor', '1790016919001'],
  ] as const)
    expect([key, found({ [key]: value })]).toEqual([key, []]);
});

test('what Dátil writes for a buyer who wrote nothing is no identification', () => {
  const blank = '99999999999';
  expect(found({ _billing_ruc: blank, 'C.I. / RUC': blank, _billing_tipo_identificacion: '07' })).toEqual([]);
});

test('the legal name beside it is the buyer’s', () => {
  const company = (key: string) => {
    const billing = { first_name: 'Ana', last_name: 'Vega', country: 'EC', company: 'Bodega' };
    const order = paidOrder({ billing, meta_data: [{ key, value: 'Comercial Andina S.A.' }] });
    return readOrder(order, connection).buyer.company;
  };
  for (const key of [
    '_billing_razon_social',
    'razon_social',
    'Razon social',
    '_wc_other/tienda/razon-social',
  ])
    expect(company(key)).toBe('Comercial Andina S.A.');
  expect(company('_other')).toBe('Bodega');
});

test('what the documentation says of an order stands on it after the write-back', async () => {
  const { stand, shop } = await openBoth();
  const done: WrittenDocument = {
    ...heldFactura,
    state: 'authorized',
    number: '001-001-000000001',
    accessKey: '1'.repeat(49),
    authorizedAt: '2026-11-20T14:00:00Z',
    pdfUrl: 'https://facturas.mitienda.ec/d/1.pdf',
    xmlUrl: 'https://facturas.mitienda.ec/d/1.xml',
    reason: null,
  };
  await shop.writeBack('29', [{ ...heldFactura, identificationUrl: 'https://facturas.mitienda.ec/i/1' }]);
  await shop.writeBack('29', [
    done,
    { ...done, kind: 'nota-credito', sourceId: '91', accessKey: '2'.repeat(49) },
  ]);
  const written = new Map((stand.order(29)?.meta_data ?? []).map(({ key, value }) => [key, value]));
  const named = new Set(docs.match(/_facturapuente_\w+/g));
  expect([...named].toSorted()).toEqual([...written.keys()].filter((key) => named.has(key)).toSorted());
  const [, fields = ''] = /`\{(reembolso[^}]*)\}`/.exec(docs) ?? [];
  expect(fields.split(', ')).toEqual(
    Object.keys((written.get('_facturapuente_notas_credito') as object[])[0] ?? {}),
  );
});
