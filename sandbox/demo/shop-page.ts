import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type Response } from 'express';
import helmet from 'helmet';
import { z } from 'zod';
import { type Html, html, type Piece } from '../../src/domain/text.ts';
import { freePort } from '../shops/loopback.ts';
import { type Sale, sales, toWooOrder } from '../shops/woocommerce-orders.ts';
import { signIn } from './panel.ts';
import type { Demo } from './run.ts';
import { saleOf } from './sale.ts';
import { sendHint } from './scenes.ts';
import { style } from './style.ts';

const products: Record<
  string,
  { name: string; price: string; line: Omit<Sale['lines'][number], 'quantity'> }
> = {
  camiseta: {
    name: 'Camiseta de algodón «Ñandú»',
    price: '14.38',
    line: { sku: 'CAM-001', name: 'Camiseta algodón «Ñandú»', price: '12.50', tax: 'iva15' },
  },
  libro: {
    name: 'Libro: Historia del Ecuador',
    price: '18.00',
    line: { sku: 'LIB-001', name: 'Libro: Historia del Ecuador', price: '18.00', tax: 'iva0' },
  },
  cemento: {
    name: 'Cemento Portland, 50 kg',
    price: '8.66',
    line: { sku: 'CEM-001', name: 'Cemento Portland 50kg', price: '8.25', tax: 'iva5' },
  },
};

const placed = z.object({
  producto: z.enum(Object.keys(products)),
  cantidad: z.coerce.number().int().min(1).max(20),
  nombre: z.string().trim().min(1).max(60),
  identificacion: z.string().trim().max(20),
});

export interface ShopPage {
  url: string;
  /** Signs in to the panel, once. */
  signInUrl: string;
  /** The ids of the orders placed on it. */
  soldIds(): readonly string[];
  close(): Promise<void>;
}

/** The page of the demo's shop, on loopback: one places an order, watches it become a factura, and refunds it. */
export async function openShopPage(demo: Demo): Promise<ShopPage> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ticket = randomBytes(16).toString('base64url');
  let isUsed = false;
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
  app.get('/estilo.css', (_req, res) => void res.type('css').send(style));
  const form = express.urlencoded({ extended: false, limit: 4096 });
  const fromOwnPage: express.RequestHandler = (req, res, next) =>
    req.headers.origin === url ? next() : void res.sendStatus(403);

  app.get('/', (_req, res) => page(res, demo, 'Tienda de prueba', shopForm(null)));
  app.post('/pedidos', fromOwnPage, form, async (req, res) => {
    const asked = placed.safeParse(req.body);
    const product = products[asked.data?.producto ?? ''];
    if (!asked.data || !product)
      return page(
        res.status(400),
        demo,
        'Tienda de prueba',
        shopForm('Falta el nombre, o la cantidad no va de 1 a 20.'),
      );
    const { nombre, identificacion, cantidad } = asked.data;
    const id = 1301 + soldIds.length;
    soldIds.push(String(id));
    const [first = '', ...others] = nombre.split(/\s+/);
    const example = sales[0] as Sale;
    const sale: Sale = {
      ...example,
      id,
      buyer: { ...example.buyer, first, last: others.join(' '), email: 'comprador@example.ec' },
      meta: identificacion === '' ? {} : { _billing_identificacion: identificacion },
      lines: [{ ...product.line, quantity: cantidad }],
    };
    demo.woo.put(toWooOrder(sale, new Date()));
    await sendHint(demo, id);
    res.redirect(303, `/pedidos/${id}`);
  });
  app.get('/pedidos/:id', (req, res) => {
    const sale = saleOf(demo, req.params.id);
    if (!sale) return void res.redirect(303, '/');
    page(res, demo, `Pedido ${sale.name}`, orderView(demo, sale), { refresh: !sale.isSettled });
  });
  app.post('/pedidos/:id/devolver', fromOwnPage, async (req, res) => {
    const id = String(req.params.id);
    const sale = saleOf(demo, id);
    if (sale?.factura && !sale.isRefunded) {
      demo.woo.refund(id, { amount: sale.total, reason: 'Devolución', api_refund: false });
      await sendHint(demo, id);
    }
    res.redirect(303, `/pedidos/${id}`);
  });
  app.get('/panel/:ticket', async (req, res) => {
    if (req.params.ticket === ticket && !isUsed) {
      isUsed = true;
      // Cookies of 127.0.0.1 hold for all its ports.
      for (const cookie of await signIn(demo)) res.append('set-cookie', cookie);
    }
    res.redirect(303, `${demo.url}/panel`);
  });
  const server = createServer(app).listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `${url}/`,
    signInUrl: `${url}/panel/${ticket}`,
    soldIds: () => soldIds,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function page(res: Response, { url }: Demo, title: string, body: Html, { refresh = false } = {}): void {
  res.type('html').send(
    html`<!doctype html>
<html lang="es-EC">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh && html`<meta http-equiv="refresh" content="1">`}
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/estilo.css">
</head>
<body>
<header><a href="/"><b>Tienda de prueba</b></a> <a href="${url}/panel">Abrir el panel de facturapuente</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`.text,
  );
}

