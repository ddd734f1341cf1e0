import { type Document, documentNumber } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { FoundOrder } from '../../../ledger/finding.ts';
import { stateChip } from '../document/chips.ts';
import { orderPath } from '../document/facts.ts';
import { kindName, moment, money } from '../show.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { filterOf, findForm, nextPath, placeOf, readAsked } from './filter.ts';
import { search } from './search.ts';
import { findWords } from './words.ts';

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
