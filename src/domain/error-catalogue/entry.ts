/** What one code means, and what to do; in Spanish, for whoever runs the shop and whoever reads its log. */
export type Entry = readonly [means: string, cure: string];

/** Codes of one origin. A code may stand in several groups, with another meaning in each. */
export interface Group {
  title: string;
  /** Where they are seen, and by whom. */
  seen: string;
  entries: Readonly<Record<string, Entry>>;
}

/** Where there is nothing to do. */
export const goesOn = 'Nada: sigue solo.';
export const final = 'Nada.';
