import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { planFile } from '../../src/cli/plan-file.ts';
import { noon } from '../support/orders.ts';
import { run } from '../support/run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facturapuente-refunds-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = async (name: string, content: unknown) => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
};

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
