import type { Context } from './context.ts';

/** What one check found. All texts are Spanish and hold no key, secret or buyer's data. */
export type Finding =
  | { verdict: 'agrees'; note?: string }
  | { verdict: 'differs'; expected: string; seen: string }
  | { verdict: 'unseen'; why: string };

/** What a check cannot do without; the run says `unseen` where it is missing. */
export type Need = 'webhook' | 'receiver' | 'secondKey' | 'companies' | 'verification' | 'rateLimit';

/** One sentence of the specification that can be asked of a running service. */
export interface Check {
  /** Stable, kebab-case: `emision-sin-emisor-ruc`. */
  id: string;
  /** Heading of the report, Spanish. */
  section: string;
  /** Where the specification says so: "Errors, 7". */
  row: string;
  /** What is expected, as one Spanish sentence. */
  title: string;
  /**
   * The row of docs/assumptions.md this looks at. The specification does not show such a shape, so another one
   * is worth knowing but no difference; an `agrees` carries in `note` what was seen.
   */
  inferred?: `A${number}`;
  needs?: Need;
  run(context: Context): Promise<Finding> | Finding;
}

/** A check whose precondition is missing: ends as `unseen` with this sentence. */
export class Unseen extends Error {
  override name = 'Unseen';
}

/** The service cannot be tested at all: away, another program, or a key it does not know. Spanish. */
export class NotTestable extends Error {
  override name = 'NotTestable';
}

export const agrees = (note?: string): Finding =>
  note ? { verdict: 'agrees', note } : { verdict: 'agrees' };
export const differs = (expected: string, seen: string): Finding => ({ verdict: 'differs', expected, seen });
export const unseen = (why: string): Finding => ({ verdict: 'unseen', why });

/** Where a check comes from: the specification, a public description of a service with this interface, or our choice. */
export type Basis = 'spec' | 'described' | 'inferred';

/** Rows of docs/assumptions.md whose basis is "described in public". */
const describedRows: ReadonlySet<string> = new Set(['A7', 'A10', 'A13', 'A18', 'A21', 'A22']);

export function basisOf({ inferred }: Pick<Check, 'inferred'>): Basis {
  if (inferred === undefined) return 'spec';
  return describedRows.has(inferred) ? 'described' : 'inferred';
}
