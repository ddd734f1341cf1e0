import { ecuadorDay } from '../../domain/clock.ts';
import { type Amount, type Decimal, decimal } from '../../domain/money.ts';
import { Html, html, type Piece } from '../../domain/text.ts';
import type { BuyerType } from '../../planner/identity/choice.ts';
import { dayBars, dayBarsStyle } from '../day-bars.ts';
import type { Obstacle } from './figures.ts';
import type { Rehearsal } from './rehearse.ts';

/** No script, nothing loaded from elsewhere, no buyers' data. */
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
${ordersTable(found)}
${timeChart(found)}
<h2>Lo que hay que resolver</h2>
${obstacles(found)}
<h2>Compradores</h2>
<p>${finalConsumerText(found)}</p>
${figures.buyers.length > 0 && buyersTable(found)}
<h2>Impuestos</h2>
${figures.taxes.length > 0 ? taxesTable(found) : html`<p>Ninguna factura saldría sola todavía.</p>`}
<h2>Formas de pago</h2>
${figures.payments.length > 0 ? paymentsTable(found) : html`<p>Ninguna factura saldría sola todavía.</p>`}
<p class="soft">Salen del medio de pago de cada pedido; se cambian en policy.payments.</p>
<h2>Centavos</h2>
<p>${centsText(found)}</p>
${figures.cents.examples.length > 0 && html`<p class="orders">Por ejemplo: ${figures.cents.examples.join(', ')}.</p>`}
<h2>Créditos</h2>
<p>${creditsText(found)}</p>
${without(found)}
${unreadable(found)}
<footer><p>Cómo se hizo: cada pedido se leyó de la tienda y pasó por las mismas reglas que lo facturarían hoy. La factura se calcula como si hubiera salido al pagarse el pedido, y las notas de crédito como si esa factura ya estuviera autorizada; las que requieren atención no se cuentan en lo que se emitiría. El registro de contribuyentes no se consultó. Este informe no lleva datos de los compradores.</p></footer>
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
${card('Requieren atención', count(help), 'documentos con su causa, más abajo')}
${card('Créditos al mes', count(monthly.creditsWithHelp), 'si todo lo retenido se resuelve')}
</dl>`;
}

function obstacles({ figures }: Rehearsal): Piece {
  if (figures.obstacles.length === 0)
    return html`<p>Nada: todo lo que lleva documento habría salido solo.</p>`;
  return figures.obstacles.map(obstacle);
}

function obstacle({
  title,
  resolution,
  kind,
  count: times,
  total,
  details,
  examples,
  action,
}: Obstacle): Html {
  const what =
    kind === 'factura' ? many(times, 'factura', 'facturas') : many(times, 'reembolso', 'reembolsos');
  return html`<section class="obstacle"><header><h3>${title}</h3><strong>${what}, ${usd(total)}</strong></header>
${resolution !== '' && html`<p>${resolution}</p>`}
${action === 'manual' && html`<p>No hay un documento que pueda salir por sí solo.</p>`}
${details.length > 0 && html`<ul>${details.map(({ reason, count: of }) => html`<li>${reason}${of > 1 && ` (${count(of)} veces)`}</li>`)}</ul>`}
<p class="orders">${times > examples.length ? 'Por ejemplo los pedidos' : 'Pedidos'} ${examples.join(', ')}.</p></section>
`;
}

function without({ figures }: Rehearsal): Piece {
  if (figures.without.length === 0) return null;
  return html`<h2>Lo que no lleva documento</h2>
${plainTable(
  'Por qué',
  'Cuántos',
  figures.without.map(({ reason, count: of }) => [reason, count(of)]),
)}`;
}

function unreadable({ unreadable: all }: Rehearsal): Piece {
  if (all.length === 0) return null;
  const shown = all.slice(0, 20);
  return html`<h2>Pedidos que no se pudieron leer</h2>
