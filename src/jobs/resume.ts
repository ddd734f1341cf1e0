import type { Document } from '../domain/document.ts';
import type { WorkRequest } from '../domain/work.ts';
import { jobOf } from '../protocol/idle.ts';
import { documentWork, kindOf } from './ask.ts';
import type { StepDeps } from './deps.ts';

const atOnce = 500;

/**
 * Asks for the work of every document on its way that has none: nothing else would ever move it. None should be; but an
 * older version dropped the work of stores it did not know, and a store that comes back finds its documents again.
 * Those of stores this process does not know wait for it. Answers how many.
 */
export async function resumeOpen(
  deps: Pick<StepDeps, 'ledger' | 'clock' | 'log' | 'storeOf'>,
): Promise<number> {
  const { ledger, clock, log, storeOf } = deps;
  let resumed = 0;
  for (let after = ''; ; ) {
    const found = await ledger.openDocuments.withoutWork(after, atOnce);
    const known = found.filter(({ platform, shop }) => storeOf(platform, shop));
    const now = clock.now();
    await ledger.work.ensure(known.map((document) => nextOf(document, now)));
    resumed += known.length;
    after = found.at(-1)?.id ?? after;
    if (found.length < atOnce) break;
  }
  if (resumed > 0) log.warn({ documents: resumed }, 'Documents on their way had no work; they go on');
  return resumed;
}

/** The job that finds out by itself what is to be done next. */
const nextOf = (document: Document, now: Date): WorkRequest =>
  documentWork(kindOf[jobOf(document) ?? 'follow-up'], document, now);
