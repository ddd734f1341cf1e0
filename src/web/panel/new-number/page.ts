import { z } from 'zod';
import { type Document, documentNumber } from '../../../domain/document.ts';
import { type Html, html } from '../../../domain/html.ts';
import { mayTakeNewNumber } from '../../../jobs/retry.ts';
import { adoptPage } from '../adopt/page.ts';
import { orderPath } from '../document/facts.ts';
import { actionForm } from '../forms.ts';
import { kept, kindName, money } from '../show.ts';
import type { PanelAction, PanelAnswer, PanelPage, PanelView, Visit } from '../visit.ts';
import { newNumberWords } from './words.ts';

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
