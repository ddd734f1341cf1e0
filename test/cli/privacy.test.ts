import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { wrongCedula } from '../support/nobody-named.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';

/* Buyers who ask the merchant himself, of a shop that passes no requests on. */

interface Exported {
  pedidos: {
    comprador: { email: string | null; name: string | null };
    respuesta: { name?: string } | null;
    comprobantes: { numero: string; enviado: { comprador: object }[] }[];
    avisos: { body: string }[];
  }[];
  conservacion: string;
}

describe('facturapuente privacy', () => {
  const now = new Date();
  const [first = {}] = wooOrders(now);
  const email = String((first.billing as { email: string }).email);
  let product: Product;
  const privacy = (...args: string[]) => run(['privacy', ...args, '--config', product.file]);
  async function exported(...args: string[]): Promise<Exported> {
    const out = join(product.folder, 'datos.json');
    const { code, stderr } = await privacy('export', '--store', 'tienda', '--out', out, ...args);
    expect([code, stderr]).toEqual([0, '']);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    return JSON.parse(await readFile(out, 'utf8'));
  }

  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite', orders: [first, wrongCedula(now, '1202')] });
    await product.start();
    await product.deliver('1201');
    await product.deliver('1202');
    await eventually(() => written(product, '1201').pdf, 'the factura on its order');
    await eventually(() => product.shop.notes('1202').length > 0, 'the order to be held');
  });
  afterAll(() => product?.close());

  it('writes all that is held of a buyer: order, notices, and what was sent of him', async () => {
    const { pedidos, conservacion } = await exported('--email', email.toUpperCase());
    expect(pedidos).toHaveLength(1);
    const [order] = pedidos;
    expect(order?.comprador.email).toBe(email);
    expect(order?.avisos[0]?.body).toContain(email);
    expect(order?.comprobantes[0]?.numero).toBe('001-001-000000001');
    expect(order?.comprobantes[0]?.enviado[0]?.comprador).toMatchObject({ correo: email });
    expect(conservacion).toMatch(/30 días.*730 días.*8 años/);
  });

  it('takes a file that others may read out of its place, and follows no link', async () => {
    const [open, linked, target] = ['abierto.json', 'enlace.json', 'ajeno'].map((name) =>
      join(product.folder, name),
    ) as [string, string, string];
    for (const file of [open, target]) await writeFile(file, 'antes');
    await chmod(open, 0o666);
    await symlink(target, linked);
    const to = (out: string) => privacy('export', '--store', 'tienda', '--email', email, '--out', out);
    expect((await to(open)).code).toBe(0);
    expect((await stat(open)).mode & 0o777).toBe(0o600);
    const refused = await to(linked);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('es un enlace a otro archivo'),
    ]);
    expect(await readFile(target, 'utf8')).toBe('antes');
  });

  it('erases what the law does not ask to keep, says what stays and why, and what to do in the shop', async () => {
    const { code, stdout } = await privacy('erase', '--store', 'tienda', '--email', email);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Se borraron los datos del comprador de 1 pedido\. Se conservan 001-001-000000001\. /,
    );
    expect(stdout).toMatch(/siete años por obligación tributaria.*Bórrelo también en la tienda/);
    expect((await exported('--email', email)).pedidos).toEqual([]);
    const [left] = (await exported('--order', '1201')).pedidos;
    expect(left?.comprador).toMatchObject({ name: null, email: null });
    expect(left?.avisos.map(({ body }) => body)).toEqual(left?.avisos.map(() => ''));
    // The factura names whom it named.
    expect(left?.comprobantes[0]?.enviado[0]?.comprador).toMatchObject({ correo: email });
    expect(product.log()).not.toContain(email);
  });

  it('does not touch other buyers, and says so where no order matches', async () => {
    const other = await exported('--order', '1202');
    expect(other.pedidos[0]?.comprador.name).not.toBeNull();
    const nobody = await privacy('erase', '--store', 'tienda', '--email', 'nadie@example.ec');
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      'No se borró nada: ningún pedido guardado es de ese comprador.\n',
    ]);
    expect((await privacy('erase', '--store', 'tienda')).stderr).toContain('su correo (--email)');
    expect((await privacy('erase', '--store', 'otra', '--email', 'a@b.ec')).stderr).toContain('otra');
  });

  it('works without a running start as well', async () => {
    await product.stop();
    const { stdout } = await privacy('erase', '--store', 'tienda', '--order', '1202');
    expect(stdout).toMatch(/^Se borraron los datos del comprador de 1 pedido/);
    expect((await exported('--order', '1202')).pedidos[0]?.comprador).toMatchObject({ name: null });
  });
});
