import { z } from 'zod';
import { type Document, documentNumber } from '../../../domain/document.ts';
import { mayTakeNewNumber } from '../../../jobs/retry.ts';
import { orderPath } from '../document/facts.ts';
import type { PanelAction, PanelAnswer, PanelPage, Visit } from '../visit.ts';
import { newNumberView, unwritten, type Vouched } from './form.ts';
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
