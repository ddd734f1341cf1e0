import { z } from 'zod';
import { dayMs, startOfEcuadorDay } from '../domain/clock.ts';
import { type Document, documentKinds, documentStates } from '../domain/document.ts';
import { mayDo } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { DocumentFilter, FoundOrder, PagePlace } from '../ledger/search.ts';
import { stateWords } from '../messages/timeline.ts';
import {
  acts,
  documentPath,
  documentTitle,
  empty,
  field,
  fold,
  kindNames,
  link,
  moment,
  money,
  orderPath,
  soft,
  stateChip,
  table,
} from './components.ts';
import type { PanelPage, Visit } from './visit.ts';

const words = {
  title: 'Buscar',
  hint: 'El pedido (#1001 o su id), el número (001-001-000000123 o solo 123), la clave de acceso, el monto cobrado (33.75) o la cédula o RUC del comprador.',
  any: 'Cualquiera',
  found: (n: number) => (n === 1 ? 'Un resultado.' : `${n} resultados.`),
  none: 'No hay nada que coincida. Revise que esté escrito completo: se busca el texto exacto, no una parte.',
  noneHere: 'Entre los comprobantes revisados ninguno cumple el filtro; siga con los más antiguos.',
};

const perPage = 50;

export const findPage: PanelPage = {
  path: '/buscar',
  role: 'read',
  nav: { order: 2, label: 'Buscar' },
  async show(visit) {
    const asked = readAsked(visit);
    const form = findForm(visit, asked);
    if (asked.q.trim() !== '')
      return { title: words.title, body: html`${form}${await results(visit, asked.q)}` };
    const filter = filterOf(asked);
    const after = placeOf(asked);
    const { documents, next } = await visit.deps.ledger.documentPages.page(filter, after, perPage);
    const lead =
      Object.keys(filter).length > 0
        ? 'Los comprobantes más recientes que cumplen el filtro.'
        : 'Los comprobantes más recientes.';
    const none = next ? words.noneHere : 'Ningún comprobante cumple el filtro.';
    return {
      title: words.title,
      body: html`${form}${soft(lead)}
${documents.length === 0 ? empty(none) : foundTable(visit, documents, [])}
${acts(
  next && link(visit, nextPath(asked, next), 'Más antiguos', { look: 'button plain' }),
  after && link(visit, '/buscar', 'Volver a los más recientes', { look: 'quiet' }),
)}`,
    };
  },
};

async function results(visit: Visit, text: string): Promise<Piece> {
  const { documents, orders, buyersHidden } = await search(visit, text);
  const count = documents.length + orders.length;
  const found = html`<p class="soft" role="status">${words.found(count)}</p>${foundTable(visit, documents, orders)}`;
  return html`${buyersHidden && soft('Buscar por cédula o RUC es para quienes operan o configuran.')}${count === 0 ? empty(words.none) : found}`;
}

function foundTable(visit: Visit, documents: readonly Document[], orders: readonly FoundOrder[]): Html {
  return table({
    asCards: true,
    columns: [
      { label: 'Comprobante' },
      { label: 'Pedido' },
      { label: 'Tienda' },
      { label: 'Monto', isNumber: true },
      { label: 'Estado' },
      { label: 'Recibido' },
    ],
    rows: [
      ...documents.map((one) => ({
        head: link(visit, documentPath(one.id), documentTitle(one)),
        cells: [
          link(visit, orderPath(one), one.orderName),
          one.storeId,
          money(one.total ?? one.charged),
          stateChip(one),
          moment(one.createdAt, visit),
        ],
      })),
      ...orders.map((one) => ({
        head: 'sin comprobante todavía',
        headLook: 'soft' as const,
        cells: [link(visit, orderPath(one), one.name), one.storeId, '', '', moment(one.syncedAt, visit)],
      })),
    ],
  });
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

function findForm(visit: Visit, of: Asked): Html {
  const { deps, at } = visit;
  const stores = [...deps.settings.stores.keys()].map((id) => [id, id] as const);
  const states = documentStates.map((state) => [state, stateWords[state]] as const);
  const kinds = documentKinds.map((kind) => [kind, kindNames[kind]] as const);
  const narrowed = [of.tienda, of.estado, of.tipo, of.desde, of.hasta].some((one) => one !== undefined);
  const filters = html`<div class="filters">
${field({ name: 'tienda', label: 'Tienda', value: of.tienda, options: [['', 'Todas'], ...stores] })}
${field({ name: 'estado', label: 'Estado', value: of.estado, options: [['', words.any], ...states] })}
${field({ name: 'tipo', label: 'Tipo', value: of.tipo, options: [['', words.any], ...kinds] })}
${field({ name: 'desde', label: 'Desde', type: 'date', value: of.desde })}
${field({ name: 'hasta', label: 'Hasta', type: 'date', value: of.hasta })}
${acts(html`<button type="submit" class="plain">Aplicar</button>`, link(visit, '/buscar', 'Quitar todo', { look: 'quiet' }))}</div>`;
  return html`<form class="find" method="get" action="${at('/buscar')}" role="search">
<label for="q">Qué busca</label>
<div class="one"><input type="search" id="q" name="q" value="${of.q}" maxlength="80" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="q-ayuda"><button type="submit">Buscar</button></div>
<p class="hint" id="q-ayuda">${words.hint}</p>
${fold('Filtrar la lista', filters, narrowed)}
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
