import { type Html, html, type Piece } from '../../../src/domain/text.ts';
import type { Sale } from '../woocommerce-orders.ts';
import type { ShownSale } from './sale.ts';

export const products: Record<
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

/** A whole page; `panel` is the address of facturapuente's panel, where it is known. */
export const document = (panel: string | null, title: string, body: Html, { refresh = false } = {}): string =>
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
<header><a href="/"><b>Tienda de prueba</b></a> ${panel && html`<a href="${panel}">Abrir el panel de facturapuente</a>`}</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`.text;

export const shopForm = (flaw: string | null): Html => html`
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
<p id="ayuda" class="soft">Sin identificación, hasta $50.00 se factura a consumidor final, sin nota de crédito posible; por encima, facturapuente se la pide al comprador.</p>
<button type="submit">Pagar</button>
</form>`;

export function orderView(panel: string | null, sale: ShownSale): Html {
  const { factura, note, state, total, buyerUrl, notes } = sale;
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
    ...(sale.isRefunded && !note
      ? ([['Nota de crédito', sale.isCreditStuck ? 'no sale por sí sola: vea la nota' : 'en camino']] as [
          string,
          Piece,
        ][])
      : []),
  ];
  return html`<dl>${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>
${buyerUrl && html`<p><a class="button" href="${buyerUrl}">Responder como el comprador</a></p>`}
${factura && !sale.isRefunded && html`<form method="post" action="/pedidos/${sale.name}/devolver"><button type="submit">Devolver el dinero</button></form>`}
${notes.length > 0 && html`<h2>Notas del pedido</h2><ul>${notes.map((text) => html`<li>${text}</li>`)}</ul>`}
${panel && html`<p><a href="${panel}/buscar?q=${sale.name}">Ver este pedido en el panel</a></p>`}
<p><a href="/">Otro pedido</a></p>`;
}
