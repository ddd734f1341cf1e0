import { z } from 'zod';
import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { Order } from '../../../domain/order.ts';
import type { Store } from '../../../domain/settings.ts';
import { isAsked } from '../../../jobs/buyer/ask-buyer.ts';
import { type AnswerFlaws, type GivenAnswer, readAnswer } from '../../../planner/identity/answer.ts';
import { actionForm } from '../forms.ts';
import { kept, moment, money } from '../show.ts';
import { command, mailBuyerAction } from '../today/actions.ts';
import type { PanelAction, PanelAnswer, PanelPage, PanelView, Visit } from '../visit.ts';
import { inBoth } from '../words.ts';

/** An order that waits for what only its buyer can say. */
export interface Wanted {
  document: Document;
  order: Order;
  store: Store;
}

/** `/panel/identificacion/:id`: a person of the shop gives what only the buyer could say, or gets the buyer's link. */
export const identifyPage: PanelPage = {
  path: '/identificacion/:id',
  role: 'operate',
  async show(visit) {
    const wanted = await findWanted(visit, visit.params.id ?? '');
    if (!wanted) return { to: '', says: identifyWords.es.over, done: false };
    return identifyView(visit, identifyAction, wanted, { given: nothing, flaws: {} });
  },
};

const nothing: GivenAnswer = { type: 'cedula', id: '', name: '', email: '' };
const text = z.string().max(400).catch('');
const sent = z.object({
  documento: z.string().min(1).max(80),
  tipo: z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().catch(null),
  identificacion: text,
  nombre: text,
  correo: text,
});

export const identifyAction: PanelAction = {
  path: '/identificacion',
  role: 'operate',
  async run(visit, form): Promise<PanelAnswer> {
    const { documento, tipo: type, identificacion: id, nombre: name, correo: email } = sent.parse(form);
    const wanted = await findWanted(visit, documento);
    if (!wanted) return { to: '', says: identifyWords.es.over, done: false };
    const given = { type, id, name, email };
    const flaws = flawsOf(given, wanted.order);
    if (flaws) return identifyView(visit, identifyAction, wanted, { given, flaws });
    return command(visit, 'identify', { document: documento, ...given }, '');
  },
};

function flawsOf(given: GivenAnswer, order: Order): AnswerFlaws | null {
  const read = readAnswer(given, order);
  return read.ok ? null : read.flaws;
}

