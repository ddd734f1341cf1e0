/** What was not looked for so long has been found meanwhile, or somebody else has it: it begins anew. */
const forgottenMs = 3_600_000;

/** Since when things have been missing, as one process saw it; forgets by itself. */
export interface Absences {
  /** Notes that it is missing now; how long already, and whether it was not before. */
  note(name: string, now: number): { ms: number; isNew: boolean };
}

export function openAbsences(): Absences {
  /** The one noted last stands last. */
  const noted = new Map<string, { since: number; last: number }>();
  return {
    note(name, now) {
      const before = noted.get(name);
      const lasts = before !== undefined && now - before.last < forgottenMs;
      const since = lasts ? before.since : now;
      noted.delete(name);
      noted.set(name, { since, last: now });
      for (const [other, { last }] of noted) {
        if (now - last < forgottenMs) break;
        noted.delete(other);
      }
      return { ms: now - since, isNew: !lasts };
    },
  };
}
