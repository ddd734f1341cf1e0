import express, { type Express, type Response } from 'express';
import helmet from 'helmet';
import { z } from 'zod';
import type { Html } from '../../../src/domain/text.ts';
import type { WooCommerceShop } from '../woocommerce/shop.ts';
import { type Sale, sales, toWooOrder } from '../woocommerce-orders.ts';
import { saleOf } from './sale.ts';
import { style } from './style.ts';
import { document, orderView, products, shopForm } from './views.ts';

const placed = z.object({
  producto: z.enum(Object.keys(products)),
  cantidad: z.coerce.number().int().min(1).max(20),
  nombre: z.string().trim().min(1).max(60),
  identificacion: z.string().trim().max(20),
});

export interface ShopPagesOptions {
  woo: WooCommerceShop;
  /** Where these pages are; forms of others are refused. */
  origin(): string;
  /** The address of facturapuente's panel, where it is known. */
  panel(): string | null;
  /** Of the first order. */
  firstId: number;
  /** Called after an order was placed or refunded. */
  happened(topic: 'order.created' | 'order.updated', id: string): Promise<void>;
}

/** The pages of a WooCommerce shop: one places an order, watches it become a factura, and refunds it. */
export function openShopPages(options: ShopPagesOptions): { app: Express; soldIds: readonly string[] } {
  const { woo, origin, panel, firstId, happened } = options;
  const soldIds: string[] = [];
  const app = express().disable('x-powered-by');
  app.use(
    helmet({
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'same-origin' },
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          styleSrc: ["'self'"],
          imgSrc: ['data:'],
          formAction: ["'self'"],
        },
      },
    }),
  );
  const page = (res: Response, title: string, body: Html, more = {}) =>
    void res.type('html').send(document(panel(), title, body, more));
  app.get('/estilo.css', (_req, res) => void res.type('css').send(style));
  const form = express.urlencoded({ extended: false, limit: 4096 });
  const fromOwnPage: express.RequestHandler = (req, res, next) =>
    req.headers.origin === origin() ? next() : void res.sendStatus(403);

  app.get('/', (_req, res) => page(res, 'Tienda de prueba', shopForm(null)));
  app.post('/pedidos', fromOwnPage, form, async (req, res) => {
    const asked = placed.safeParse(req.body);
    const product = products[asked.data?.producto ?? ''];
    if (!asked.data || !product)
      return page(
        res.status(400),
        'Tienda de prueba',
        shopForm('Falta el nombre, o la cantidad no va de 1 a 20.'),
      );
    const { nombre, identificacion, cantidad } = asked.data;
    const id = firstId + soldIds.length;
    soldIds.push(String(id));
    const [first = '', ...others] = nombre.split(/\s+/);
    const { shipping: _shipping, ...example } = sales[0] as Sale;
    const sale: Sale = {
      ...example,
      id,
      buyer: { ...example.buyer, first, last: others.join(' '), email: 'comprador@example.ec' },
      meta: identificacion === '' ? {} : { _billing_identificacion: identificacion },
      lines: [{ ...product.line, quantity: cantidad }],
    };
    woo.put(toWooOrder(sale, new Date()));
    await happened('order.created', String(id));
    res.redirect(303, `/pedidos/${id}`);
  });
  app.get('/pedidos/:id', (req, res) => {
    const sale = saleOf(woo, req.params.id);
    if (!sale) return void res.redirect(303, '/');
    page(res, `Pedido ${sale.name}`, orderView(panel(), sale), { refresh: !sale.isSettled });
  });
  app.post('/pedidos/:id/devolver', fromOwnPage, async (req, res) => {
    const id = String(req.params.id);
    const sale = saleOf(woo, id);
    if (sale?.factura && !sale.isRefunded) {
      woo.refund(id, { amount: sale.total, reason: 'Devolución', api_refund: false });
      await happened('order.updated', id);
    }
    res.redirect(303, `/pedidos/${id}`);
  });
  return { app, soldIds };
}
