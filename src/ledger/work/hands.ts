import type { ClaimedWork, WorkKind, WorkRequest } from '../../core/work.ts';

/** What a worker is told of the work it takes on. */
export type WorkFacts = Omit<ClaimedWork, 'token' | 'slotAt'>;

interface Hand {
  facts: WorkFacts;
  /** When it was handed to the transport, milliseconds of the clock. */
  releasedAt: number;
  /** null until a worker took it. */
  lease: { token: string; until: number } | null;
  /** Its row has changed since. */
  stale: boolean;
  askedAgain: AskedAgain | null;
}

/** What was asked while somebody ran it: the earliest time (ISO), and the newest journey. */
export interface AskedAgain {
  at: string;
  trace: string | null;
}

/**
 * The work that is in somebody's hands, where one process is all there is (SQLite): who took what is that process's own
 * business and dies with it, so none of it is written. Its rows wait in the ledger as if nobody had taken them until
 * they are finished, which spares each of them two COMMITs. On PostgreSQL the rows say it, to every process.
 */
export interface Hands {
  /** The ids of all that is in hand, as a JSON list. */
  ids(): string;
  /** The ids a worker has, as a JSON list. */
  leasedIds(): string;
  /**
   * Hands to the transport what `read` finds of it; answers what was not in hand already. What is asked for meanwhile
   * may have come after its row was read, and is read anew by whoever takes it.
   */
  release(read: () => Promise<WorkFacts[]>, now: Date): Promise<WorkFacts[]>;
  /** Whether the row of what no worker has yet changed since it was released; asking once is enough. */
  wentStale(id: string): boolean;
  /** The facts of its row, read anew. */
  renew(facts: WorkFacts): void;
  /** Wins the lease, or answers undefined when it was not released or somebody else has it. */
  lease(id: string, leaseMs: number, now: Date): ClaimedWork | undefined;
  /** Prolongs a lease; false when the token no longer holds. */
  extend(id: string, token: string, leaseMs: number, now: Date): boolean;
  /** Whether the token still holds, and what was asked meanwhile; undefined when it does not. */
  held(id: string, token: string): { askedAgain: AskedAgain | null } | undefined;
  /** It was asked for: whoever runs it has to run once more, and whoever takes it reads it anew. */
  asked(request: Pick<WorkRequest, 'kind' | 'subject' | 'dueAt'>, trace: string | null): void;
  has(kind: WorkKind, subject: string): boolean;
  hasId(id: string): boolean;
  drop(id: string): void;
  /** Released so long ago that it got lost, and leases that ran out. */
  lost(now: Date, releasedForMs: number): { forgotten: string[]; expired: string[] };
  /** How much is handed over and not yet taken, by budget. */
  unclaimed(): Map<string | null, number>;
  counts(): { released: number; leased: number };
  /** The clock was moved by so much: leases last as long as before. */
  clockMoved(ms: number): void;
}

const nameOf = ({ kind, subject }: Pick<WorkRequest, 'kind' | 'subject'>): string => `${kind} ${subject}`;

export function openHands(): Hands {
  const hands = new Map<string, Hand>();
  /** Ids by kind and subject. */
  const names = new Map<string, string>();
  /** What is asked for while rows are read for a release; one set for each. */
  const askedMeanwhile = new Set<Set<string>>();
  let tokens = 0;

  const holding = (id: string, token: string): Hand | undefined => {
    const hand = hands.get(id);
    return hand?.lease?.token === token ? hand : undefined;
  };
  const count = (wanted: (hand: Hand) => boolean): number => [...hands.values()].filter(wanted).length;

  function drop(id: string): void {
    const hand = hands.get(id);
    if (hand && names.get(nameOf(hand.facts)) === id) names.delete(nameOf(hand.facts));
    hands.delete(id);
  }

  return {
    ids: () => JSON.stringify([...hands.keys()]),
    leasedIds: () => JSON.stringify([...hands].filter(([, { lease }]) => lease).map(([id]) => id)),

    async release(read, now) {
      const asked = new Set<string>();
      askedMeanwhile.add(asked);
      try {
        const fresh = (await read()).filter(({ id }) => !hands.has(id));
        for (const facts of fresh) {
          const stale = asked.has(nameOf(facts));
          hands.set(facts.id, { facts, releasedAt: now.getTime(), lease: null, stale, askedAgain: null });
          names.set(nameOf(facts), facts.id);
        }
        return fresh;
      } finally {
        askedMeanwhile.delete(asked);
      }
    },

    wentStale(id) {
      const hand = hands.get(id);
      const stale = hand?.stale === true;
      if (hand) hand.stale = false;
      return stale;
    },

    renew(facts) {
      const hand = hands.get(facts.id);
      if (hand) hand.facts = facts;
    },

    lease(id, leaseMs, now) {
      const hand = hands.get(id);
      if (!hand || hand.lease) return undefined;
      tokens += 1;
      const token = String(tokens);
      hand.lease = { token, until: now.getTime() + leaseMs };
      return { ...hand.facts, token };
    },

    extend(id, token, leaseMs, now) {
      const lease = holding(id, token)?.lease;
      if (lease) lease.until = now.getTime() + leaseMs;
      return lease !== undefined;
    },

    held: holding,

    asked(request, trace) {
      for (const asked of askedMeanwhile) asked.add(nameOf(request));
      const id = names.get(nameOf(request));
      const hand = id === undefined ? undefined : hands.get(id);
      if (!hand) return;
      const { askedAgain, lease } = hand;
      const at = request.dueAt.toISOString();
      if (!lease) hand.stale = true;
      else
        hand.askedAgain = {
          at: askedAgain && askedAgain.at < at ? askedAgain.at : at,
          trace: trace ?? askedAgain?.trace ?? null,
        };
    },

    has: (kind, subject) => names.has(nameOf({ kind, subject })),
    hasId: (id) => hands.has(id),
    drop,

    lost(now, releasedForMs) {
      const forgotten: string[] = [];
      const expired: string[] = [];
      for (const [id, { lease, releasedAt }] of hands) {
        if (!lease && releasedAt <= now.getTime() - releasedForMs) forgotten.push(id);
        if (lease && lease.until <= now.getTime()) expired.push(id);
      }
      return { forgotten, expired };
    },

    unclaimed() {
      const counts = new Map<string | null, number>();
      for (const { facts, lease } of hands.values()) {
        if (!lease) counts.set(facts.budget, (counts.get(facts.budget) ?? 0) + 1);
      }
      return counts;
    },

    clockMoved(ms) {
      for (const hand of hands.values()) {
        hand.releasedAt += ms;
        if (hand.lease) hand.lease.until += ms;
        if (hand.askedAgain) hand.askedAgain.at = new Date(Date.parse(hand.askedAgain.at) + ms).toISOString();
      }
    },

    counts: () => ({ released: count(({ lease }) => !lease), leased: count(({ lease }) => lease !== null) }),
  };
}