<ul>${shown.map(({ id, reason }) => html`<li>Pedido ${id}: ${reason}</li>`)}</ul>
${all.length > shown.length && html`<p>Y ${many(all.length - shown.length, 'otro', 'otros')}.</p>`}`;
}

const reportStyle = `
:root { color-scheme: light dark;
  --ground: light-dark(#f4f6f5, #0e1312); --card: light-dark(#ffffff, #161d1b); --line: light-dark(#cfd8d5, #34403d);
  --ink: light-dark(#17211e, #e8efec); --soft: light-dark(#51605b, #a2b1ac); --accent: light-dark(#0b6355, #57c9b1);
  --wash: light-dark(#e7f3ef, #14302a); --odd: light-dark(#8a5a00, #e6b559); --odd-wash: light-dark(#fdf3dd, #332711); }
* { box-sizing: border-box; } html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 3rem; background: var(--card); }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em; } h2 { font-size: 1.2rem; margin: 2.25rem 0 .6rem; }
h3 { font-size: 1.02rem; margin: 0; } p { margin: 0 0 .9rem; } .soft { color: var(--soft); } .shop { color: var(--soft); font-weight: 600; margin: 0 0 1rem; overflow-wrap: anywhere; }
.verdict { font-size: 1.15rem; padding: .9rem 1.1rem; background: var(--wash); border-left: 4px solid var(--accent); border-radius: 0 10px 10px 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; }
.cards > div { border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
.cards dt { color: var(--soft); font-size: .92rem; } .cards dd { margin: 0; font-size: 1.45rem; font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.3; }
.cards dd small { display: block; font-size: .88rem; font-weight: 400; color: var(--soft); }
.obstacle { border: 1px solid var(--line); border-left: 4px solid var(--odd); border-radius: 0 12px 12px 0; padding: .9rem 1.1rem; margin: 0 0 .9rem; break-inside: avoid; }
.obstacle header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 1rem; margin: 0 0 .4rem; } .obstacle header strong { color: var(--odd); font-variant-numeric: tabular-nums; }
.obstacle p { margin: 0 0 .4rem; } .obstacle ul { margin: .2rem 0 .4rem; padding-left: 1.2rem; } .obstacle p:last-child { margin: 0; }
.orders { color: var(--soft); font-size: .92rem; overflow-wrap: anywhere; } table.plain { border-collapse: collapse; width: 100%; }
table.plain + .bars { margin-top: 1.5rem; } table.plain th, table.plain td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
table.plain th:last-child, table.plain td:last-child { text-align: right; padding-right: 0; font-variant-numeric: tabular-nums; white-space: nowrap; } table.plain thead th { color: var(--soft); font-size: .88rem; }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .92rem; }
@media print { :root { color-scheme: light; } body { background: #fff; font-size: 10.5pt; } main { max-width: none; padding: 0; } h2 { break-after: avoid; } .bars, .cards > div { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
${dayBarsStyle}`;

const short = new Intl.DateTimeFormat('es-EC', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat('es-EC', { timeZone: 'UTC', dateStyle: 'full' });

const mostDays = 35;

function timeChart({ figures }: Rehearsal): Html {
  const days = figures.byDay;
  const weekly = days.length > mostDays;
  const step = weekly ? 7 : 1;
  const bars = [];
  // From today backwards, so that the last week is complete.
  for (let end = days.length; end > 0; end -= step) {
    const of = days.slice(Math.max(end - step, 0), end);
    const day = new Date(`${of[0]?.day ?? ecuadorDay(new Date(0))}T00:00:00Z`);
    const all = (key: 'facturas' | 'notasCredito') => of.reduce((sum, one) => sum + one[key], 0);
    const label = weekly ? `Semana del ${short.format(day)}` : full.format(day);
    bars.unshift({
      label,
      short: short.format(day),
      facturas: all('facturas'),
      notasCredito: all('notasCredito'),
    });
  }
  return dayBars({
    id: 'tiempo',
    title: weekly
      ? 'Documentos que habrían salido solos, por semana'
      : 'Documentos que habrían salido solos, por día',
    category: weekly ? 'Semana' : 'Día',
    days: bars,
    format: (value) => count(value.toNumber()),
  });
}

function plainTable(what: string, measure: string, rows: readonly [label: string, figure: string][]): Html {
  return html`<table class="plain"><thead><tr><th scope="col">${what}</th><th scope="col">${measure}</th></tr></thead>
<tbody>${rows.map(
    ([label, figure]) =>
      html`<tr><td>${label}</td><td>${figure}</td></tr>
`,
  )}</tbody></table>`;
}

function ordersTable({ figures }: Rehearsal): Html {
  const { facturas, obstacles, orders } = figures;
  const help = obstacles.filter(({ kind }) => kind === 'factura').reduce((sum, one) => sum + one.count, 0);
  return plainTable('Resultado de cada pedido', 'Pedidos', [
    ['Se facturan solos', count(facturas.count)],
    ['Requieren atención', count(help)],
    ['No llevan factura', count(orders - facturas.count - help)],
  ]);
}

const buyersTable = ({ figures }: Rehearsal): Html =>
  plainTable(
    'A nombre de quién saldrían las facturas',
    'Facturas',
    figures.buyers.map(({ type, count: value }) => [buyerNames[type], count(value)]),
  );

const taxesTable = ({ figures }: Rehearsal): Html =>
  plainTable(
    'Impuesto en las facturas',
    'Base',
    figures.taxes.map(({ name, base, valor }) => [
      Number(valor) === 0 ? name : `${name} (impuesto: ${usd(valor)})`,
      usd(base),
    ]),
  );

const paymentsTable = ({ figures }: Rehearsal): Html =>
  plainTable(
    'Forma de pago del SRI',
    'Total',
    figures.payments.map(({ tipo, name, total }) => [`${name} (${tipo})`, usd(total)]),
  );

/* The same in words, for the page and the terminal. */

function verdictText({ figures, leftOut, since }: Rehearsal): string {
  const { facturas, notasCredito, obstacles, orders, refunds } = figures;
  const help = obstacles.filter(({ kind }) => kind === 'factura').reduce((sum, one) => sum + one.count, 0);
  const due = facturas.count + help;
  if (orders + refunds === 0) return 'La tienda no tiene pedidos ni reembolsos en este tiempo.';
  const sales =
    due === 0
      ? `Ninguno de sus ${many(orders, 'pedido', 'pedidos')} lleva factura.`
      : `De ${many(due, 'pedido que lleva', 'pedidos que llevan')} factura, ${count(facturas.count)} (${percent(facturas.count, due)}) se facturarían solos por ${usd(facturas.total)}${help > 0 ? ` y ${count(help)} ${help === 1 ? 'requeriría' : 'requerirían'} atención` : ''}.`;
  const credits =
    refunds === 0
      ? ''
      : ` De ${many(refunds, 'reembolso', 'reembolsos')}, ${count(notasCredito.count)} ${notasCredito.count === 1 ? 'tendría' : 'tendrían'} su nota de crédito por ${usd(notasCredito.total)}.`;
  const cut =
    leftOut === 0
      ? ''
      : ` Había más pedidos de los que se leen: se miraron los cambiados desde el ${dayOf(since)}.`;
  return `${sales}${credits}${cut}`;
}

function finalConsumerText({ figures, finalConsumerLimit }: Rehearsal): string {
  const { buyers, facturas, unnamed } = figures;
  const final = buyers.find(({ type }) => type === 'consumidor-final');
  const policy =
    finalConsumerLimit === null
      ? 'La tienda no factura a consumidor final.'
      : `La tienda factura a consumidor final hasta ${usd(finalConsumerLimit)}.`;
  const share = final
    ? ` Así saldrían ${many(final.count, 'factura', 'facturas')} (${percent(final.count, facturas.count)}) por ${usd(final.total)}; una factura así no se puede anular ni admite nota de crédito.`
    : ' Ninguna factura saldría así.';
  const held =
    unnamed.count === 0
      ? ''
      : ` ${many(unnamed.count, 'pedido tiene', 'pedidos tienen')} una identificación que falta o está mal, por ${usd(unnamed.total)}.`;
  return `${policy}${share}${held}`;
}

function centsText({ figures }: Rehearsal): string {
  const { exact, placed, stated, differing } = figures.cents;
  if (exact + placed + stated === 0) return 'Ninguna factura saldría sola todavía.';
  const odd = [
    placed > 0 &&
      `en ${count(placed)} la tienda redondeó a su modo y los centavos se repartieron para que la factura sume lo cobrado`,
    stated > 0 && `en ${count(stated)} el impuesto se declara tal como se cobró`,
  ].filter((part) => part !== false);
  const same = `${many(exact, 'factura suma', 'facturas suman')} exactamente lo que dicen las líneas de la tienda${odd.length > 0 ? `; ${odd.join(' y ')}` : ''}.`;
  const apart =
    differing === 0
      ? 'Ninguna difiere en un centavo de lo que se cobró.'
      : `${many(differing, 'difiere', 'difieren')} de lo que se cobró.`;
  return `${same} ${apart}`;
}

function creditsText({ monthly }: Rehearsal): string {
  const { credits, creditsWithHelp, recharge, days } = monthly;
  const more =
    creditsWithHelp === credits
      ? ''
      : `, y ${count(creditsWithHelp)} cuando se resuelva todo lo que hoy quedaría pendiente`;
  return `En producción cada documento autorizado gasta un crédito. Al ritmo de estos ${count(days)} días serían unos ${count(credits)} créditos al mes${more}. La recarga que menos cuesta por documento a ese ritmo es la de ${count(recharge.usd)} USD (unos ${count(recharge.documents)} documentos; los créditos valen 12 meses).`;
}

export function summary(found: Rehearsal): string {
  const { store, since, until, figures, unreadable } = found;
  const waits = figures.obstacles.map(({ title, count: times, total, examples, kind }) => {
    const what =
      kind === 'factura' ? many(times, 'factura', 'facturas') : many(times, 'reembolso', 'reembolsos');
    return `  ${title}: ${what}, ${usd(total)} (${examples.slice(0, 3).join(', ')}${times > 3 ? '…' : ''})`;
  });
  return [
    `Ensayo de la tienda «${store}», del ${dayOf(since)} al ${dayOf(until)}. Nada se envió.`,
    '',
    verdictText(found),
    ...(waits.length > 0 ? ['', 'Requieren atención:', ...waits] : []),
    '',
    finalConsumerText(found),
    centsText(found),
    creditsText(found),
    ...(unreadable.length > 0
      ? [`No se pudieron leer ${count(unreadable.length)} pedidos; el informe dice cuáles y por qué.`]
      : []),
    '',
  ].join('\n');
}

const cents = new Intl.NumberFormat('es-EC', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('es-EC');
const long = new Intl.DateTimeFormat('es-EC', { timeZone: 'America/Guayaquil', dateStyle: 'long' });

const usd = (amount: Amount | Decimal): string =>
  `USD\u00a0${cents.format(decimal(amount).toFixed(2) as Intl.StringNumericLiteral)}`;

export const count = (value: number): string => whole.format(value);

const dayOf = (instant: string): string => long.format(new Date(instant));

export const many = (value: number, one: string, more: string): string =>
  `${count(value)} ${value === 1 ? one : more}`;

/** "12,5 %"; never 0 % for some or 100 % for a part. */
function percent(part: number, all: number): string {
  if (all === 0) return '0 %';
  const exact = (part / all) * 100;
  const shown = Math.min(Math.max(Math.round(exact * 10) / 10, part > 0 ? 0.1 : 0), part < all ? 99.9 : 100);
  return `${whole.format(shown)} %`;
}

const buyerNames: Readonly<Record<BuyerType, string>> = {
  cedula: 'Cédula',
  ruc: 'RUC',
  pasaporte: 'Pasaporte',
  exterior: 'Identificación del exterior',
  'consumidor-final': 'Consumidor final',
};
