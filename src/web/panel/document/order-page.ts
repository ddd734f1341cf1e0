import { type Html, html } from '../../../domain/html.ts';
import type { Order } from '../../../domain/order.ts';
import type { DocumentStory } from '../../../ledger/story.ts';
import type { Action } from '../../../planner/action.ts';
import { kept, kindName, moment, money } from '../show.ts';
import { documentButtons } from '../today/buttons.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { stateChip } from './chips.ts';
import { documentTitle } from './facts.ts';
import { missing, section } from './page.ts';
import { toldAction, toldWork } from './tell.ts';
import { documentWords } from './words.ts';

/** `/panel/pedido/:store/:id`: all documents of an order, what is due and what is left to do. */
export const orderPage: PanelPage = {
  path: '/pedido/:store/:id',
  role: 'read',
  async show(visit) {
    const { store = '', id = '' } = visit.params;
    const { settings, ledger } = visit.deps;
    const known = settings.stores.get(store);
    // A store that left the config: its orders are found by their id.
    const [found] = known
      ? [{ platform: known.platform.name, shop: known.shop, orderId: id }]
      : (await ledger.finding.orders({ id, names: [] }, 20)).filter(({ storeId }) => storeId === store);
    const story = found && (await ledger.stories.of(found));
    if (!story) return missing(visit);
    const words = documentWords[visit.language];
    const { order, documents, work } = story;
    const { total } = order.snapshot as Order;
    const actions = (order.decision ?? []) as Action[];
    return {
      title: words.orderTitle(order.name),
      above: html`<p><a href="${visit.at('/buscar')}">${words.back}</a></p>`,
      body: html`<dl class="pairs"><div><dt>${words.facts.store}</dt><dd>${order.storeId}</dd></div><div><dt>${words.orderTotal}</dt><dd>${money(total)}</dd></div><div><dt>${words.orderRead}</dt><dd>${moment(order.syncedAt, visit)}</dd></div></dl>
${section(
  'comprobantes',
  words.documents,
  documents.length === 0
    ? html`<p class="soft">${words.noDocuments}</p>`
    : html`<ul class="cards">${documents.map((one) => card(visit, one))}</ul>`,
)}
${section(
  'corresponde',
  words.decisions,
  actions.length === 0
    ? html`<p class="soft">${words.noPlan}</p>`
    : actions.map(
        (action) =>
          html`<details class="fold"><summary>${kindName(action, visit.language)}: ${words.actions[action.action]}</summary>${toldAction(visit, action)}</details>`,
      ),
)}
${section('falta', words.pending, toldWork(visit, work))}`,
    };
  },
};

function card(visit: Visit, past: DocumentStory): Html {
  const { document } = past;
  const { id, charged, total, reason } = document;
  return html`<li class="card"><div class="lead"><h3><a href="${visit.at(`/documento/${id}`)}">${documentTitle(document, visit.language)}</a></h3>${stateChip(document, visit.language)}</div>
<ul class="facts"><li>${money(total ?? charged)}</li><li>${moment(document.updatedAt, visit)}</li></ul>
${reason !== null && kept(reason)}<div class="acts">${document.state !== 'authorized' && document.state !== 'cancelled' && documentButtons(visit, document, { small: true, past })}</div></li>`;
}
