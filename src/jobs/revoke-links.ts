import type { Clock } from '../domain/clock.ts';
import type { Document } from '../domain/document.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { askWriteBack } from './ask.ts';

/**
 * Ends every link to the document that was ever given out; its order gets new ones. Answers the version the new ones
 * bear.
 */
export function revokeLinks(
  { ledger, clock }: { ledger: Ledger; clock: Clock },
  document: Document,
): Promise<number> {
  const now = clock.now();
  return ledger.transaction(async (tables) => {
    const version = await tables.linkVersions.revoke(document.id, now);
    if (document.state === 'authorized') await askWriteBack(tables, document, now);
    return version;
  });
}
