import { z } from 'zod';
import { type Document, type DocumentKind, documentNumber } from '../../../domain/document.ts';
import { type Html, html } from '../../../domain/text.ts';
import { mayTakeNewNumber } from '../../../jobs/retry.ts';
import { flawSummary, invalid } from '../../buyer/form.ts';
import { adoptPage } from '../adopt/page.ts';
import { documentPath, orderPath } from '../document/parts.ts';
import { actionForm, kept, kindName, money } from '../show.ts';
import { command } from '../today/actions.ts';
import {
  inBoth,
  type PanelAction,
  type PanelAnswer,
  type PanelPage,
  type PanelView,
  type Visit,
} from '../visit.ts';

/** `/panel/numero-nuevo/:id`: a person confirms that a sale has no document and releases its number (jobs/retry.ts). */
export const newNumberPage: PanelPage = {
  path: '/numero-nuevo/:id',
  role: 'configure',
  show: (visit) =>
    withStopped(visit, visit.params.id ?? '', async (document) =>
      newNumberView(visit, document, { vouched: false, number: '', flaws: {} }),
    ),
};

const sent = z.object({
  documento: z.string().min(1).max(80),
  respondo: z.string().max(10).catch(''),
  numero: z.string().max(80).catch(''),
});

/** The same command as `facturapuente retry DOCUMENTO --new-number`. */
export const newNumberAction: PanelAction = {
  path: '/numero-nuevo',
  role: 'configure',
  wantsFreshCode: true,
  run(visit, form) {
    const { documento, respondo, numero: number } = sent.parse(form);
    return withStopped(visit, documento, async (document) => {
      const vouched = respondo === 'si';
      const flaws = flawsOf(visit, document, vouched, number);
      if (Object.keys(flaws).length > 0) return newNumberView(visit, document, { vouched, number, flaws });
      // The order's page shows the new document beside the old one; after a refusal, the document's page.
      const asked = { document: document.id, newNumber: true };
      const answer = await command(visit, 'retry', asked, orderPath(document));
      return answer.done ? answer : { ...answer, to: documentPath(document.id) };
    });
  },
};

/** Calls `go` for a document whose number may be released; leads to the page of any other. */
async function withStopped(
  { deps: { ledger } }: Visit,
  id: string,
  go: (document: Document) => Promise<PanelAnswer>,
): Promise<PanelAnswer> {
  const document = await ledger.documents.get(id);
  const says = newNumberWords.es.over;
  if (!document) return { to: '', says, done: false };
  const [attempts, history] = await Promise.all([
    ledger.attempts.ofDocument(document),
    ledger.documents.history(document),
  ]);
  return mayTakeNewNumber(document, { attempts, history })
    ? go(document)
    : { to: documentPath(document.id), says, done: false };
}

/** By the id of the field. */
type Flaws = { respondo?: string; numero?: string };

function flawsOf({ language }: Visit, document: Document, vouched: boolean, number: string): Flaws {
  const words = newNumberWords[language];
  const known = documentNumber(document) ?? '';
  const digits = (text: string) => text.replace(/[\s-]/g, '');
  return {
    ...(!vouched && { respondo: words.notVouched }),
    ...(digits(number) !== digits(known) && { numero: words.otherNumber(known) }),
  };
}

/** What a person wrote, and what is wrong with it. */
interface Filled {
  vouched: boolean;
  number: string;
  flaws: Flaws;
}

/** The consequences, and the form in which the person accepts them. */
function newNumberView(visit: Visit, document: Document, filled: Filled): PanelView {
  const words = newNumberWords[visit.language];
  const number = documentNumber(document) ?? '';
  const { kind, reason } = document;
  const flaws = Object.entries(filled.flaws);
  return {
    title: words.title(document.orderName),
    status: flaws.length > 0 ? 422 : 200,
    above: html`<p><a href="${visit.at(documentPath(document.id))}">${words.back}</a></p>`,
    body: html`<ul class="facts"><li>${kindName(document, visit.language)} ${number}</li><li>${money(document.charged)}</li><li>${document.storeId}</li></ul>
${flaws.length > 0 && flawSummary('notice bad', words.fix, flaws)}
<div class="card narrow">${reason !== null && html`<blockquote>${kept(reason)}</blockquote>`}
<h2>${words.before}</h2><p>${words.look(number)}</p>
<p>${words.ifFound(kind)} <a href="${visit.at(adoptPage.path.replace(':id', document.id))}">${words.adopt}</a>.</p>
<h2>${words.answers}</h2><ul class="said"><li>${words.twice(kind)}</li><li>${words.asked}</li><li>${words.gap(number)}</li><li>${words.kept(visit.user)}</li></ul>
${actionForm(visit, newNumberAction, {
  fields: { documento: document.id },
  label: words.submit,
  kind: 'entry',
  body: fields(visit, document, number, filled),
})}</div>`,
  };
}

