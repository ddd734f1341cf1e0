import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Engine, openProductProcesses, type ProductProcesses, written } from '../support/product.ts';
import { hasServers } from '../support/servers.ts';

const engines: [Engine, string, boolean, object?][] = [
  ['sqlite', 'SQLite, one process', true],
  ['servers', 'PostgreSQL and Redis, web and worker', hasServers],
  ['servers', 'PostgreSQL alone, web and worker', hasServers, { redis: undefined }],
];

describe.each(engines.filter(([, , here]) => here))(
  'a paid WooCommerce order on %s, %s',
  (engine, _name, _here, config) => {
    let product: ProductProcesses;
    beforeAll(async () => {
      product = await openProductProcesses({ engine, ...(config ? { config: { ...config } } : {}) });
      await product.start();
    });
    afterAll(() => product?.close());

    const authorised = (order: string) =>
      eventually(
        () => (written(product, order).pdf ? written(product, order) : undefined),
        `order ${order} written back\n${product.log()}`,
      );

    it('becomes one authorised factura, with key, number and a working PDF link on the order', async () => {
      expect(await product.deliver('1201', 3)).toEqual([200, 200, 200]);
      const fields = await authorised('1201');
      expect(fields).toMatchObject({ numero: '001-001-000000001', estado: 'AUTORIZADO' });
      expect(fields.clave_acceso).toMatch(/^\d{49}$/);
      const pdf = await fetch(fields.pdf ?? '');
      expect(
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, 4)
          .toString(),
      ).toBe('%PDF');
      expect(product.sandbox.documents()).toHaveLength(1);
      const reported = () => product.shop.notes('1201').filter((note) => note.customer_note);
      await eventually(() => reported().length > 0, 'the note to the buyer');
      expect(reported()).toHaveLength(1);
    });

    it('is not woken into a loop by its own write-back', async () => {
      await product.deliver('1201');
      await product.deliver('1202');
      await authorised('1202');
      await eventually(() => product.log().split('Order synced').length >= 4, 'three syncs');
      expect(product.sandbox.documents()).toHaveLength(2);
      expect(product.shop.notes('1201').filter((note) => note.customer_note)).toHaveLength(1);
    });

    it('gives fifty parallel deliveries of three orders three facturas with consecutive numbers', async () => {
      const orders = ['1203', '1204', '1205'];
      await Promise.all(Array.from({ length: 50 }, (_, at) => product.deliver(orders[at % 3] ?? '')));
      for (const order of orders) await authorised(order);
      const numbers = product.sandbox.documents().map((document) => document.numero);
      expect(numbers.sort()).toEqual([1, 2, 3, 4, 5].map((number) => `001-001-00000000${number}`));
    });

    it('stops in order when asked', async () => {
      expect(await product.stop()).toEqual(engine === 'sqlite' ? [0] : [0, 0]);
    });
  },
);
