import { type Html, html } from '../../../../src/domain/text.ts';
import { receiverOf, type StoredDocument } from '../../emission/documents.ts';
import type { World } from '../../world.ts';
import { badge, empty, type Form, stateBadge, table, type View } from './parts.ts';
import {
  accountAt,
  accountName,
  ambienteNames,
  amount,
  moment,
  type Standing,
  standingNames,
  standingOf,
  typeNames,
} from './words.ts';

type Query = Readonly<Record<string, string>>;

const pageSize = 100;

/** `/`: every document, newest first, by state, type, account and search. */
export function documentsView(world: World, query: Query, form: Form): View {
  const all = world.documents.all().reverse();
  const fitting = all.filter(filterOf(world, query));
  const page = Math.max(1, Math.trunc(Number(query.hoja ?? '1')) || 1);
  const shown = fitting.slice((page - 1) * pageSize, page * pageSize);
  const body = html`
<div class="head"><h1>Comprobantes</h1>${world.accounts.size > 0 && form('ejemplo', html`<input type="hidden" name="cuenta" value="${query.cuenta || '1'}"><button>Emitir una de ejemplo</button>`)}</div>
${tiles(all, query)}
${filterForm(world, query)}
${all.length === 0 ? firstSteps(world) : shown.length === 0 ? empty('Ningún comprobante coincide con el filtro.') : list(world, shown)}
${pager(query, page, fitting.length)}`;
  return { title: 'Comprobantes', section: '/', body };
}

function filterOf(
  world: World,
  { estado, tipo, cuenta, q = '' }: Query,
): (document: StoredDocument) => boolean {
  const apiKey = cuenta ? (accountAt(world, cuenta)?.apiKey ?? '') : undefined;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (document) =>
    (!estado || standingOf(document) === estado) &&
    (!tipo || document.tipo === tipo) &&
    (apiKey === undefined || document.apiKey === apiKey) &&
    (words.length === 0 || matches(document, words));
}

function matches(document: StoredDocument, words: readonly string[]): boolean {
  const receiver = receiverOf(document);
  const text = [
    document.numero,
    document.claveacceso,
    document.ruc,
    receiver?.razon_social,
    receiver?.identificacion,
    document.figures?.importeTotal,
    ...document.errores.map(({ mensaje }) => mensaje),
  ]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

function tiles(all: readonly StoredDocument[], query: Query): Html {
  const counts = { autorizado: 0, proceso: 0, error: 0 };
  for (const document of all) counts[standingOf(document)] += 1;
  const tile = (estado: Standing | '', name: string, count: number) => html`
<a class="tile ${estado || 'all'}" href="${address(query, { estado, hoja: '' })}"${(query.estado ?? '') === estado && html` aria-current="true"`}><span class="count">${count}</span> ${name}</a>`;
  return html`<nav class="tiles" aria-label="Por estado">${tile('', 'Todos', all.length)}${(
    Object.keys(standingNames) as Standing[]
  ).map((estado) => tile(estado, standingNames[estado], counts[estado]))}</nav>`;
}

/** The same list with another filter. */
function address(query: Query, change: Query): string {
  const entries = Object.entries({ ...query, ...change }).filter(
    ([name, value]) => value !== '' && ['estado', 'tipo', 'cuenta', 'q', 'hoja'].includes(name),
  );
  return entries.length === 0 ? '/' : `/?${new URLSearchParams(entries)}`;
}

function filterForm(world: World, query: Query): Html {
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${name}</option>`;
  const accounts = [...world.accounts.keys()].map((key, index) =>
    option(String(index + 1), accountName(world, key), query.cuenta),
  );
  return html`<form method="get" action="/" class="filter" role="search" data-filter>
${query.estado && html`<input type="hidden" name="estado" value="${query.estado}">`}
<label class="grow"><span class="hidden">Buscar</span><input type="search" name="q" value="${query.q}" placeholder="Número, clave de acceso, comprador, total…" autocomplete="off"></label>
<label><span class="hidden">Tipo</span><select name="tipo">${option('', 'Todos los tipos', query.tipo)}${Object.entries(typeNames).map(([code, name]) => option(code, name, query.tipo))}</select></label>
${world.accounts.size > 1 && html`<label><span class="hidden">Cuenta</span><select name="cuenta">${option('', 'Todas las cuentas', query.cuenta)}${accounts}</select></label>`}
<button>Filtrar</button></form>`;
}

function list(world: World, shown: readonly StoredDocument[]): Html {
  const columns = [
    { name: 'Estado', kind: 'wide' },
    { name: 'Comprobante' },
    { name: 'Comprador', kind: 'wide' },
    { name: 'Total USD', kind: 'num' },
    { name: 'Webhook', kind: 'wide' },
    { name: 'Recibido', kind: 'wide num' },
  ];
  return table(
    'Comprobantes, el más nuevo primero',
    columns,
    shown.map((one) => row(world, one)),
  );
}

function row(world: World, document: StoredDocument): Html {
  const receiver = receiverOf(document);
  const name = receiver?.razon_social ?? '—';
  const reason = document.errores[0] && html`<span class="reason">${document.errores[0].mensaje}</span>`;
  const state = html`${stateBadge(document)}${reason}`;
  return html`<tr id="d-${document.claveacceso}" data-row>
<td class="wide">${state}</td>
<td><a href="/pagina/comprobantes/${document.claveacceso}" class="cover">${document.numero}</a><span class="under">${typeNames[document.tipo]}${document.ambiente === 2 && html` · ${ambienteNames[2]}`}</span><span class="narrow"><span class="under">${name}</span>${state}</span></td>
<td class="wide"><span class="name">${name}</span><span class="under">${receiver?.identificacion}</span></td>
<td class="num total">${amount(document.figures?.importeTotal)}</td>
<td class="wide">${deliveryBadge(world, document)}</td>
<td class="wide num">${moment(document.recibido)}</td></tr>`;
}

function deliveryBadge(world: World, { apiKey, claveacceso }: StoredDocument): Html {
  const attempt = world.accounts.get(apiKey)?.deliveries.find((one) => one.claveacceso === claveacceso);
  if (!attempt) return html`<span class="soft">—</span>`;
  if (attempt.exito) return badge('plain', `${attempt.estado_http} entregado`);
  return badge('bad', `${attempt.estado_http ?? 'Sin respuesta'} · intento ${attempt.intento}`);
}

function pager(query: Query, page: number, total: number): Html | false {
  if (total <= pageSize) return false;
  const link = (to: number, text: string) =>
    html`<a href="${address(query, { hoja: String(to) })}">${text}</a>`;
  const last = Math.ceil(total / pageSize);
  return html`<nav class="pager" aria-label="Hojas">${page > 1 && link(page - 1, '← Más nuevos')}<span>Hoja ${page} de ${last}</span>${page < last && link(page + 1, 'Más antiguos →')}</nav>`;
}

function firstSteps(world: World): Html {
  return html`<section class="card welcome"><h2>Aún no hay comprobantes</h2>
<p>Lo que su programa emita aparece aquí al instante. La dirección del servicio es:</p>
<pre tabindex="0"><code>${world.baseUrl}</code></pre>
<p>Emita con <code>POST /api/factura/emision</code> y su clave en el encabezado <code>X-API-KEY</code>. Nada de lo que emita llega al SRI.</p></section>`;
}
