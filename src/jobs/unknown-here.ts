import { type ClaimedWork, done, type Step } from '../domain/work.ts';
import type { StepDeps } from './deps.ts';

const soonMs = 2_000;
const longestMs = 15 * 60_000;
const dayMs = 24 * 3_600_000;

/** What this process's config does not have: not yet, or not any more. Another process may. */
export interface Unknown {
  /** In the log. */
  what: 'store' | 'account' | 'alert channel' | 'listener';
  /** Told once for all work that names it. */
  name: string;
  /** Of that line. */
  fields(work: ClaimedWork): Record<string, string>;
  /** A process that knows it has been there when this changes, and the wait begins anew. */
  seen?: string;
  /** How long nobody knows it before `giveUp` is asked; a day. */
  patienceMs?: number;
  /** Whether the work may end undone: nobody would miss it, or what must not be left behind was put right. */
  giveUp(): Promise<boolean>;
}

/** Thrown by a step that meets it; `whileKnown` says what becomes of its work. */
export class UnknownHere extends Error {
  readonly unknown: Unknown;
  constructor(unknown: Unknown) {
    super(`This process does not know the ${unknown.what} ${unknown.name}.`);
    this.unknown = unknown;
  }
}

/**
 * Work of something that this process does not know: a deploy is under way, `store add` came a moment ago, or it left
 * the config. Another process may know it, and nobody else has this work: it waits, slower and slower, at most a
 * quarter of an hour, and goes on where it is known. The log tells it once; of documents on their way an alert does
 * too (watch/watch.ts). What may end so ends after a day, with a line in the log.
 */
export function whileKnown({ clock, log }: Pick<StepDeps, 'clock' | 'log'>): (step: Step) => Step {
  const absences = openAbsences();
  return (step) => async (work) => {
    try {
      return await step(work);
    } catch (error) {
      if (!(error instanceof UnknownHere)) throw error;
      const now = clock.now().getTime();
      const { what, name, seen = '', patienceMs = dayMs, giveUp } = error.unknown;
      const fields = error.unknown.fields(work);
      if (absences.note(`${what} ${name}`, now).isNew)
        log.warn(fields, `This process does not know the ${what}; what concerns it waits until one does`);
      const { ms } = absences.note(`${work.id} ${seen}`, now);
      if (ms >= patienceMs && (await giveUp())) {
        const { kind, subject } = work;
        log.warn({ ...fields, kind, subject }, `The ${what} has been gone for long; this work ended undone`);
        return done;
      }
      const wait = Math.min(Math.max(ms, soonMs), longestMs);
      return { kind: 'again', dueAt: new Date(now + wait), reason: `its ${what} is not known here` };
    }
  };
}

/** What was not looked for so long has been found meanwhile, or somebody else has it: it begins anew. */
const forgottenMs = 3_600_000;

/** Since when things have been missing, as one process saw it; forgets by itself. */
interface Absences {
  /** Notes that it is missing now; how long already, and whether it was not before. */
  note(name: string, now: number): { ms: number; isNew: boolean };
}

function openAbsences(): Absences {
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
