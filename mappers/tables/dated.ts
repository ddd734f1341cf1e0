/** When a row of a table is in force, and who says so. Days in Ecuador, "2026-01-31"; null: no known end (or beginning). */
export interface Dated {
  since: string | null;
  until: string | null;
  /** The norm or document that says so, with its version, and whether only others told of it. */
  source: string;
  /** The day somebody last compared the row with its source. */
  checkedOn: string;
}

export const isInForce = ({ since, until }: Pick<Dated, 'since' | 'until'>, on: string): boolean =>
  (since ?? on) <= on && on <= (until ?? on);

/** A place in the ficha técnica: 2.32 (October 2025) was read, the current 2.34 (July 2026) is known by others' word. */
export const ficha = (place: string): string =>
  `Ficha técnica SRI 2.32, ${place}; la 2.34, vigente, por fuente secundaria`;
