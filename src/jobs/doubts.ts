/**
 * How often in a row the service of an account failed us, in this process. A document whose answer was lost counts
 * once, however often it is repeated: it may be the one thing the service cannot digest.
 */
export interface Doubts {
  /** One more failure; answers how many there are in a row. `document` null: nothing left, no document is to blame. */
  add(account: string, document: string | null): number;
  /** The service answered sensibly. */
  clear(account: string): void;
}

export function openDoubts(): Doubts {
  const byAccount = new Map<string, { unreached: number; lost: Set<string> }>();
  return {
    add(account, document) {
      const doubt = byAccount.get(account) ?? { unreached: 0, lost: new Set() };
      byAccount.set(account, doubt);
      if (document === null) doubt.unreached += 1;
      else doubt.lost.add(document);
      return doubt.unreached + doubt.lost.size;
    },
    clear: (account) => void byAccount.delete(account),
  };
}
