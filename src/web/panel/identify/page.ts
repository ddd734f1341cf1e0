import { z } from 'zod';
import { dayMs } from '../../../domain/clock.ts';
import type { Document } from '../../../domain/document.ts';
import type { Order } from '../../../domain/order.ts';
import { isShadowShop, type Store, storeOfShop } from '../../../domain/settings.ts';
import { type Html, html } from '../../../domain/text.ts';
import { isAsked } from '../../../jobs/ask-buyer.ts';
import { readAnswer } from '../../../planner/identity/choice.ts';
import {
  type Filled,
  flawLinks,
  flawSummary,
  givenForm,
  identificationFields,
  unfilled,
} from '../../buyer/form.ts';
import { buyerMessage } from '../../links.ts';
import { actionForm, kept, moment, money } from '../show.ts';
import { command, mailBuyerAction } from '../today/actions.ts';
import { inBoth, type PanelAction, type PanelPage, type PanelView, type Visit } from '../visit.ts';

/** An order that waits for its buyer's identification. */
interface Wanted {
  document: Document;
  order: Order;
  store: Store;
}

/** `/panel/identificacion/:id`: a person of the shop enters the buyer's identification, or gets the buyer's link. */
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
    return command(visit, 'identify', { document: documento, ...given }, '');
  },
};

async function findWanted({ deps }: Visit, id: string): Promise<Wanted | null> {
  const document = await deps.ledger.documents.get(id);
  if (!document || isShadowShop(document.shop) || !isAsked(document)) return null;
  const store = storeOfShop(deps.settings.stores, document.platform, document.shop);
  const order = (await deps.ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  return store && order ? { document, order, store } : null;
}

/** The form, and the buyer's own link beside it. */
function identifyView(visit: Visit, { document, store }: Wanted, filled: Filled): PanelView {
  const words = identifyWords[visit.language];
  const bad = Object.keys(filled.flaws).length > 0;
  return {
    title: words.title(document.orderName),
    status: bad ? 422 : 200,
    scripts: ['identificacion.js'],
    above: html`<p><a href="${visit.at('')}">${words.back}</a></p>`,
    body: html`<ul class="facts"><li>${money(document.charged)}</li><li>${store.issuer.nombre_comercial}</li></ul>
${bad && flawSummary('notice bad', words.fix, flawLinks(filled.flaws))}
<div class="two"><section class="card" aria-label="${words.submit}">${document.reason !== null && kept(document.reason)}
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

/** A fresh link, as of `facturapuente identification-link`; null where the store does not ask its buyers. */
function linkCard(visit: Visit, document: Document, store: Store): Html | null {
  const { ask, linkDays, mail: mailsBuyers } = store.policy.buyer;
  if (!ask) return null;
  const words = identifyWords[visit.language];
  const until = new Date(visit.now.getTime() + linkDays * dayMs);
  const link = visit.deps.buyerLink(document, until);
  const { whatsapp } = buyerMessage(store, document.orderName, link);
  const mail = { fields: { documento: document.id }, label: words.mail, plain: true };
  return html`<section class="card" aria-labelledby="enlace"><h2 id="enlace">${words.link}</h2>
<p>${words.linkHint(moment(until.toISOString(), visit))}</p>
<label class="heard" for="direccion">${words.linkLabel}</label><input type="text" id="direccion" class="key" readonly value="${link}">
<div class="acts"><button type="button" data-copy="${link}" data-said="copiado" data-done="${words.copied}" hidden>${words.copy}</button>
<a class="button plain" href="${whatsapp}" rel="noreferrer">${words.whatsapp}</a>
${mailsBuyers && actionForm(visit, mailBuyerAction, mail)}</div><p id="copiado" role="status"></p></section>`;
}

const identifyWords = inBoth({
  title: [
    (order: string) => `Identificación para el pedido ${order}`,
    (order: string) => `Identification for order ${order}`,
  ],
  back: ['Volver a los pendientes', 'Back to the pending tasks'],
  kind: ['¿Qué identificación tiene el comprador?', 'Which identification does the buyer have?'],
  kinds: {
    cedula: ['Cédula', 'Cédula'],
    ruc: ['RUC', 'RUC'],
    pasaporte: ['Pasaporte', 'Passport'],
    exterior: ['Del exterior', 'Foreign'],
  },
  id: ['Número', 'Number'],
  idHint: ['La cédula tiene 10 dígitos; el RUC, 13.', 'A cédula has 10 digits, a RUC 13.'],
  name: ['Nombres y apellidos, o razón social', 'Full name, or company name'],
  email: ['Correo para la factura', 'E-mail for the factura'],
  optional: ['(opcional)', '(optional)'],
  submit: ['Guardar y emitir la factura', 'Save and issue the factura'],
  final: [
    'La factura sale apenas lo guarde. Una factura emitida ya no se puede cambiar.',
    'The factura is sent as soon as you save. Once issued it cannot be changed.',
  ],
  fix: ['Falta corregir:', 'To be corrected:'],
  link: ['O que lo ingrese el comprador', 'Or let the buyer enter it'],
  linkHint: [
    (until: Html) =>
      html`Este enlace es solo para este pedido y vence el ${until}. Cópielo y envíeselo al comprador.`,
    (until: Html) =>
      html`This link is for this order alone and expires on ${until}. Copy it and send it to the buyer.`,
  ],
  linkLabel: ['Enlace del comprador', 'The buyer’s link'],
  copy: ['Copiar el enlace', 'Copy the link'],
  copied: ['El enlace quedó copiado.', 'The link was copied.'],
  whatsapp: ['Abrir en WhatsApp', 'Open in WhatsApp'],
  mail: ['Enviar por correo', 'Send by e-mail'],
  over: [
    'Ese pedido ya no necesita la identificación de su comprador.',
    'That order no longer needs its buyer’s identification.',
  ],
});

const noLongerWanted = { to: '', says: identifyWords.es.over, done: false };