const shopForm = (flaw: string | null): Html => html`
<p>Un pedido de aquí llega a facturapuente como el de una tienda WooCommerce. Nada sale de esta máquina.</p>
${flaw && html`<p class="flaw" role="alert">${flaw}</p>`}
<form method="post" action="/pedidos">
<fieldset><legend>Producto</legend>
${Object.entries(products).map(
  ([id, { name, price }], at) =>
    html`<label class="product"><input type="radio" name="producto" value="${id}"${at === 0 && html` checked`}> <span>${name}</span> <span>$${price}</span></label>`,
)}
</fieldset>
<label for="cantidad">Cantidad</label>
<input id="cantidad" name="cantidad" type="number" min="1" max="20" value="2" required>
<label for="nombre">Nombre del comprador</label>
<input id="nombre" name="nombre" maxlength="60" value="Lucía Cevallos" required>
<label for="identificacion">Cédula o RUC (opcional)</label>
<input id="identificacion" name="identificacion" maxlength="20" value="1710034065" aria-describedby="ayuda">
<p id="ayuda" class="soft">Sin identificación, hasta $50.00 se factura a consumidor final; por encima, facturapuente se la pide al comprador.</p>
<button type="submit">Pagar</button>
</form>`;

function orderView({ url }: Demo, sale: NonNullable<ReturnType<typeof saleOf>>): Html {
  const { factura, note, state, total, buyerUrl } = sale;
  const rows: [string, Piece][] = [
    ['Total', `$${total}`],
    ['Factura', factura ? html`<b>${factura.number}</b>, autorizada` : state],
    ...(factura
      ? ([
          ['Clave de acceso', html`<code>${factura.accessKey}</code>`],
          ['PDF', html`<a href="${factura.pdfUrl}">Ver la factura</a>`],
        ] as [string, Piece][])
      : []),
    ...(note
      ? ([
          ['Nota de crédito', html`<b>${note.number}</b>, autorizada`],
          ['PDF', html`<a href="${note.pdfUrl}">Ver la nota de crédito</a>`],
        ] as [string, Piece][])
      : []),
    ...(sale.isRefunded && !note ? ([['Nota de crédito', 'en camino']] as [string, Piece][]) : []),
  ];
  return html`<dl>${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>
${buyerUrl && html`<p><a class="button" href="${buyerUrl}">Responder como el comprador</a></p>`}
${factura && !sale.isRefunded && html`<form method="post" action="/pedidos/${sale.name}/devolver"><button type="submit">Devolver el dinero</button></form>`}
<p><a href="${url}/panel/buscar?q=${sale.name}">Ver este pedido en el panel</a></p>
<p><a href="/">Otro pedido</a></p>`;
}
