type Unit = '' | 'ms' | 'MB' | 'bytes';
type Goal = { atLeast: number } | { atMost: number };

/** One line of the table: a median with its spread, and its goal. */
export interface Line {
  line: string;
  unit: Unit;
  median: number;
  min: number;
  max: number;
  /** Null if the figure is only informational. */
  goal: Goal | null;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The smallest value that 99 % of the values do not exceed; the same for other shares. */
export const percentile = (values: readonly number[], share = 0.99): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

export function line(name: string, unit: Unit, values: readonly number[], goal: Goal | null = null): Line {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { line: name, unit, median: median(values), min, max, goal };
}

/** A figure that is not a number meets no goal. */
export function isMet({ median, goal }: Line): boolean {
  if (goal === null) return true;
  return 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost;
}

export const tableHead = '| Line | Median (spread) | Goal | |\n|---|---|---|---|';

/** The line as a row of docs/performance.md. */
export function row(line: Line): string {
  const { median, min, max, unit, goal } = line;
  const spread = min === max ? '' : ` (${shown(min)}..${shown(max)})`;
  const wanted =
    goal === null ? '' : 'atLeast' in goal ? `≥ ${shown(goal.atLeast)}` : `≤ ${shown(goal.atMost)}`;
  const suffix = unit === '' ? '' : ` ${unit}`;
  const met = goal === null ? '' : isMet(line) ? 'met' : 'missed';
  const cells = [line.line, `${shown(median)}${suffix}${spread}`, wanted && `${wanted}${suffix}`, met];
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
}

function shown(value: number): string {
  if (Math.abs(value) >= 10 || Number.isInteger(value))
    return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
  return value.toFixed(2).replace(/0$/, '');
}
