import { z } from 'zod';
import { startOfEcuadorDay } from '../../../domain/calendar.ts';
import { type Document, documentKinds, documentNumber, documentStates } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import { mayDo } from '../../../domain/people.ts';
import type { DocumentFilter, PagePlace } from '../../../ledger/document-pages.ts';
import type { FoundOrder } from '../../../ledger/finding.ts';
import { stateChip } from '../document/chips.ts';
import { orderPath } from '../document/facts.ts';
import { documentWords } from '../document/words.ts';
import { kindName, moment, money } from '../show.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { inBoth } from '../words.ts';

const findWords = inBoth(
  {
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
    kinds: { factura: 'Factura', 'nota-credito': 'Nota de crédito' },
    apply: 'Aplicar',
    clear: 'Quitar todo',
    columns: {
      document: 'Comprobante',
      order: 'Pedido',
      store: 'Tienda',
      amount: 'Monto',
      state: 'Estado',
      at: 'Entró',
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
  },
  {
    nav: 'Search',
    title: 'Search',
    label: 'What are you looking for',
    hint: 'The order (#1001 or its id), the number (001-001-000000123 or just 123), the access key, the amount charged (33.75) or the buyer’s cédula or RUC.',
    submit: 'Search',
    store: 'Store',
    state: 'State',
    kind: 'Kind',
    from: 'From',
    to: 'To',
    any: 'Any',
    all: 'All',
    filters: 'Filter the list',
    kinds: { factura: 'Factura', 'nota-credito': 'Nota de crédito' },
    apply: 'Apply',
    clear: 'Clear all',
    columns: {
      document: 'Document',
      order: 'Order',
      store: 'Store',
      amount: 'Amount',
      state: 'State',
      at: 'Came in',
    },
    found: (n: number) => (n === 1 ? 'One result.' : `${n} results.`),
    newest: 'The newest documents.',
    filtered: 'The newest documents the filter lets through.',
    none: 'Nothing matches. Check that it is complete: the exact text is looked for, not a part of it.',
    noneHere: 'Of the documents looked at, none passes the filter; go on with older ones.',
    nothing: 'No document passes the filter.',
    noDocument: 'no document yet',
    noNumber: 'no number',
    older: 'Older ones',
    first: 'Back to the newest',
    buyersHidden: 'Searching by cédula or RUC is for those who operate or configure.',
  },
);

const perPage = 50;

/** `/panel/buscar`: one box for all a person may know of a document, and the list of all. */
export const findPage: PanelPage = {
  path: '/buscar',
  role: 'read',
  nav: { order: 2, label: { es: findWords.es.nav, en: findWords.en.nav } },
  async show(visit) {
    const asked = readAsked(visit);
    const words = findWords[visit.language];
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
  const words = findWords[visit.language];
  const { documents, orders, buyersHidden } = await search(visit, text);
  const count = documents.length + orders.length;
  return html`${buyersHidden && html`<p class="soft">${words.buyersHidden}</p>`}${
    count === 0
      ? html`<div class="empty" role="status"><p>${words.none}</p></div>`
      : html`<p class="soft" role="status">${words.found(count)}</p>${table(visit, documents, orders)}`
  }`;
}

/** On a telephone each row becomes a card, each cell under its name. */
function table(visit: Visit, documents: readonly Document[], orders: readonly FoundOrder[]): Html {
  const words = findWords[visit.language];
  const { columns } = words;
  const cell = (name: string, body: Piece, kind = '') =>
    html`<td data-name="${name}"${kind !== '' && html` class="${kind}"`}>${body}</td>`;
  const orderLink = (order: Pick<Document, 'storeId' | 'orderId'>, name: string) =>
    html`<a href="${visit.at(orderPath(order))}">${name}</a>`;
  return html`<div class="table asCards"><table>
<thead><tr><th scope="col">${columns.document}</th><th scope="col">${columns.order}</th><th scope="col">${columns.store}</th><th scope="col" class="number">${columns.amount}</th><th scope="col">${columns.state}</th><th scope="col">${columns.at}</th></tr></thead>
<tbody>${documents.map(
    (one) =>
      html`<tr><th scope="row"><a href="${visit.at(`/documento/${one.id}`)}">${kindName(one, visit.language)} ${documentNumber(one) ?? words.noNumber}</a></th>${cell(columns.order, orderLink(one, one.orderName))}${cell(columns.store, one.storeId)}${cell(columns.amount, money(one.total ?? one.charged), 'number')}${cell(columns.state, stateChip(one, visit.language))}${cell(columns.at, moment(one.createdAt, visit))}</tr>
`,
  )}${orders.map(
    (one) =>
      html`<tr><th scope="row" class="soft">${words.noDocument}</th>${cell(columns.order, orderLink(one, one.name))}${cell(columns.store, one.storeId)}${cell(columns.amount, '')}${cell(columns.state, '')}${cell(columns.at, moment(one.syncedAt, visit))}</tr>
`,
  )}</tbody></table></div>`;
}

const dayMs = 24 * 3_600_000;
const day = z.iso.date().optional().catch(undefined);

/** What the address says; whatever cannot be meant is as if it were not there. */
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

/** The address of the next page, with the same filter. */
function nextPath(of: Asked, next: PagePlace): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) if (value) query.set(name, value);
  query.set('sigue', `${next.createdAt}~${next.id}`);
  return `/buscar?${query}`;
}

