import { z } from 'zod';
import { dayMs, startOfEcuadorDay } from '../domain/clock.ts';
import { type Document, documentKinds, documentNumber, documentStates } from '../domain/document.ts';
import { mayDo } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { DocumentFilter, FoundOrder, PagePlace } from '../ledger/search.ts';
import { documentPath, orderPath, stateChip } from './document-parts.ts';
import { documentWords } from './document-words.ts';
import { kindName, kindNames, moment, money } from './show.ts';
import type { PanelPage, Visit } from './visit.ts';

const words = {
  nav: 'Buscar',
  title: 'Buscar',
  label: 'Qué busca',
  hint: 'El pedido (#1001 o su id), el número (001-001-000000123 o solo 123), la clave de acceso, el monto cobrado (33.75) o la cédula o RUC del comprador.',
  submit: 'Buscar',
  store: 'Tienda',
  state: 'Estado',
  kind: 'Tipo',
  from: 'Desde',
  to: 'Hasta',
  any: 'Cualquiera',
  all: 'Todas',
  filters: 'Filtrar la lista',
  apply: 'Aplicar',
  clear: 'Quitar todo',
  columns: {
    document: 'Comprobante',
    order: 'Pedido',
    store: 'Tienda',
    amount: 'Monto',
    state: 'Estado',
    at: 'Recibido',
  },
  found: (n: number) => (n === 1 ? 'Un resultado.' : `${n} resultados.`),
  newest: 'Los comprobantes más recientes.',
  filtered: 'Los comprobantes más recientes que cumplen el filtro.',
  none: 'No hay nada que coincida. Revise que esté escrito completo: se busca el texto exacto, no una parte.',
  noneHere: 'Entre los comprobantes revisados ninguno cumple el filtro; siga con los más antiguos.',
  nothing: 'Ningún comprobante cumple el filtro.',
  noDocument: 'sin comprobante todavía',
  noNumber: 'sin número',
  older: 'Más antiguos',
  first: 'Volver a los más recientes',
  buyersHidden: 'Buscar por cédula o RUC es para quienes operan o configuran.',
};

const perPage = 50;

export const findPage: PanelPage = {
  path: '/buscar',
  role: 'read',
  nav: { order: 2, label: words.nav },
  async show(visit) {
    const asked = readAsked(visit);
    const form = findForm(visit, asked);
    if (asked.q.trim() !== '')
      return { title: words.title, body: html`${form}${await results(visit, asked.q)}` };
    const filter = filterOf(asked);
    const after = placeOf(asked);
    const { documents, next } = await visit.deps.ledger.documentPages.page(filter, after, perPage);
    const lead = Object.keys(filter).length > 0 ? words.filtered : words.newest;
    const none = next ? words.noneHere : words.nothing;
    return {
      title: words.title,
      body: html`${form}<p class="soft">${lead}</p>
${documents.length === 0 ? html`<div class="empty"><p>${none}</p></div>` : table(visit, documents, [])}
<div class="acts">${next && html`<a class="button plain" href="${visit.at(nextPath(asked, next))}">${words.older}</a>`}${after && html`<a class="quiet" href="${visit.at('/buscar')}">${words.first}</a>`}</div>`,
    };
  },
};

async function results(visit: Visit, text: string): Promise<Piece> {
  const { documents, orders, buyersHidden } = await search(visit, text);
  const count = documents.length + orders.length;
  return html`${buyersHidden && html`<p class="soft">${words.buyersHidden}</p>`}${
    count === 0
      ? html`<div class="empty" role="status"><p>${words.none}</p></div>`
      : html`<p class="soft" role="status">${words.found(count)}</p>${table(visit, documents, orders)}`
  }`;
}

function table(visit: Visit, documents: readonly Document[], orders: readonly FoundOrder[]): Html {
  const { columns } = words;
  const cell = (name: string, body: Piece, kind = '') =>
    html`<td data-name="${name}"${kind !== '' && html` class="${kind}"`}>${body}</td>`;
  const orderLink = (order: Pick<Document, 'storeId' | 'orderId'>, name: string) =>
    html`<a href="${visit.at(orderPath(order))}">${name}</a>`;
  return html`<div class="table asCards"><table>
<thead><tr><th scope="col">${columns.document}</th><th scope="col">${columns.order}</th><th scope="col">${columns.store}</th><th scope="col" class="number">${columns.amount}</th><th scope="col">${columns.state}</th><th scope="col">${columns.at}</th></tr></thead>
<tbody>${documents.map(
    (one) =>
      html`<tr><th scope="row"><a href="${visit.at(documentPath(one.id))}">${kindName(one)} ${documentNumber(one) ?? words.noNumber}</a></th>${cell(columns.order, orderLink(one, one.orderName))}${cell(columns.store, one.storeId)}${cell(columns.amount, money(one.total ?? one.charged), 'number')}${cell(columns.state, stateChip(one))}${cell(columns.at, moment(one.createdAt, visit))}</tr>
`,
  )}${orders.map(
    (one) =>
      html`<tr><th scope="row" class="soft">${words.noDocument}</th>${cell(columns.order, orderLink(one, one.name))}${cell(columns.store, one.storeId)}${cell(columns.amount, '')}${cell(columns.state, '')}${cell(columns.at, moment(one.syncedAt, visit))}</tr>
`,
  )}</tbody></table></div>`;
}

const day = z.iso.date().optional().catch(undefined);

