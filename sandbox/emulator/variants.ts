// The choices the command line offers: read by it before anything of the sandbox is loaded.

/** The ways in which a service with this interface speaks, from the likeliest to the least likely (dialects.ts). */
export const dialectNames = ['described', 'former', 'older'] as const;
export type DialectName = (typeof dialectNames)[number];

/**
 * The ways in which a service may compute taxes. `totals`: the rows of `totales` stand as stated, a tax without any is
 * computed as in `group`; the others ignore the rows. `group`: on the sum of its rounded lines; `line`: on each
 * rounded line, then summed; `unrounded`: on the exact sum of its lines.
 */
export const arithmeticNames = ['totals', 'group', 'line', 'unrounded'] as const;
export type ArithmeticName = (typeof arithmeticNames)[number];
