/** The tallies of a time that is over; see schema.ts for how values are written. */
export interface TallyRecord {
  /** "2026-11-21": the day in Ecuador. "h2026-11-21T14": the hour in UTC. */
  span: string;
  /** How many of its documents were not final yet when it was tallied. */
  open: number;
  /** JSON: of its final documents. */
  tallies: string;
}
