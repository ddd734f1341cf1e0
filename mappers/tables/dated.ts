/** When a row of a table is in force, and who says so. Days in Ecuador, "2026-01-31"; null: no known end (or beginning). */
export interface Dated {
  since: string | null;
  until: string | null;
  /** The norm or document that says so, with its version: "Ficha técnica SRI 2.34, tabla 17". */
  source: string;
  /** The day somebody last compared the row with its source. */
  checkedOn: string;
}
