import type { Figures } from './figures.ts';
import { slotMs } from './figures.ts';
import { allowed } from './tax-service.ts';

/** A rule of a run, and its result. */
export interface Rule {
  rule: string;
  found: string;
  kept: boolean;
}

/** A document whose key has a free slot waits only for a query of due jobs and a worker. */
export const freeWithinS = 2;

export function rulesOf(of: Figures): Rule[] {
  const rules: Rule[] = [];
  const must = (rule: string, found: string, kept: boolean) => rules.push({ rule, found, kept });
  const s = (seconds: number) => `${seconds.toFixed(2)} s`;
  must(
    `no key makes more than ${allowed} requests in any 60 s`,
    `${of.mostOfAKey}, ${of.throttled} answered 429`,
    of.mostOfAKey <= allowed && of.throttled === 0,
  );
  must(
    'every document is emitted, none twice',
    `${of.notEmitted} not, ${of.emittedTwice} twice`,
    of.notEmitted === 0 && of.emittedTwice === 0,
  );
  must(
    'every document is read back and written onto its order in the end',
    `${of.notDownloaded} and ${of.notWritten} not`,
    of.notDownloaded === 0 && of.notWritten === 0,
  );
  must(
    `no document waits longer than ${freeWithinS} s while its key has a free slot`,
    s(of.free.max),
    of.free.max <= freeWithinS,
  );
  must(
    'nothing is read back while a lost answer of its key waits',
    String(of.downloadsBeforeLost),
    of.downloadsBeforeLost === 0,
  );
  if (of.backlog) {
    const { neighbours, perMinute } = of.backlog;
    // Five shops are served round-robin; a shop with few sales waits for one pass, sometimes two.
    const rounds = (2 * 5 * slotMs) / 1_000 + 1;
    must(
      `beside a backlog of their own key shops wait for their turn, p99 at most ${s(rounds)}`,
      s(neighbours.p99),
      neighbours.p99 <= rounds,
    );
    must('the backlog leaves at 270 a minute or more', perMinute.toFixed(0), perMinute >= 270);
  }
  if (of.outage)
    must(
      'after an outage each key drains as fast as probe and rate allow',
      `the slowest took ${(100 * of.outage.share).toFixed(0)} % of that`,
      of.outage.share <= 1,
    );
  return rules;
}
