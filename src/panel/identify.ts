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
import { operationButton } from './operations.ts';
import { actionForm, moment, money } from './show.ts';
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
    above: html`<p><a href="${visit.at('')}">${words.back}</a></p>`,
    body: html`<ul class="facts"><li>${money(document.charged)}</li><li>${store.issuer.nombre_comercial}</li></ul>
${bad && flawSummary('notice bad', words.fix, flawLinks(filled.flaws))}
<div class="two"><section class="card" aria-label="${words.submit}">${document.reason !== null && html`<p>${document.reason}</p>`}
${actionForm(visit, identifyAction, {
  fields: { documento: document.id },
  label: words.submit,
  body: identificationFields(words, filled, { name: 'off', email: 'off', offer: '' }),
  kind: 'entry',
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
  const link = visit.deps.buyerLink(document, until);
  const { whatsapp } = buyerMessage(store, document.orderName, link);
  const mail = { fields: { document: document.id }, label: words.mail, plain: true };
  return html`<section class="card" aria-labelledby="enlace"><h2 id="enlace">${words.link}</h2>
<p>${words.linkHint(moment(until.toISOString(), visit))}</p>
<label class="hidden-text" for="direccion">${words.linkLabel}</label><input type="text" id="direccion" class="key" readonly value="${link}">
<div class="acts"><button type="button" data-copy="${link}" data-said="copiado" data-done="${words.copied}" hidden>${words.copy}</button>
<a class="button plain" href="${whatsapp}" rel="noreferrer">${words.whatsapp}</a>
${mailsBuyers && operationButton(visit, askBuyer, mail)}</div><p id="copiado" role="status"></p></section>`;
}

const words = {
  title: (order: string) => `Identificación para el pedido ${order}`,
  back: 'Volver a los pendientes',
  kind: '¿Qué identificación tiene el comprador?',
  kinds: {
    cedula: 'Cédula',
    ruc: 'RUC',
    pasaporte: 'Pasaporte',
    exterior: 'Del exterior',
  },
  id: 'Número',
  idHint: 'La cédula tiene 10 dígitos; el RUC, 13.',
  name: 'Nombres y apellidos, o razón social',
  email: 'Correo para la factura',
  optional: '(opcional)',
  submit: 'Guardar y emitir la factura',
  final: 'La factura sale apenas lo guarde. Una factura emitida ya no se puede cambiar.',
  fix: 'Falta corregir:',
  link: 'O que lo ingrese el comprador',
  linkHint: (until: Html) =>
    html`Este enlace es solo para este pedido y vence el ${until}. Cópielo y envíeselo al comprador.`,
  linkLabel: 'Enlace del comprador',
  copy: 'Copiar el enlace',
  copied: 'El enlace quedó copiado.',
  whatsapp: 'Abrir en WhatsApp',
  mail: 'Enviar por correo',
  over: 'Ese pedido ya no necesita la identificación de su comprador.',
};

const noLongerWanted = { to: '', message: words.over, done: false };
