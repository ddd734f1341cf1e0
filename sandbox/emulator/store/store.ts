import type { Account } from '../accounts/accounts.ts';
import type { StoredDocument } from '../emission/documents.ts';
import type { Delivery } from '../webhooks/deliveries.ts';
import { openAccountWriter } from './account-writer.ts';
import { openJournal } from './journal.ts';

/** Where the sandbox keeps what must outlive it. */
export interface Store {
  /** What an earlier sandbox left behind. */
  documents: readonly StoredDocument[];
  accounts: readonly Account[];
  deliveries: readonly Delivery[];
  /** The time it had when it was last moved; null when it never was. */
  clock: KeptClock | null;
  keepDocument(document: StoredDocument): void;
  keepAccount(account: Account): void;
  /** Null forgets it. */
  keepDelivery(entrega: string, delivery: Delivery | null): void;
  keepClock(clock: KeptClock): void;
  clear(): void;
  close(): void;
}

/** At the real instant `real` the clock showed `shown`, both epoch milliseconds, and ran at `rate`. */
export interface KeptClock {
  real: number;
  shown: number;
  rate: number;
}

/** In a data directory, or nowhere when there is none. Throws as `openJournal` does. */
export function openStore(directory: string | undefined): Store {
  if (directory === undefined) {
    return {
      documents: [],
      accounts: [],
      deliveries: [],
      clock: null,
      keepDocument() {},
      keepAccount() {},
      keepDelivery() {},
      keepClock() {},
      clear() {},
      close() {},
    };
  }
  const journal = openJournal(directory);
  const kept = openAccountWriter(journal);
  const dirty = new Set<Account>();
  let scheduled: NodeJS.Immediate | undefined;
  const flush = () => {
    for (const account of dirty) kept.write(account);
    dirty.clear();
    scheduled = undefined;
  };
  return {
    documents: journal.kept('document') as StoredDocument[],
    accounts: kept.accounts,
    deliveries: journal.kept('delivery') as Delivery[],
    clock: (journal.kept('clock')[0] as KeptClock | undefined) ?? null,
    keepClock: (clock) => journal.write('clock', 'clock', clock),
    keepDelivery: (entrega, delivery) => journal.write('delivery', entrega, delivery),
    keepDocument: (document) => journal.write('document', document.claveacceso, document),
    // Every delivery touches its account, which is large: written once per turn, not once per touch.
    keepAccount(account) {
      dirty.add(account);
      scheduled ??= setImmediate(flush);
    },
    clear() {
      dirty.clear();
      journal.clear();
    },
    close() {
      if (scheduled) clearImmediate(scheduled);
      flush();
      journal.close();
    },
  };
}
