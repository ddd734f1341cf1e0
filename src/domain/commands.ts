import type { Scope } from './scope.ts';

/** What a command answers: a sentence for the person who asked, in Spanish. */
export interface CommandAnswer {
  /** False: nothing was done, and `says` tells why. */
  done: boolean;
  says: string;
  /** For whoever asks with a program: what the command found, as JSON. */
  data?: unknown;
}

/** Commands that write, carried out by whoever holds the ledger. */
export interface Commands {
  /**
   * Undefined for a command nobody knows. Throws FacturapuenteError for input it cannot use. With a scope, what is not of
   * its stores is not found, and a command about the whole installation is one nobody knows.
   */
  run(name: string, input: unknown, scope?: Scope | null): Promise<CommandAnswer | undefined>;
}
