import type { Check } from './check.ts';

/** Where a check comes from: the specification, a public description of a service with this interface, or our choice. */
export type Basis = 'spec' | 'described' | 'inferred';

/** Rows of docs/assumptions.md whose basis is "described in public". */
const describedRows: ReadonlySet<string> = new Set(['A7', 'A10', 'A13', 'A18', 'A21', 'A22']);

export function basisOf({ inferred }: Pick<Check, 'inferred'>): Basis {
  if (inferred === undefined) return 'spec';
  return describedRows.has(inferred) ? 'described' : 'inferred';
}
