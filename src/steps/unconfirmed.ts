import type { Document, DocumentState } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import { owner } from '../core/scope.ts';
import { isShadowShop } from '../core/shadow.ts';
import type { HistoryEntry } from '../ledger/document-tables.ts';
import type { StepDeps } from './deps.ts';
import { knownUnsent } from './not-found.ts';
import { unconfirmed } from './sentences.ts';

/** What a document says that is only on its way, and may be told better. */
const passing: readonly (string | null)[] = [null, 'answer-lost', 'key-unexpected'];

/** What the history keeps of a document that nothing was learned of. */
const noNews = new Set(['no final state', 'not found', 'found', knownUnsent]);
const inDoubt: readonly (DocumentState | null)[] = ['sending', 'uncertain'];

/**
 * A document of which nothing was learned for a day, though it was asked about, or its number repeated, all the time:
 * the document says so, and people are told. The questions go on, and its end ends the alert (announce.ts).
 */
export async function tellUnconfirmed(deps: StepDeps, id: string): Promise<void> {
  const { ledger, clock, timings } = deps;
  const document = await ledger.documents.get(id);
  if (!document || (document.state !== 'processing' && document.state !== 'uncertain')) return;
  const now = clock.now();
  const isOld = (instant: string) => Date.parse(instant) + timings.unconfirmed <= now.getTime();
  if (!isOld(document.createdAt)) return;
  if (!isOld(lastNews(await ledger.documents.history(id)) ?? document.createdAt)) return;
  const { state } = document;
  const patch = { code: 'unconfirmed', reason: unconfirmed(document) };
  const note: MoveNote = { cause: 'no final state' };
  const moved = passing.includes(document.code)
    ? await ledger.documents.move(id, { from: [state], to: state, patch, note, now })
    : document;
  if (moved && !isShadowShop(moved.shop)) await deps.alerts.raise(alertOf(moved));
}

/**
 * The same number sent once more, and lost once more, tells nothing, also where the service says in between that it knows
 * nothing of it; nor does an answer that changes to and fro.
 */
const lastNews = (history: readonly HistoryEntry[]): string | undefined =>
  history.findLast(({ from, to, note }, n) => {
    const before = history[n - 1];
    const isRepeat =
      inDoubt.includes(to) && (inDoubt.includes(from) || causeOf(before?.note) === knownUnsent);
    return !isRepeat && !noNews.has(causeOf(note));
  })?.at;

const causeOf = (note: unknown): string => String((note as { cause?: string } | null | undefined)?.cause);

const alertOf = ({ id, platform, shop, orderName, reason }: Document) => ({
  code: 'document-unconfirmed',
  subject: id,
  about: owner.shop({ platform, shop }),
  what: `Pedido ${orderName}: ${reason}`,
  cure: 'Búsquelo en el panel del servicio o en el portal del SRI; lo que el servicio diga después se reconoce solo.',
});
