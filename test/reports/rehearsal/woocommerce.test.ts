import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimal, sum, toAmount } from '../../../src/domain/money.ts';
import type { Rehearsal } from '../../../src/reports/rehearsal/rehearse.ts';
import { openProduct, type Product } from '../../support/product.ts';
import { run } from '../../support/run.ts';
import { hasShared, readShared, sharedPath } from '../../support/shared.ts';
import { lineOf, planOf } from './agrees.ts';

type Json = Record<string, unknown> & { id: number; status: string; refunds: unknown[] };
const folder = 'data/woocommerce/recordings/rest';
const recorded = (file: string) =>
  (JSON.parse(readShared(`${folder}/${file}`)) as { rawBodyText: string }).rawBodyText;

/** The last recorded state of every order, and the full refunds recorded beside it. */
function orders(): { order: Json; refunds: unknown[] }[] {
  const last = new Map<string, { order: Json; refunds: unknown[] }>();
  for (const file of readdirSync(sharedPath(folder)).sort()) {
    const id = /-order-(\d+)\.json$/.exec(file)?.[1];
    const listOf = /-refunds-(\d+)\.json$/.exec(file)?.[1];
    if (id !== undefined) last.set(id, { order: JSON.parse(recorded(file)), refunds: [] });
    const known = last.get(listOf ?? '');
    if (known) known.refunds = JSON.parse(recorded(file));
  }
  return [...last.values()];
}

describe.skipIf(!hasShared)('a rehearsal of the recorded WooCommerce shop', () => {
  const sold = hasShared ? orders() : [];
  let product: Product;
  let config: string;
  const rehearse = (...more: string[]) =>
    run(['rehearse', '--config', config, '--since', '2026-11-01', ...more]);
  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite', orders: [] });
    config = product.file;
    for (const { order, refunds } of sold) product.shop.put(order, refunds);
  });
  afterAll(() => product?.close());

  it('says of each document what the plan says of it', async () => {
    const { stdout, stderr, code } = await rehearse('--json');
    expect([code, stderr]).toEqual([0, '']);
    const found = JSON.parse(stdout) as Rehearsal;
    expect(found.unreadable).toEqual([]);
    for (const { order, refunds } of sold) {
      const paid = order.date_paid_gmt !== null;
      const before = { ...order, refunds: [], ...(paid && { status: 'processing' }) };
      const lines = found.documents.filter(({ orderId }) => orderId === String(order.id)).map(lineOf);
      expect(lines.toSorted(), `order ${order.id}`).toEqual(
        (await planOf({ config, sold: before, order, refunds })).toSorted(),
      );
    }
    expect(found.documents.length).toBeGreaterThan(25);
  });

  it('adds them up, and changes nothing at the shop, at the service or in the ledger', async () => {
    const { figures, documents, monthly } = JSON.parse((await rehearse('--json')).stdout) as Rehearsal;
    const emitted = documents.filter(({ action }) => action === 'emit');
    for (const [kind, tally] of [
      ['factura', figures.facturas],
      ['nota-credito', figures.notasCredito],
    ] as const) {
      const of = emitted.filter((one) => one.kind === kind);
      expect(tally).toEqual({ count: of.length, total: toAmount(sum(of.map((one) => one.document ?? '0'))) });
      expect(of.every((one) => one.document === one.charged && one.difference === '0.00')).toBe(true);
    }
    const paid = toAmount(sum(figures.payments.map(({ total }) => total)));
    const taxed = toAmount(sum(figures.taxes.flatMap(({ base, valor }) => [base, valor])));
    expect([paid, taxed]).toEqual([figures.facturas.total, figures.facturas.total]);
    expect(figures.buyers.reduce((all, { count }) => all + count, 0)).toBe(figures.facturas.count);
    const { exact, placed, stated, differing } = figures.cents;
    expect(exact + placed + stated).toBeGreaterThanOrEqual(figures.facturas.count);
    expect(differing).toBe(0);
    const days = figures.byDay.reduce((all, day) => all + day.facturas + day.notasCredito, 0);
    expect(days).toBe(emitted.length);
    expect(decimal(monthly.creditsWithHelp).gte(monthly.credits)).toBe(true);

    expect(product.sandbox.documents()).toEqual([]);
    expect(product.shop.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(readdirSync(product.folder)).not.toContain('ledger');
  });

  it('leaves a report that is one file, without scripts and without anybody’s data', async () => {
    const out = join(product.folder, 'informe.html');
    const { stdout, code } = await rehearse('--out', out);
    expect(code).toBe(0);
    expect(stdout).toContain('Requieren atención:\n  Falta cédula, RUC o pasaporte');
    expect(stdout).toContain(`El informe está en ${out}`);
    const page = await readFile(out, 'utf8');
    expect(page).not.toMatch(/<script|<link|<img|<iframe|src=|url\((?!#)|@import/);
    for (const { order } of sold) {
      const billing = order.billing as Record<string, string>;
      for (const field of ['first_name', 'last_name', 'company', 'address_1', 'phone', 'email'])
        if (billing[field]) expect(page.includes(billing[field]), `${field} of ${order.id}`).toBe(false);
    }
    expect(page).toContain('#48');
  });

  it('runs beside a start that holds the ledger', async () => {
    await product.start();
    const { code, stdout } = await rehearse('--out', join(product.folder, 'otro.html'));
    expect([code, stdout.includes('Ensayo de la tienda «tienda»')]).toEqual([0, true]);
    await product.stop();
  });

  it('reads no more orders than it is told, the newest, and says so', async () => {
    const { stdout } = await rehearse('--most', '5', '--json');
    const found = JSON.parse(stdout) as Rehearsal;
    expect(new Set(found.documents.map(({ orderId }) => orderId)).size).toBeLessThanOrEqual(5);
    expect(found.leftOut).toBe(sold.length - 5);
  });

  it('waits for a shop that is busy for a moment, and says in one sentence when it stays shut', async () => {
    product.shop.trouble({ status: 503, headers: { 'retry-after': '0' }, body: 'Mantenimiento' });
    const { code } = await rehearse('--json');
    expect(code).toBe(0);
    product.shop.trouble({ status: 401, body: { code: 'x', message: 'no', data: { status: 401 } } });
    const refused = await rehearse('--json');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr.split('\n')).toHaveLength(2);
  });

  it('says what it cannot understand', async () => {
    expect((await rehearse('--since', 'ayer')).stderr).toContain('Escriba cuántos días, como 90d');
    expect((await rehearse('--store', 'otra')).stderr).toContain('No hay ninguna tienda «otra»');
  });
});
