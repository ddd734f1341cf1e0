/** One part of an explanation: what it is about, and its sentences; two spaces before one that belongs to the one above. */
export interface Explained {
  title: string;
  lines: readonly (string | ToldLine)[];
}

/** A sentence that is not like the others: something is missing, passed over, or to be looked at. */
export interface ToldLine {
  text: string;
  tone: 'missing' | 'passed-over' | 'warning';
}

export const signed = (amount: string): string => (/^-|^0+(\.0+)?$/.test(amount) ? amount : `+${amount}`);
export const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
