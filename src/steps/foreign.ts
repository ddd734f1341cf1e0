import { type Attempt, type Document, documentNumber } from '../core/document.ts';
import type { DocumentPatch } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Comparison } from './compare-stored.ts';
import type { StepDeps } from './deps.ts';
import { flowAgain } from './flow-again.ts';
import { askCatchUp, meetStored, numberOfAnother } from './older-ledger/meet.ts';
import { maybeOurs, storedDiffers } from './sentences.ts';
import { takenAlert, takenBySomebody } from './series-stop.ts';
import { showStopped } from './wake-order.ts';

/**
 * A document that is none of our attempts' holds our number. Somebody else's: the series gives no more numbers until a
 * person has looked. One of ours that the ledger lost: it is found out what else is (older-ledger/meet.ts). One that names
 * this very sale with another buyer or total: a person compares them. Answers what the document says of it.
 */
export async function stopSeries(
  deps: StepDeps,
  document: Document,
  foreignKey: string | null,
  compared?: Comparison,
): Promise<DocumentPatch> {
  if (compared?.agreement === 'foreign' && foreignKey !== null) {
    if (compared.named)
      return { accessKey: null, code: 'stored-differs', reason: storedDiffers(document, foreignKey) };
    const { stored } = compared;
    const { account, keyHash } = document;
    const whose = await meetStored(deps, { accessKey: foreignKey, stored, account, keyHash });
    if (whose === 'noted')
      return { accessKey: null, code: 'ledger-older', reason: numberOfAnother(document) };
    // The same sale, under a former name of its shop or another ordinal.
    if (whose === 'own')
      return { accessKey: null, code: 'stored-differs', reason: storedDiffers(document, foreignKey) };
  }
  const store = deps.storeOf(document.platform, document.shop);
  // Whose it is cannot be read yet: it may be one of ours that the ledger lost.
  if (compared?.agreement === 'provisional' && store)
    await askCatchUp(deps.ledger, document, { ...document, store }, deps.clock.now());
  const number = documentNumber(document) ?? '';
  const stop = takenBySomebody(document);
  const { reason } = stop;
  await deps.ledger.sequences.stop(document, stop, deps.clock.now());
  deps.log.error(
    { store: document.storeId, number, foreignKey },
    'A foreign document holds our number; the series is stopped',
  );
  await deps.alerts.raise(takenAlert(document, stop));
  return { accessKey: null, code: 'foreign-number', reason };
}

/**
 * Stops it once more in the COMMIT that calls the document foreign: another document of the series may have proven ours
 * since, and let it flow again.
 */
export async function keepStopped(
  { sequences }: Pick<Tables, 'sequences'>,
  document: Document,
  now: Date,
): Promise<void> {
  if (document.code === 'foreign-number') await sequences.stop(document, takenBySomebody(document), now);
}

/**
 * A key that was adopted is somebody else's: its XML was read and says so, or the service never shows it to us (`unseen`).
 * One that was never seen stays known, and a person is told that it may be ours all the same.
 */
export async function disown(
  deps: StepDeps,
  document: Document,
  attempt: Attempt,
  as: 'read' | 'unseen',
  compared?: Comparison,
): Promise<void> {
  const stopped = await stopSeries(deps, document, attempt.accessKey, compared);
  const isUnseen = as === 'unseen';
  const patch = isUnseen ? { ...stopped, reason: `${stopped.reason} ${maybeOurs(document)}` } : stopped;
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    await tables.attempts.end(attempt.id, {
      outcome: 'refused',
      ...(isUnseen ? {} : { accessKey: null }),
      now,
    });
    const from = ['sending', 'processing', 'uncertain'] as const;
    const moved = await tables.documents.move(document.id, {
      from,
      to: 'manual',
      patch,
      note: { cause: 'foreign key', foreignKey: attempt.accessKey },
      now,
    });
    if (moved) {
      await keepStopped(tables, moved, now);
      await showStopped(tables, moved, now);
    }
    // Somebody told meanwhile that it is ours.
    else await flowAgain(deps, tables, document, now);
  });
}
