import { done, type Step } from '../domain/work.ts';
import type { StepDeps } from './deps.ts';
import { fetchFile } from './document-file.ts';
import { serviceOf } from './issued.ts';
import { storeOfDocument } from './unknown-store.ts';

/**
 * Keeps the PDF and the XML of an authorised document in the ledger, so that its links work while the service is away.
 * Nothing waits for it, and a door that is asked first keeps what it fetched.
 */
export function keepFiles(deps: StepDeps): Step {
  return async (work) => {
    const { ledger, clock } = deps;
    const document = await ledger.documents.get(work.subject);
    if (document?.state !== 'authorized' || document.accessKey === null) return done;
    if (deps.keepBytes === 0) return done;
    const store = storeOfDocument(deps, document);
    const kept = await ledger.files.kinds(document.id);
    const calls = serviceOf(deps, document, store).calls(work);
    for (const kind of ['pdf', 'xml'] as const) {
      if (kept.includes(kind)) continue;
      const bytes = await fetchFile(deps, calls, { ...document, accessKey: document.accessKey }, kind, true);
      if (bytes === null) return later(document.updatedAt, clock.now());
    }
    return done;
  };
}

const hour = 60 * 60_000;

/** As long again as the document is old, from five minutes to a day; after a week the door fetches what is asked for. */
function later(since: string, now: Date): Awaited<ReturnType<Step>> {
  const age = now.getTime() - Date.parse(since);
  if (age > 7 * 24 * hour) return done;
  const wait = Math.min(Math.max(age, hour / 12), 24 * hour);
  return { kind: 'again', dueAt: new Date(now.getTime() + wait), reason: 'the files cannot be read yet' };
}