const asked = z.object({
  q: z.string().max(80).catch(''),
  tienda: z.string().min(1).max(63).optional().catch(undefined),
  estado: z.enum(documentStates).optional().catch(undefined),
  tipo: z.enum(documentKinds).optional().catch(undefined),
  desde: day,
  hasta: day,
  sigue: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT[\d:.]{1,14}Z~[\w-]{0,60}$/)
    .optional()
    .catch(undefined),
});
type Asked = z.output<typeof asked>;

const readAsked = ({ query }: Visit): Asked =>
  asked.parse({ q: '', ...Object.fromEntries([...query].filter(([, value]) => value !== '')) });

function filterOf({ tienda, estado, tipo, desde, hasta }: Asked): DocumentFilter {
  return {
    ...(tienda !== undefined && { storeId: tienda }),
    ...(estado !== undefined && { state: estado }),
    ...(tipo !== undefined && { kind: tipo }),
    ...(desde !== undefined && { from: startOfEcuadorDay(desde) }),
    ...(hasta !== undefined && { before: new Date(startOfEcuadorDay(hasta).getTime() + dayMs) }),
  };
}

function placeOf({ sigue }: Asked): PagePlace | null {
  const [createdAt, id = ''] = sigue?.split('~') ?? [];
  return createdAt === undefined ? null : { createdAt, id };
}

function nextPath(of: Asked, next: PagePlace): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) if (value) query.set(name, value);
  query.set('sigue', `${next.createdAt}~${next.id}`);
  return `/buscar?${query}`;
}

function findForm({ deps, at }: Visit, of: Asked): Html {
  const { states } = documentWords;
  const option = (value: string, label: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${label}</option>`;
  const stores = [...deps.settings.stores.keys()];
  const narrowed = [of.tienda, of.estado, of.tipo, of.desde, of.hasta].some((one) => one !== undefined);
  return html`<form class="find" method="get" action="${at('/buscar')}" role="search">
<label for="q">${words.label}</label>
<div class="one"><input type="search" id="q" name="q" value="${of.q}" maxlength="80" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="q-ayuda"><button type="submit">${words.submit}</button></div>
<p class="hint" id="q-ayuda">${words.hint}</p>
<details class="fold"${narrowed && html` open`}><summary>${words.filters}</summary><div class="filters">
<div><label for="tienda">${words.store}</label><select id="tienda" name="tienda">${option('', words.all, of.tienda)}${stores.map((id) => option(id, id, of.tienda))}</select></div>
<div><label for="estado">${words.state}</label><select id="estado" name="estado">${option('', words.any, of.estado)}${documentStates.map((state) => option(state, states[state].name, of.estado))}</select></div>
<div><label for="tipo">${words.kind}</label><select id="tipo" name="tipo">${option('', words.any, of.tipo)}${documentKinds.map((kind) => option(kind, kindNames[kind], of.tipo))}</select></div>
<div><label for="desde">${words.from}</label><input type="date" id="desde" name="desde" value="${of.desde ?? ''}"></div>
<div><label for="hasta">${words.to}</label><input type="date" id="hasta" name="hasta" value="${of.hasta ?? ''}"></div>
<div class="acts"><button type="submit" class="plain">${words.apply}</button><a class="quiet" href="${at('/buscar')}">${words.clear}</a></div></div></details>
</form>`;
}

const most = 20;

/** Looks up every possible meaning, each through its own index. */
async function search({ deps, role }: Visit, text: string) {
  const { ledger } = deps;
  const { order, accessKey, number, amount, buyer } = readTerms(text);
  const mayAskForBuyers = mayDo(role, 'operate');
  const orders = await ledger.finding.orders({ id: order, names: [order, `#${order}`] }, most);
  const ofOrders = await Promise.all(orders.map((one) => ledger.documents.ofOrder(one)));
  const found = [
    ...ofOrders.flat(),
    ...(accessKey === null ? [] : [await ledger.documents.byAccessKey(accessKey)]),
    ...(number === null ? [] : await ledger.finding.byNumber(number, most)),
    ...(buyer === null || !mayAskForBuyers ? [] : await ledger.finding.byBuyer(buyer, most)),
    ...(amount === null ? [] : await ledger.finding.byCharged(amount, most)),
  ].filter((one) => one !== undefined);
  return {
    documents: [...new Map(found.map((one) => [one.id, one])).values()],
    orders: orders.filter((_, at) => ofOrders[at]?.length === 0),
    /** The text looks like an identification, which this person may not search by. */
    buyersHidden: buyer !== null && !mayAskForBuyers,
  };
}

/** A text such as "1001" is an order, a number and an id. */
export function readTerms(text: string) {
  const bare = text.trim().replace(/^#/, '');
  const digits = bare.replace(/\s/g, '');
  return {
    order: bare,
    accessKey: /^\d{49}$/.test(digits) ? digits : null,
    number: readNumber(digits),
    amount: readAmount(bare),
    buyer: /^\d{10}(\d{3})?$/.test(digits) ? digits : null,
  };
}

function readNumber(
  text: string,
): { establecimiento?: string; puntoEmision?: string; secuencial: string } | null {
  const [, establecimiento, puntoEmision, long] = /^(\d{3})-(\d{3})-(\d{1,9})$/.exec(text) ?? [];
  if (establecimiento && puntoEmision && long)
    return { establecimiento, puntoEmision, secuencial: long.padStart(9, '0') };
  return /^\d{1,9}$/.test(text) ? { secuencial: text.padStart(9, '0') } : null;
}

function readAmount(text: string): string | null {
  const bare = text.replace(/^(usd|\$)\s*/i, '').replace(/[.,](?=\d{3}(\D|$))/g, '');
  const [, whole, cents = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(bare) ?? [];
  return whole === undefined ? null : `${Number(whole)}.${cents.padEnd(2, '0')}`;
}
