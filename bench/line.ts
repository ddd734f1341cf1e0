/** One line of the table: a median with its spread, and its goal. */
export interface Line {
  line: string;
  unit: string;
  median: number;
  min: number;
  max: number;
  /** Empty if the figure is only informational. */
  goal: string;
  met: boolean;
}

/** Rounds of every measurement that is not one long run. */
export const rounds = 5;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export function line(
  name: string,
  unit: string,
  values: readonly number[],
  goal?: { atLeast: number } | { below: number } | { atMost: number },
): Line {
  const middle = median(values);
  const spread = { line: name, unit, median: middle, min: Math.min(...values), max: Math.max(...values) };
  if (!goal) return { ...spread, goal: '', met: true };
  if ('atLeast' in goal) return { ...spread, goal: `at least ${goal.atLeast}`, met: middle >= goal.atLeast };
  if ('below' in goal) return { ...spread, goal: `below ${goal.below}`, met: middle < goal.below };
  return { ...spread, goal: `at most ${goal.atMost}`, met: middle <= goal.atMost };
}

/** A line that could not be measured here, and why; it is missing from the table. */
export function skipped(name: string, why: string): void {
  console.error(`skip ${name}: ${why}`);
}