async function findWanted({ deps }: Visit, id: string): Promise<Wanted | null> {
  const document = await deps.ledger.documents.get(id);
  if (!document || !isAsked(document)) return null;
  const store = [...deps.settings.stores.values()].find(
    ({ platform, shop }) => platform.name === document.platform && shop === document.shop,
  );
  const order = (await deps.ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  return store && order ? { document, order, store } : null;
}

interface Filled {
  given: GivenAnswer;
  flaws: AnswerFlaws;
}

/** The form, and the buyer's own link beside it. Names and numbers that were found wrong come back as written. */
function identifyView(visit: Visit, action: PanelAction, wanted: Wanted, filled: Filled): PanelView {
  const words = identifyWords[visit.language];
  const { document } = wanted;
  const bad = Object.keys(filled.flaws).length > 0;
  return {
    title: words.title(document.orderName),
    status: bad ? 422 : 200,
    scripts: ['identificacion.js'],
    above: html`<p><a href="${visit.at('')}">${words.back}</a></p>`,
    body: html`<ul class="facts"><li>${money(document.charged)}</li><li>${wanted.store.issuer.nombre_comercial}</li></ul>
${bad && summary(words.fix, filled.flaws)}
<div class="two"><section class="card" aria-label="${words.submit}">${document.reason !== null && kept(document.reason)}
${actionForm(visit, action, { fields: { documento: document.id }, label: words.submit, body: fields(visit, filled), kind: 'entry', live: true })}
<p class="hint">${words.final}</p></section>
${linkCard(visit, wanted)}</div>`,
  };
}

const ids = { type: 'tipo-cedula', id: 'identificacion', name: 'nombre', email: 'correo' } as const;

function summary(title: string, flaws: AnswerFlaws): Html {
  const entries = Object.entries(flaws) as [keyof AnswerFlaws, string][];
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus><p>${title}</p><ul>${entries.map(
    ([field, says]) => html`<li><a href="#${ids[field]}" lang="es">${says}</a></li>`,
  )}</ul></div>`;
}

const flaw = (says: string | undefined, id: string, live = false): Html =>
  html`<p class="flaw" id="${id}" lang="es"${live && html` aria-live="polite"`}>${says}</p>`;
const invalid = (says: string | undefined): Piece => says !== undefined && html` aria-invalid="true"`;

function fields(visit: Visit, { given, flaws }: Filled): Html {
  const words = identifyWords[visit.language];
  const kinds = Object.entries(words.kinds);
  return html`<fieldset><legend>${words.kind}</legend><div class="kinds">${kinds.map(
    ([value, name]) =>
      html`<label><input type="radio" name="tipo" id="tipo-${value}" value="${value}"${given.type === value && html` checked`} required> ${name}</label>`,
  )}</div>${flaw(flaws.type, 'tipo-reparo')}</fieldset>
<div><label for="identificacion">${words.id}</label>
<input type="text" id="identificacion" name="identificacion" value="${given.id}" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" required aria-describedby="identificacion-ayuda identificacion-reparo"${invalid(flaws.id)}>
<p class="hint" id="identificacion-ayuda">${words.idHint}</p>${flaw(flaws.id, 'identificacion-reparo', true)}</div>
<div><label for="nombre">${words.name}</label>
<input type="text" id="nombre" name="nombre" value="${given.name}" maxlength="300" autocomplete="off" required aria-describedby="nombre-reparo"${invalid(flaws.name)}>
${flaw(flaws.name, 'nombre-reparo')}<p class="hint" id="sugerencia" role="status"></p></div>
<div><label for="correo">${words.email} <span class="soft">${words.optional}</span></label>
<input type="email" id="correo" name="correo" value="${given.email}" maxlength="300" autocomplete="off" aria-describedby="correo-reparo"${invalid(flaws.email)}>
${flaw(flaws.email, 'correo-reparo')}</div>`;
}

const dayMs = 24 * 60 * 60_000;

/** A fresh link, as `facturapuente identification-link` gives it; only where the store asks its buyers. */
function linkCard(visit: Visit, { document, store }: Wanted): Html | null {
  const { ask, linkDays } = store.policy.buyer;
  if (!ask) return null;
  const words = identifyWords[visit.language];
  const until = new Date(visit.now.getTime() + linkDays * dayMs);
  const link = visit.deps.buyerLink(document, until);
  const text = `Hola, le escribimos de ${store.issuer.nombre_comercial}. Para emitir la factura de su pedido ${document.orderName} hace falta su cédula, RUC o pasaporte. Escríbalo aquí: ${link}`;
  const mail = { fields: { documento: document.id }, label: words.mail, plain: true };
  return html`<section class="card" aria-labelledby="enlace"><h2 id="enlace">${words.link}</h2>
<p>${words.linkHint(moment(until.toISOString(), visit))}</p>
<label class="heard" for="direccion">${words.linkLabel}</label><input type="text" id="direccion" class="key" readonly value="${link}">
<div class="acts"><button type="button" data-copy="${link}" data-said="copiado" data-done="${words.copied}" hidden>${words.copy}</button>
<a class="button plain" href="https://wa.me/?text=${encodeURIComponent(text)}" rel="noreferrer">${words.whatsapp}</a>
${store.policy.buyer.mail && actionForm(visit, mailBuyerAction, mail)}</div><p id="copiado" role="status"></p></section>`;
}

const identifyWords = inBoth(
  {
    title: (order: string) => `Identificación para el pedido ${order}`,
    back: 'Volver a lo que espera',
    reason: 'Por qué se detuvo',
    kind: '¿Qué identificación tiene el comprador?',
    kinds: { cedula: 'Cédula', ruc: 'RUC', pasaporte: 'Pasaporte', exterior: 'Del exterior' },
    id: 'Número',
    idHint: 'La cédula tiene 10 dígitos; el RUC, 13.',
    name: 'Nombres y apellidos, o razón social',
    email: 'Correo para la factura',
    optional: '(opcional)',
    submit: 'Guardar y emitir la factura',
    final: 'La factura sale apenas lo guarde. Una factura emitida ya no se puede cambiar.',
    fix: 'Falta corregir:',
    link: 'O que lo escriba el comprador',
    linkHint: (until: Html) =>
      html`Este enlace es solo para este pedido y vence el ${until}. Cópielo y envíeselo por el medio que use con él.`,
    linkLabel: 'Enlace del comprador',
    copy: 'Copiar el enlace',
    copied: 'El enlace quedó copiado.',
    whatsapp: 'Abrir en WhatsApp',
    mail: 'Enviar por correo',
    over: 'Ese pedido ya no espera la identificación de su comprador.',
  },
  {
    title: (order: string) => `Identification for order ${order}`,
    back: 'Back to what waits',
    reason: 'Why it was stopped',
    kind: 'Which identification does the buyer have?',
    kinds: { cedula: 'Cédula', ruc: 'RUC', pasaporte: 'Passport', exterior: 'Foreign' },
    id: 'Number',
    idHint: 'A cédula has 10 digits, a RUC 13.',
    name: 'Full name, or company name',
    email: 'E-mail for the factura',
    optional: '(optional)',
    submit: 'Save and issue the factura',
    final: 'The factura leaves as soon as you save. Once issued it cannot be changed.',
    fix: 'To be corrected:',
    link: 'Or let the buyer write it',
    linkHint: (until: Html) =>
      html`This link is for this order alone and ends on ${until}. Copy it and send it the way you talk to the buyer.`,
    linkLabel: 'The buyer’s link',
    copy: 'Copy the link',
    copied: 'The link was copied.',
    whatsapp: 'Open in WhatsApp',
    mail: 'Send by e-mail',
    over: 'That order no longer waits for its buyer’s identification.',
  },
);
