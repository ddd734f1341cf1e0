/** A process's end. Thrown at the boundary it dies at, and at every later one: the dead do nothing more. */
export class Death extends Error {
  constructor(where: string) {
    super(`The process died ${where}.`);
    this.name = 'Death';
  }
}

/**
 * Something that changes the world outside the process: a COMMIT of the ledger, a call to shop or service. One can
 * die on either side of it; the request of a call may also still be on its way then, and arrive later.
 */
export interface Effect {
  kind: 'commit' | 'call';
  name: string;
}

export type Side = 'before' | 'after' | 'late';

/** Where to die: at the n-th effect (from 1), on this side of it. */
export interface Doom {
  at: number;
  side: Side;
}

/** Counts the effects of one process and ends it where it is told to. */
export interface Fate {
  /** From now on effects count; `doom` null lets the process live and only listens. */
  begin(doom: Doom | null): void;
  /** Another process takes over; nothing counts any more. */
  end(): void;
  readonly dead: boolean;
  /** Every effect since `begin`. */
  readonly effects: readonly Effect[];
  commit<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** A transaction: dying before its COMMIT happens inside, after its last statement. */
  transaction<T>(name: string, run: (beforeCommit: () => void) => Promise<T>): Promise<T>;
  call<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Requests that were under way when the process died; each arrives when it is called. */
  readonly underWay: (() => Promise<unknown>)[];
}

export function openFate(): Fate {
  let counting = false;
  let dead = false;
  let doom: Doom | null = null;
  const effects: Effect[] = [];
  const underWay: (() => Promise<unknown>)[] = [];

  /** Answers the effect's number; 0 when nothing counts. */
  function count(effect: Effect): number {
    if (dead) throw new Death('earlier');
    if (!counting) return 0;
    effects.push(effect);
    return effects.length;
  }
  const isDoomed = (n: number, side: Side) => n > 0 && doom?.at === n && doom.side === side;
  function die(n: number, side: Side, name: string): void {
    if (dead) throw new Death('earlier');
    if (!isDoomed(n, side)) return;
    dead = true;
    throw new Death(`${side} ${name}`);
  }

  async function around<T>(effect: Effect, run: () => Promise<T>): Promise<T> {
    const n = count(effect);
    die(n, 'before', effect.name);
    if (isDoomed(n, 'late')) underWay.push(run);
    die(n, 'late', effect.name);
    const result = await run();
    die(n, 'after', effect.name);
    return result;
  }

  return {
    begin(given) {
      [counting, dead, doom] = [true, false, given];
      effects.length = 0;
    },
    end() {
      [counting, dead, doom] = [false, false, null];
    },
    get dead() {
      return dead;
    },
    effects,
    underWay,
    commit: (name, run) => around({ kind: 'commit', name }, run),
    call: (name, run) => around({ kind: 'call', name }, run),
    async transaction(name, run) {
      const n = count({ kind: 'commit', name });
      const result = await run(() => die(n, 'before', name));
      die(n, 'after', name);
      return result;
    },
  };
}
