import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopify } from '../../adapters/shopify/index.ts';
import { taxPolicy, wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { planFile } from '../../src/cli/plan-file.ts';
import { PayloadError } from '../../src/domain/errors.ts';
import { plan } from '../../src/planner/plan.ts';
import { noon, store } from '../support/orders.ts';
import { run } from '../support/run.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facturapuente-plan-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = async (name: string, content: unknown) => {
  const path = join(folder, name);
  const written = typeof content === 'string' || content instanceof Uint8Array;
  await writeFile(path, written ? content : JSON.stringify(content));
  return path;
};

describe('facturapuente plan', () => {
  it('prints the order and its actions as one JSON object, offline and without credentials', async () => {
    const order = await file('order.json', wooOrders(noon)[0]);
    const { code, stdout } = await run(['plan', '--platform', 'woocommerce', '--json', order]);
    const printed = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(printed.order).toEqual({ id: '1201', name: '#1201', total: '33.75', currency: 'USD' });
    expect(printed.actions).toHaveLength(1);
    const [action] = printed.actions;
    expect(action).toMatchObject({
      kind: 'factura',
      action: 'emit',
      charged: '33.75',
      document: '33.75',
      difference: '0.00',
    });
    expect(action.body.comprador).toMatchObject({ identificacion: '1710034065', tipo_identificacion: '05' });
  });

  it('explains whom the factura names, each code, the payments and every cent', async () => {
    const order = await file('explained.json', wooOrders(noon)[1]);
    const { ambiente, ...issuer } = demoIssuer.issuer;
    const config = await file('tienda.config.json', {
      publicUrl: 'http://127.0.0.1:1',
      accounts: { cuenta: { baseUrl: 'http://127.0.0.1:1', apiKey: 'clave-1' } },
      issuers: { ejemplo: { account: 'cuenta', ambiente, ...issuer } },
      stores: {
        tienda: {
          platform: 'woocommerce',
          issuer: 'ejemplo',
          series: { establecimiento: '001', puntoEmision: '001' },
          policy: { tax: taxPolicy },
          connection: { url: 'http://127.0.0.1:1' },
        },
      },
    });
    const { stdout, stderr } = await run([
      'plan',
      '--config',
      config,
      '--store',
      'tienda',
      '--explain',
      order,
    ]);
    expect(stderr).toBe('');
    for (const sentence of [
      /venta en el Ecuador: envío a Ecuador/,
      /RUC \(04\), de «meta _billing_ruc»; nombre: el de la empresa en el pedido/,
      /Camiseta.*: IVA 15 % \(código 4\) por «tarifa de la tienda»/,
      /Servicio exento: Exento de IVA \(código 7\) por «.+»/,
      /Cemento.*: IVA 5 % \(código 5\) por «materiales de construcción»/,
      /IVA 5 % \(código 5\): base \d+\.\d\d, valor \d+\.\d\d/,
      /payphone → 19 Tarjeta de crédito: \d+\.\d\d/,
      /cobrado (\d+\.\d\d);[\s\S]*documento \1; diferencia con lo cobrado 0\.00/,
    ])
      expect(stdout).toMatch(sentence);
    expect(stdout).not.toContain('0190012344001');
  });

  it('explains a hold with what became of each identification and the buyer’s own sentence', async () => {
    const [sold] = wooOrders(noon) as { meta_data: { key: string; value: unknown }[]; billing: object }[];
    const wrong = { key: 'billing_cedula', value: '1710034066' };
    const phone = { key: '_billing_ruc', value: '+593 98 765 4321' };
    const order = await file('held.json', { ...sold, meta_data: [wrong, phone] });
    const args = ['plan', '--platform', 'woocommerce', order];
    const { stdout } = await run([...args, '--explain']);
    expect(stdout).toMatch(/retener\. .*«meta billing_cedula» tiene algún dígito equivocado/);
    expect(stdout).toMatch(/«meta _billing_ruc»: es un número de teléfono/);
    expect(stdout).toMatch(/Para el comprador: .*Escriba de nuevo su cédula/);
    const [action] = JSON.parse((await run([...args, '--json', '--explain'])).stdout).actions;
    expect(action).toMatchObject({
      buyerReason: expect.stringContaining('Escriba de nuevo'),
      trace: { identity: { type: null, candidates: [{ verdict: 'wrong' }, { verdict: 'phone' }] } },
    });
  });

  it('takes an order out of a collection of samples, which keeps it beside its notes', async () => {
    const order = await file('sample.json', { _about: 'a sale', payload: wooOrders(noon)[0] });
    const { stdout } = await run(['plan', '--platform', 'woocommerce', '--json', order]);
    expect(JSON.parse(stdout).order.id).toBe('1201');
  });

  it.each(['utf-8', 'utf-16le'] as const)(
    'reads a file that Windows wrote as %s, with its mark',
    async (encoding) => {
      const written = Buffer.from(`\ufeff${JSON.stringify(wooOrders(noon)[0])}`, encoding);
      const order = await file(`${encoding}.json`, written);
      const { stdout } = await run(['plan', '--platform', 'woocommerce', '--json', order]);
      expect(JSON.parse(stdout).order.id).toBe('1201');
    },
  );

  it.each([
    ['no JSON', 'esto no es JSON', 'no contiene JSON válido'],
    ['no order', '{"hello":1}', 'no es un pedido'],
  ])('ends with 1 and one sentence when the file is %s', async (name, content, sentence) => {
    const { code, stdout, stderr } = await run([
      'plan',
      '--platform',
      'shopify',
      '--json',
      await file(`${name}.json`, content),
    ]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(sentence);
  });

  it('ends with 1 and one sentence when there is no such file', async () => {
    const { code, stderr } = await run(['plan', '--platform', 'shopify', join(folder, 'nada.json')]);
    expect([code, stderr.includes('no existe')]).toEqual([1, true]);
  });
});

/** The demo's first order: two T-shirts of 12.50 and shipping of 4.35, all at 15 %: 33.75. */
const sold = () => wooOrders(noon)[0] as { line_items: { id: number }[] } & Record<string, unknown>;
const row = (id: number, quantity: number, total: string, total_tax: string) => ({
  name: 'Camiseta',
  quantity: -quantity,
  total: `-${total}`,
  total_tax: `-${total_tax}`,
  meta_data: [{ key: '_refunded_item_id', value: String(id) }],
});
const oneShirt = () => ({
  id: 77,
  amount: '14.38',
  reason: 'Talla equivocada',
  line_items: [row(sold().line_items[0]?.id ?? 0, 1, '12.50', '1.88')],
});
const restOf = { id: 78, amount: '19.37', line_items: [] };

async function args(refunds: unknown, order: unknown = sold()): Promise<string[]> {
  const files = { refunds: await file('refunds.json', refunds), order: await file('order.json', order) };
  const asIf = ['--as-if-authorized', '001-001-000000123,2026-11-20'];
  return ['plan', '--platform', 'woocommerce', '--refunds', files.refunds, ...asIf, files.order];
}
const flags = { platform: 'woocommerce', asIfAuthorized: '001-001-000000123', json: false, explain: true };

describe('facturapuente plan --as-if-authorized', () => {
  it('plans each refund as one nota de crédito, with the money that went back and the body that would be sent', async () => {
    const { code, stdout } = await run([...(await args([restOf, oneShirt()])), '--json']);
    expect(code).toBe(0);
    const [factura, first, last, ...more] = JSON.parse(stdout).actions;
    expect(more).toEqual([]);
    expect(factura).toMatchObject({ kind: 'factura', action: 'nothing', code: 'already-authorised' });
    expect(first).toMatchObject({
      kind: 'nota-credito',
      action: 'emit',
      charged: '14.38',
      document: '14.38',
      difference: '0.00',
      body: {
        documento_modificado: {
          codigo_documento_sustento: 1,
          numero_documento_sustento: '001001000000123',
          fecha_documento_sustento: '2026/11/20',
          motivo: 'Talla equivocada',
        },
        items: [{ cantidad: 1, precio_unitario: 12.5, descuento: 0 }],
      },
    });
    expect(last).toMatchObject({ action: 'emit', charged: '19.37', document: '19.37', difference: '0.00' });
  });

  it('says of each refund in words what went back, of which lines, and what is left of the factura', async () => {
    const { stdout } = await run([...(await args([oneShirt(), restOf])), '--explain']);
    for (const sentence of [
      /factura: nada\. La factura de este pedido ya está autorizada\./,
      /nota de crédito del reembolso 77: emitir\. El reembolso .*devolvió 14\.38 y se acredita a la factura 001-001-000000123\./,
      /devuelto 14\.38, documento 14\.38, diferencia 0\.00/,
      /reparto: por las líneas que nombra el reembolso$/m,
      /Camiseta.* \(«line:\d+»\): 1 unidad, le corresponden 14\.38 con impuestos; base 12\.50, quedan 12\.50 de su base/,
      /IVA \(código 4\): base 12\.50, valor 1\.88/,
      /antes 33\.75, después 19\.37/,
      /reparto: devuelve todo lo que quedaba de la factura, línea por línea/,
      /Servientrega.*: 1 unidad; base 4\.34, quedan 0\.01 de su base/,
      /antes 19\.37, después 0\.00/,
    ])
      expect(stdout).toMatch(sentence);
    expect(stdout).not.toContain('1710034065');
  });

  it('counts the refunds inside the order where no file is named', async () => {
    const order = { ...sold(), status: 'refunded', refunds: [{ id: 9, reason: '', total: '-33.75' }] };
    const said = await planFile(await file('inside.json', order), { ...flags, json: true });
    const [, credit, ...more] = JSON.parse(said).actions;
    expect(more).toEqual([]);
    expect(credit).toMatchObject({ kind: 'nota-credito', action: 'emit', document: '33.75' });
  });

  it('says of an amount without lines that it was prorated', async () => {
    const refunds = await file('amount.json', [{ id: 77, amount: '5.00', line_items: [] }]);
    const said = await planFile(await file('order.json', sold()), { ...flags, refunds });
    expect(said).toMatch(/solo dice un monto: a prorrata de lo que queda de la factura/);
    expect(said).toMatch(/sin devolver unidades/);
  });

  it('says both figures of a refund that contradicts its lines', async () => {
    const refunds = await file('contradiction.json', [{ ...oneShirt(), amount: '9.00' }]);
    const said = stripVTControlCharacters(
      await planFile(await file('order.json', sold()), { ...flags, refunds }),
    );
    expect(said).toMatch(
      /nota de crédito del reembolso 77: retener\. .*devolvió 9\.00 y sus líneas suman 14\.38/,
    );
    expect(said).toMatch(/devuelto 9\.00; el documento sumaría 14\.38; diferencia \+5\.38/);
  });

  it('ends with 1 and one sentence when the number is none', async () => {
    const { code, stdout, stderr } = await run(
      (await args([])).map((one) => (one.startsWith('001-') ? '123' : one)),
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim()).toMatch(/^«123» no es un número de factura: .*\.$/);
  });
});

/** Every payload of the shared folder, envelopes and lists unwrapped. */
function payloads(): [string, unknown][] {
  if (!hasShared) return [];
  const root = sharedPath('data/shopify/payloads');
  const files = ['real', 'synthetic-ec', 'shopify-docs'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  );
  return files.flatMap((name): [string, unknown][] => {
    const content = JSON.parse(readFileSync(join(root, name), 'utf8'));
    const list = Array.isArray(content) ? content : [content.payload ?? content];
    return list.flatMap((one) =>
      (one.orders ?? [one]).map((order: unknown) => [name, order] as [string, unknown]),
    );
  });
}

describe.skipIf(!hasShared)('every shared Shopify payload', () => {
  it('gives an action with a reason, or is refused as no order with a sentence; none throws anything else', () => {
    const seen = { planned: 0, refused: 0 };
    for (const [name, payload] of payloads()) {
      try {
        const order = shopify.readOrder(payload, shopify.demoConnection());
        for (const action of plan({ order, documents: [], store, invoiceFrom: new Date(0), now: noon })) {
          expect([name, action.reason.length > 20]).toEqual([name, true]);
          if (action.action === 'emit') expect([name, action.difference]).toEqual([name, '0.00']);
        }
        seen.planned += 1;
      } catch (error) {
        if (!(error instanceof PayloadError)) throw error;
        expect(error.merchant).toMatch(/no es un pedido|no se puede leer: «/);
        seen.refused += 1;
      }
    }
    expect(seen.planned).toBeGreaterThan(30);
    expect(seen.refused).toBeGreaterThan(10);
  });
});
