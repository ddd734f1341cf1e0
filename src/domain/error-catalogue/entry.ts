/** The meaning of a code and what to do, in Spanish, for merchants and for readers of the log. */
export type Entry = readonly [means: string, resolution: string];

/** Codes of one origin. A code may be in several groups, with another meaning in each. */
export interface Group {
  title: string;
  /** Where they appear, and for whom. */
  seen: string;
  entries: Readonly<Record<string, Entry>>;
}

/** For codes that need no action. */
export const goesOn = 'Nada: sigue solo.';
export const final = 'Nada.';