/** The one box, and behind it what the list keeps to. */
function findForm({ language, deps, at }: Visit, of: Asked): Html {
  const words = findWords[language];
  const { states } = documentWords[language];
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
<div><label for="tipo">${words.kind}</label><select id="tipo" name="tipo">${option('', words.any, of.tipo)}${documentKinds.map((kind) => option(kind, words.kinds[kind], of.tipo))}</select></div>
<div><label for="desde">${words.from}</label><input type="date" id="desde" name="desde" value="${of.desde ?? ''}"></div>
<div><label for="hasta">${words.to}</label><input type="date" id="hasta" name="hasta" value="${of.hasta ?? ''}"></div>
<div class="acts"><button type="submit" class="plain">${words.apply}</button><a class="quiet" href="${at('/buscar')}">${words.clear}</a></div></div></details>
</form>`;
}

interface Found {
  documents: Document[];
  /** Orders without any document. */
  orders: FoundOrder[];
  /** It looked like a buyer's identification, which not everybody may search by. */
  buyersHidden: boolean;
}

/** As many of each kind. */
const most = 20;

/** Everything a text may mean, each looked up through its own index. */
async function search({ deps, role }: Visit, text: string): Promise<Found> {
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
    buyersHidden: buyer !== null && !mayAskForBuyers,
  };
}

/** What a text may mean; several may hold at once ("1001" is an order, a number and an id). */
interface Terms {
  /** Without its sign. */
  order: string;
  accessKey: string | null;
  number: { establecimiento?: string; puntoEmision?: string; secuencial: string } | null;
  /** "33.75" */
  amount: string | null;
  /** Cédula or RUC. */
  buyer: string | null;
}

/** Reads what a person typed into the one box. */
export function readTerms(text: string): Terms {
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

function readNumber(text: string): Terms['number'] {
  const [, establecimiento, puntoEmision, long] = /^(\d{3})-(\d{3})-(\d{1,9})$/.exec(text) ?? [];
  if (establecimiento && puntoEmision && long)
    return { establecimiento, puntoEmision, secuencial: long.padStart(9, '0') };
  return /^\d{1,9}$/.test(text) ? { secuencial: text.padStart(9, '0') } : null;
}

/** "USD 1.234,50", "$33.75" and "33,75" are amounts; "33" is too. */
function readAmount(text: string): string | null {
  const bare = text.replace(/^(usd|\$)\s*/i, '').replace(/[.,](?=\d{3}(\D|$))/g, '');
  const [, whole, cents = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(bare) ?? [];
  return whole === undefined ? null : `${Number(whole)}.${cents.padEnd(2, '0')}`;
}
