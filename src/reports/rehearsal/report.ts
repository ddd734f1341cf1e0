import { Html, html, type Piece } from '../../domain/html.ts';
import type { Obstacle } from './figures.ts';
import type { Rehearsal } from './rehearse.ts';
import { buyersChart, ordersChart, paymentsChart, taxesChart, timeChart } from './report-charts.ts';
import { centsText, creditsText, finalConsumerText, verdictText } from './sentences.ts';
import { reportStyle } from './style.ts';
import { count, dayOf, many, usd } from './words.ts';

/** The report as one file: no script, nothing loaded from elsewhere, no buyers' data. */
export function reportPage(found: Rehearsal): string {
  const { figures, store, shop, since, until } = found;
  const page = html`<!doctype html>
<html lang="es-EC"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
<title>Ensayo de facturación: ${store}</title>
<style>${new Html(reportStyle)}</style></head>
<body><main>
<h1>Ensayo de facturación</h1>
<p class="shop">Tienda «${store}», ${shop}<br>Del ${dayOf(since)} al ${dayOf(until)}</p>
<p class="verdict">${verdictText(found)}</p>
<p class="soft">Es un ensayo con los pedidos que ya tiene la tienda: nada se envió al SRI, nada se escribió en la tienda y no se gastó ningún crédito.</p>
${cards(found)}
${ordersChart(found)}
${timeChart(found)}
<h2>Lo que hay que resolver</h2>
${obstacles(found)}
<h2>Compradores</h2>
<p>${finalConsumerText(found)}</p>
${figures.buyers.length > 0 && buyersChart(found)}
<h2>Impuestos</h2>
${figures.taxes.length > 0 ? taxesChart(found) : html`<p>Ninguna factura saldría sola todavía.</p>`}
<h2>Formas de pago</h2>
${figures.payments.length > 0 ? paymentsChart(found) : html`<p>Ninguna factura saldría sola todavía.</p>`}
<p class="soft">Salen del medio de pago de cada pedido; se cambian en policy.payments.</p>
<h2>Centavos</h2>
<p>${centsText(found)}</p>
${figures.cents.examples.length > 0 && html`<p class="orders">Por ejemplo: ${figures.cents.examples.join(', ')}.</p>`}
<h2>Créditos</h2>
<p>${creditsText(found)}</p>
${without(found)}
${unreadable(found)}
<footer><p>Cómo se hizo: cada pedido se leyó de la tienda y pasó por las mismas reglas que lo facturarían hoy. La factura se calcula como si hubiera salido al pagarse el pedido, y las notas de crédito como si esa factura ya estuviera autorizada; las que esperan a una persona no se cuentan en lo que se emitiría. El registro de contribuyentes no se consultó. Este informe no lleva datos de los compradores.</p></footer>
</main></body></html>
`;
  return page.text;
}

function cards({ figures, monthly }: Rehearsal): Html {
  const { facturas, notasCredito, obstacles: all, orders, refunds } = figures;
  const help = all.reduce((sum, one) => sum + one.count, 0);
  const card = (name: string, value: string, more: string) =>
    html`<div><dt>${name}</dt><dd>${value}<small>${more}</small></dd></div>`;
  return html`<dl class="cards">
${card('Facturas que saldrían solas', count(facturas.count), `de ${many(orders, 'pedido', 'pedidos')}, ${usd(facturas.total)}`)}
${card('Notas de crédito', count(notasCredito.count), `de ${many(refunds, 'reembolso', 'reembolsos')}, ${usd(notasCredito.total)}`)}
${card('Esperan a una persona', count(help), 'documentos con su causa, más abajo')}
${card('Créditos al mes', count(monthly.creditsWithHelp), 'si todo lo retenido se resuelve')}
</dl>`;
}

function obstacles({ figures }: Rehearsal): Piece {
  if (figures.obstacles.length === 0)
    return html`<p>Nada: todo lo que lleva documento habría salido solo.</p>`;
  return figures.obstacles.map(obstacle);
}

function obstacle({ title, cure, kind, count: times, total, details, examples, action }: Obstacle): Html {
  const what =
    kind === 'factura' ? many(times, 'factura', 'facturas') : many(times, 'reembolso', 'reembolsos');
  return html`<section class="obstacle"><header><h3>${title}</h3><strong>${what}, ${usd(total)}</strong></header>
${cure !== '' && html`<p>${cure}</p>`}
${action === 'manual' && html`<p>No hay un documento que pueda salir por sí solo.</p>`}
${details.length > 0 && html`<ul>${details.map(({ reason, count: of }) => html`<li>${reason}${of > 1 && ` (${count(of)} veces)`}</li>`)}</ul>`}
<p class="orders">${times > examples.length ? 'Por ejemplo los pedidos' : 'Pedidos'} ${examples.join(', ')}.</p></section>
`;
}

function without({ figures }: Rehearsal): Piece {
  if (figures.without.length === 0) return null;
  return html`<h2>Lo que no lleva documento</h2>
<table class="plain"><thead><tr><th scope="col">Por qué</th><th scope="col">Cuántos</th></tr></thead>
<tbody>${figures.without.map(
    ({ reason, count: of }) =>
      html`<tr><td>${reason}</td><td>${count(of)}</td></tr>
`,
  )}</tbody></table>`;
}

function unreadable({ unreadable: all }: Rehearsal): Piece {
  if (all.length === 0) return null;
  const shown = all.slice(0, 20);
  return html`<h2>Pedidos que no se pudieron leer</h2>
<ul>${shown.map(({ id, reason }) => html`<li>Pedido ${id}: ${reason}</li>`)}</ul>
${all.length > shown.length && html`<p>Y ${many(all.length - shown.length, 'otro', 'otros')}.</p>`}`;
}
