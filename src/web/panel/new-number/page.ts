import { z } from 'zod';
import { type Document, type DocumentKind, documentNumber } from '../../../domain/document.ts';
import { type Html, html } from '../../../domain/html.ts';
import { mayTakeNewNumber } from '../../../jobs/retry.ts';
import { adoptPage } from '../adopt/page.ts';
import { orderPath } from '../document/facts.ts';
import { actionForm } from '../forms.ts';
import { kept, kindName, money } from '../show.ts';
import type { PanelAction, PanelAnswer, PanelPage, PanelView, Visit } from '../visit.ts';
import { inBoth } from '../words.ts';

/** `/panel/numero-nuevo/:id`: a person answers for it that a sale has no document (jobs/retry.ts). */
export const newNumberPage: PanelPage = {
  path: '/numero-nuevo/:id',
  role: 'configure',
  show: (visit) =>
    withStopped(visit, visit.params.id ?? '', async (document) =>
      newNumberView(visit, newNumberAction, document, unwritten),
    ),
};

const sent = z.object({
  documento: z.string().min(1).max(80),
  respondo: z.string().max(10).catch(''),
  numero: z.string().max(80).catch(''),
});

/** The same command as `facturapuente retry DOCUMENTO --numero-nuevo`. */
export const newNumberAction: PanelAction = {
  path: '/numero-nuevo',
  role: 'configure',
  wantsFreshCode: true,
  run(visit, form) {
    const { documento, respondo, numero: number } = sent.parse(form);
    return withStopped(visit, documento, async (document) => {
      const vouched = respondo === 'si';
      const flaws = flawsOf(visit, document, { vouched, number });
      if (Object.keys(flaws).length > 0)
        return newNumberView(visit, newNumberAction, document, { vouched, number, flaws });
      const asked = { document: document.id, newNumber: true, by: visit.by };
      const answer = await visit.deps.commands.run('retry', asked);
      const done = answer?.done ?? false;
      // The new document stands beside the old one on the order's page; a refusal, beside what else can be done.
      return { to: done ? orderPath(document) : storyOf(document), says: answer?.says ?? '', done };
    });
  },
};

/** Only for a document whose number cannot simply leave again; what became of any other is told by its story. */
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
    : { to: storyOf(document), says, done: false };
}

const storyOf = ({ id }: Document): string => `/documento/${id}`;

function flawsOf(
  { language }: Visit,
  document: Document,
  { vouched, number }: Pick<Vouched, 'vouched' | 'number'>,
): Vouched['flaws'] {
  const words = newNumberWords[language];
  const known = documentNumber(document) ?? '';
  const digits = (text: string) => text.replace(/[\s-]/g, '');
  return {
    ...(!vouched && { vouched: words.notVouched }),
    ...(digits(number) !== digits(known) && { number: words.otherNumber(known) }),
  };
}

/** What a person wrote, and what of it will not do. */
interface Vouched {
  vouched: boolean;
  number: string;
  flaws: { vouched?: string; number?: string };
}

const unwritten: Vouched = { vouched: false, number: '', flaws: {} };

/** What the person answers for, and the form that says so. What was found wrong comes back as it was written. */
function newNumberView(visit: Visit, action: PanelAction, document: Document, filled: Vouched): PanelView {
  const words = newNumberWords[visit.language];
  const number = documentNumber(document) ?? '';
  const { kind, reason } = document;
  const bad = Object.keys(filled.flaws).length > 0;
  const adoptPath = visit.at(adoptPage.path.replace(':id', document.id));
  return {
    title: words.title(document.orderName),
    status: bad ? 422 : 200,
    above: html`<p><a href="${visit.at(`/documento/${document.id}`)}">${words.back}</a></p>`,
    body: html`<ul class="facts"><li>${kindName(document, visit.language)} ${number}</li><li>${money(document.charged)}</li><li>${document.storeId}</li></ul>
${bad && summary(words.fix, filled.flaws)}
<div class="card narrow">${reason !== null && html`<blockquote>${kept(reason)}</blockquote>`}
<h2>${words.before}</h2><p>${words.look(number)}</p>
<p>${words.ifFound(kind)} <a href="${adoptPath}">${words.adopt}</a>.</p>
<h2>${words.answers}</h2><ul class="said"><li>${words.twice(kind)}</li><li>${words.asked}</li><li>${words.gap(number)}</li><li>${words.kept(visit.user)}</li></ul>
${actionForm(visit, action, {
  fields: { documento: document.id },
  label: words.submit,
  kind: 'entry',
  body: fields(visit, document, number, filled),
})}</div>`,
  };
}

const ids = { vouched: 'respondo', number: 'numero' } as const;