/** No field is filled in advance: the person confirms and types the number. */
function fields(
  { language }: Visit,
  { kind }: Document,
  known: string,
  { vouched, number, flaws }: Filled,
): Html {
  const words = newNumberWords[language];
  return html`<label class="check"><input type="checkbox" id="respondo" name="respondo" value="si" required${vouched && html` checked`}${invalid(flaws.respondo)}> <span>${words.vouch(kind)}</span></label>
<div><label for="numero">${words.number}</label>
<input type="text" id="numero" name="numero" class="key" value="${number}" autocomplete="off" spellcheck="false" maxlength="40" required aria-describedby="numero-ayuda"${invalid(flaws.numero)}>
<p class="hint" id="numero-ayuda">${words.hint(known)}</p></div>`;
}

const sales: Record<DocumentKind, string> = { factura: 'esta venta', 'nota-credito': 'este reembolso' };
const salesInEnglish: Record<DocumentKind, string> = { factura: 'this sale', 'nota-credito': 'this refund' };

const newNumberWords = inBoth({
  title: [
    (order: string) => `Otro número para el pedido ${order}`,
    (order: string) => `Another number for order ${order}`,
  ],
  back: ['Volver al documento', 'Back to the document'],
  before: ['Antes de autorizar', 'Before you confirm'],
  look: [
    (number: string) =>
      `No se sabe si un envío con el número ${number} fue autorizado. Búsquelo en el panel del servicio y en el portal del SRI, por ese número y también por el comprador, el monto y el día.`,
    (number: string) =>
      `It is unknown whether an attempt with the number ${number} was authorised. Look for it in the panel of the service and on the SRI’s site, by that number and also by buyer, amount and day.`,
  ],
  ifFound: [
    (kind: DocumentKind) => `Si encuentra un comprobante de ${sales[kind]}, no pida otro número:`,
    (kind: DocumentKind) =>
      `If you find a document of ${salesInEnglish[kind]}, do not ask for another number:`,
  ],
  adopt: ['ingrese su clave de acceso', 'enter its access key'],
  answers: ['De qué se hace responsable', 'What you take responsibility for'],
  twice: [
    (kind: DocumentKind) =>
      `Si el comprobante existe de todos modos, ${sales[kind]} queda dos veces ante el SRI. El sistema no puede anular ninguno de los dos: eso se hace a mano en el portal del SRI, si todavía se puede.`,
    (kind: DocumentKind) =>
      `If the document exists all the same, ${salesInEnglish[kind]} is declared twice. The system can annul neither: that is done by hand on the SRI’s site, if still possible.`,
  ],
  asked: [
    'Antes de asignar el número se consulta una vez más al servicio por todo lo que se conoce de este documento. Si algo puede ser suyo, no se hace nada y se le indica por qué.',
    'Before the number is assigned, the service is asked once more about everything known of this document. If anything may be ours, nothing is done, and the page says why.',
  ],
  gap: [
    (number: string) =>
      `El número ${number} queda sin usar, con su motivo, y eso no se puede deshacer. El pedido toma otro de la serie.`,
    (number: string) =>
      `The number ${number} stays unused, with its reason, and that cannot be undone. The order takes another one of the series.`,
  ],
  kept: [
    (who: string) =>
      `Quién lo autorizó (${who}), cuándo y la respuesta del servicio quedan en el historial del documento y en la auditoría.`,
    (who: string) =>
      `Who confirmed it (${who}), when, and the service’s answer are kept in the document’s timeline and in the audit log.`,
  ],
  vouch: [
    (kind: DocumentKind) =>
      `Busqué en el panel del servicio y en el portal del SRI, y me hago responsable: ${sales[kind]} no tiene ningún comprobante.`,
    (kind: DocumentKind) =>
      `I have looked in the panel of the service and on the SRI’s site, and I take responsibility: ${salesInEnglish[kind]} has no document.`,
  ],
  number: ['Número que se deja sin usar', 'The number that stays unused'],
  hint: [
    (number: string) => `Escríbalo usted: ${number}.`,
    (number: string) => `Type it yourself: ${number}.`,
  ],
  submit: ['Autorizar y facturar con otro número', 'Confirm and take another number'],
  fix: ['No se hizo nada todavía:', 'Nothing was done yet:'],
  notVouched: [
    'Marque que buscó el comprobante y que se hace responsable; sin eso no se asigna otro número.',
    'Tick that there is no document and that you take responsibility; no other number is assigned without that.',
  ],
  otherNumber: [
    (number: string) => `Lo escrito no es el número de este documento, ${number}.`,
    (number: string) => `What you wrote is not this document’s number, ${number}.`,
  ],
  over: [
    'Ese documento no necesita otro número, o ya no.',
    'That document does not need another number, or no longer.',
  ],
});
