import { type Decided, type Deciding, open, wait } from './deciding.ts';
import type { Job } from './events.ts';
import type { SentDocument } from './state.ts';

/** The job that finds out by itself what is to be done next. */
export function jobOf({ state, code }: Pick<SentDocument, 'state' | 'code'>): Job | null {
  if (state === 'ready' || state === 'sending') return 'submit';
  if (!open.includes(state)) return null;
  const isEnded = state === 'processing' && (code === 'reprocess' || code === 'number-registered');
  return isEnded ? 'reprocess' : 'follow-up';
}

/** A document on its way that has no job would never move again. */
export function idleAgain(d: Deciding): Decided {
  const job = jobOf(d.state.document);
  if (job !== null) wait(d, job, d.now.at);
}

/**
 * Our clock was ahead and is corrected: what is said to have happened later than now happened by now, and what waits looks
 * again. Every job decides anew what is to be done, so one that runs early does no harm.
 */
export function clockJumped(d: Deciding): Decided {
  const past = (at: number) => Math.min(at, d.now.at);
  const { document, attempts, learnt } = d.state;
  d.state = {
    ...d.state,
    document: { ...document, createdAt: past(document.createdAt) },
    attempts: attempts.map((one) => ({ ...one, createdAt: past(one.createdAt) })),
    learnt: {
      ...learnt,
      newsAt: past(learnt.newsAt),
      notFound: learnt.notFound.map(({ accessKey, at }) => ({ accessKey, at: past(at) })),
    },
  };
  idleAgain(d);
}