function summary(title: string, flaws: Vouched['flaws']): Html {
  const entries = Object.entries(flaws) as [keyof typeof ids, string][];
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus><p>${title}</p><ul>${entries.map(
    ([field, says]) => html`<li><a href="#${ids[field]}">${says}</a></li>`,
  )}</ul></div>`;
}

const invalid = (says: string | undefined) => says !== undefined && html` aria-invalid="true"`;

/** No field is filled in for the person: the word and the number are theirs. */
function fields(
  { language }: Visit,
  { kind }: Document,
  known: string,
  { vouched, number, flaws }: Vouched,
): Html {
  const words = newNumberWords[language];
  return html`<label class="check"><input type="checkbox" id="respondo" name="respondo" value="si" required${vouched && html` checked`}${invalid(flaws.vouched)}> <span>${words.vouch(kind)}</span></label>
<div><label for="numero">${words.number}</label>
<input type="text" id="numero" name="numero" class="key" value="${number}" autocomplete="off" spellcheck="false" maxlength="40" required aria-describedby="numero-ayuda"${invalid(flaws.number)}>
<p class="hint" id="numero-ayuda">${words.hint(known)}</p></div>`;
}

const sales: Record<DocumentKind, string> = { factura: 'esta venta', 'nota-credito': 'este reembolso' };
const salesInEnglish: Record<DocumentKind, string> = { factura: 'this sale', 'nota-credito': 'this refund' };

const newNumberWords = inBoth(
  {
    title: (order: string) => `Número nuevo para el pedido ${order}`,
    back: 'Volver al documento',
    before: 'Antes de responder',
    look: (number: string) =>
      `No se sabe si un envío con el número ${number} fue autorizado. Búsquelo en el panel del servicio y en el portal del SRI, por ese número y también por el comprador, el monto y el día.`,
    ifFound: (kind: DocumentKind) => `Si encuentra un comprobante de ${sales[kind]}, no pida otro número:`,
    adopt: 'dé su clave de acceso',
    answers: 'De qué responde usted',
    twice: (kind: DocumentKind) =>
      `Si el comprobante existe de todos modos, ${sales[kind]} queda dos veces ante el SRI. El sistema no puede anular ninguno de los dos: eso se hace a mano en el portal del SRI, si todavía se puede.`,
    asked:
      'Antes de dar el número se pregunta una vez más al servicio por todo lo que se conoce de este documento. Si algo puede ser suyo, no se hace nada y se le dice por qué.',
    gap: (number: string) =>
      `El número ${number} queda sin usar, con su motivo, y eso no se puede deshacer. El pedido toma otro de la serie.`,
    kept: (who: string) =>
      `Quién respondió (${who}), cuándo y lo que dijo el servicio quedan en la historia del documento y en el registro.`,
    vouch: (kind: DocumentKind) =>
      `Busqué en el panel del servicio y en el portal del SRI, y respondo por ello: ${sales[kind]} no tiene ningún comprobante.`,
    number: 'Número que se deja sin usar',
    hint: (number: string) => `Escríbalo usted: ${number}.`,
    submit: 'Responder y facturar con otro número',
    fix: 'No se hizo nada todavía:',
    notVouched: 'Marque que buscó el comprobante y que responde por ello; sin eso no se da otro número.',
    otherNumber: (number: string) => `Lo escrito no es el número de este documento, ${number}.`,
    over: 'Ese documento no necesita un número nuevo, o ya no.',
  },
  {
    title: (order: string) => `New number for order ${order}`,
    back: 'Back to the document',
    before: 'Before you answer for it',
    look: (number: string) =>
      `Nobody knows whether something sent under the number ${number} was authorised. Look for it in the panel of the service and on the SRI’s site, by that number and also by buyer, amount and day.`,
    ifFound: (kind: DocumentKind) =>
      `If you find a document of ${salesInEnglish[kind]}, do not ask for another number:`,
    adopt: 'give its access key',
    answers: 'What you answer for',
    twice: (kind: DocumentKind) =>
      `Should the document exist all the same, ${salesInEnglish[kind]} stands twice with the SRI. The system can void neither: that is done by hand on the SRI’s site, if it still can be.`,
    asked:
      'Before the number is given, the service is asked once more about everything that is known of this document. If anything may be ours, nothing is done, and you are told why.',
    gap: (number: string) =>
      `The number ${number} stays unused, with its reason, and that cannot be taken back. The order takes another one of the series.`,
    kept: (who: string) =>
      `Who answered for it (${who}), when, and what the service said are kept in the document’s history and in the audit log.`,
    vouch: (kind: DocumentKind) =>
      `I have looked in the panel of the service and on the SRI’s site, and I answer for it that ${salesInEnglish[kind]} has no document.`,
    number: 'The number that stays unused',
    hint: (number: string) => `Type it yourself: ${number}.`,
    submit: 'Answer for it and take another number',
    fix: 'Nothing was done yet:',
    notVouched:
      'Tick that there is no document and that you answer for it; no other number is given without that.',
    otherNumber: (number: string) => `What you wrote is not this document’s number, ${number}.`,
    over: 'That document does not need a new number, or no longer.',
  },
);
