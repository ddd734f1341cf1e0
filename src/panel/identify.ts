import { z } from 'zod';
import { dayMs } from '../domain/clock.ts';
import type { Document } from '../domain/document.ts';
import type { Order } from '../domain/order.ts';
import { type Store, storeOfShop } from '../domain/settings.ts';
import { type Html, html } from '../domain/text.ts';
import {
  type Filled,
  flawLinks,
  flawSummary,
  givenForm,
  identificationFields,
  unfilled,
} from '../http/buyer-form.ts';
import { buyerMessage, isAsked } from '../jobs/ask-buyer.ts';
import { askBuyer, identify } from '../operations/documents.ts';
import { readAnswer } from '../planner/identity/choice.ts';
import { actionForm, acts, copyButton, facts, moment, money } from './components.ts';
import { operationButton } from './operations.ts';
import type { PanelAction, PanelPage, PanelView, Visit } from './visit.ts';

interface Wanted {
  document: Document;
  order: Order;
  store: Store;
}

export const identifyPage: PanelPage = {
  path: '/identificacion/:id',
  role: 'operate',
  async show(visit) {
    const wanted = await findWanted(visit, visit.params.id ?? '');
    return wanted ? identifyView(visit, wanted, unfilled) : noLongerWanted;
  },
};

const sent = z.object({ documento: z.string().min(1).max(80) });

export const identifyAction: PanelAction = {
  path: '/identificacion',
  role: 'operate',
  async run(visit, form) {
    const { documento } = sent.parse(form);
    const given = givenForm.parse(form);
    const wanted = await findWanted(visit, documento);
    if (!wanted) return noLongerWanted;
    const read = readAnswer(given, wanted.order);
    if (!read.ok) return identifyView(visit, wanted, { given, flaws: read.flaws });
    const { message, done } = await visit.deps.carryOut(identify, { document: documento, ...given });
    return { to: '', message, done };
  },
};

async function findWanted({ deps }: Visit, id: string): Promise<Wanted | null> {
  const document = await deps.ledger.documents.get(id);
  if (!document || !isAsked(document)) return null;
  const store = storeOfShop(deps.settings.stores, document.platform, document.shop);
  const order = (await deps.ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  return store && order ? { document, order, store } : null;
}

function identifyView(visit: Visit, { document, store }: Wanted, filled: Filled): PanelView {
  const bad = Object.keys(filled.flaws).length > 0;
  return {
    title: words.title(document.orderName),
    status: bad ? 422 : 200,
    scripts: ['identificacion.js'],
    back: ['', 'Volver a los pendientes'],
    body: html`${facts([money(document.charged), store.issuer.nombre_comercial])}
${bad && flawSummary('notice bad', 'Falta corregir:', flawLinks(filled.flaws))}
<div class="two"><section class="card" aria-label="${words.submit}">${document.reason !== null && html`<p>${document.reason}</p>`}
${actionForm(visit, identifyAction, {
  fields: { documento: document.id },
  label: words.submit,
  body: identificationFields('¿Qué identificación tiene el comprador?', filled, {
    name: 'off',
    email: 'off',
    offer: '',
  }),
  look: 'entry',
  live: true,
})}
<p class="hint">${words.final}</p></section>
${linkCard(visit, document, store)}</div>`,
  };
}

function linkCard(visit: Visit, document: Document, store: Store): Html | null {
  const { ask, linkDays, mail: mailsBuyers } = store.policy.buyer;
  if (!ask) return null;
  const until = new Date(visit.now.getTime() + linkDays * dayMs);
  const address = visit.deps.buyerLink(document, until);
  const { whatsapp } = buyerMessage(store, document.orderName, address);
  const mail = { fields: { document: document.id }, label: 'Enviar por correo', plain: true };
  return html`<section class="card" aria-labelledby="enlace"><h2 id="enlace">O que lo ingrese el comprador</h2>
<p>${words.linkHint(moment(until.toISOString(), visit))}</p>
<label class="hidden-text" for="direccion">Enlace del comprador</label><input type="text" id="direccion" class="key" readonly value="${address}">
${acts(
  copyButton(address, { label: 'Copiar el enlace', done: 'El enlace quedó copiado.' }),
  html`<a class="button plain" href="${whatsapp}" rel="noreferrer">Abrir en WhatsApp</a>`,
  mailsBuyers && operationButton(visit, askBuyer, mail),
)}</section>`;
}

const words = {
  title: (order: string) => `Identificación para el pedido ${order}`,
  submit: 'Guardar y emitir la factura',
  final: 'La factura sale apenas lo guarde. Una factura emitida ya no se puede cambiar.',
  linkHint: (until: Html) =>
    html`Este enlace es solo para este pedido y vence el ${until}. Cópielo y envíeselo al comprador.`,
};

const noLongerWanted = {
  to: '',
  message: 'Ese pedido ya no necesita la identificación de su comprador.',
  done: false,
};
