import type { Log } from '../domain/log.ts';
import type { Shop } from '../domain/platform.ts';
import type { ClaimedWork, Step, StepOutcome } from '../domain/work.ts';
import { watchCalls } from './calls.ts';
import { onJourney } from './journey.ts';
import type { Metrics } from './metrics.ts';
import type { Spans } from './spans.ts';

/** Puts eyes on what a process does. What is watched behaves as before and knows nothing of it. */
export interface Observer {
  /** A step, on the journey of its work; one line tells how it ended. */
  step(step: Step): Step;
  /** The calls of one account (src/service, `ServiceCalls`). */
  service<T extends object>(account: string, calls: T): T;
  shop(platform: string, shop: Shop): Shop;
  /** A door, on a new journey. `task` says which door it was and what it answered, also when it fails. */
  door(task: (said: (door: string, answer: string) => void) => Promise<void>): Promise<void>;
}

/** Whether the ledger or the step itself took the work away is no business of who watches. */
const words = { done: 'done', finished: 'done', again: 'again', 'put-back': 'again' } as const;

export function openObserver({
  metrics,
  spans,
  log,
}: {
  metrics: Metrics;
  spans: Spans;
  log: Log;
}): Observer {
  const seconds = (since: number) => (performance.now() - since) / 1000;

  async function run(step: Step, work: ClaimedWork): Promise<StepOutcome> {
    const { kind, subject } = work;
    const begun = performance.now();
    let ended: string = 'failed';
    try {
      return await spans.inSpan(`step ${kind}`, { 'facturapuente.subject': subject }, async (note) => {
        const outcome = await step(work);
        ended = words[outcome.kind];
        note({ 'facturapuente.outcome': ended });
        return outcome;
      });
    } finally {
      metrics.step(kind, ended, seconds(begun));
      // What failed is told by the worker, with the reason and when it comes back.
      if (ended !== 'failed')
        log.info(
          { step: kind, subject, outcome: ended, ms: Math.round(seconds(begun) * 1000) },
          'A step ran',
        );
    }
  }

  return {
    step: (step) => (work) => onJourney(work.trace, () => run(step, work)),
    service(account, calls) {
      metrics.account(account);
      return watchCalls(calls, ['with', 'close'], (operation, call) =>
        spans.inSpan(`service ${operation}`, { 'facturapuente.account': account }, async (note) => {
          const begun = performance.now();
          let answer = 'failed';
          try {
            const said = await call();
            answer = answerWord(said);
            return said;
          } finally {
            metrics.serviceCall({ account, operation, answer }, seconds(begun));
            note({ 'facturapuente.answer': answer });
          }
        }),
      );
    },
    shop: (platform, shop) =>
      watchCalls(shop, ['close'], (call, ask) =>
        spans.inSpan(`shop ${call}`, { 'facturapuente.platform': platform }, async () => {
          const begun = performance.now();
          let outcome = 'failed';
          try {
            const said = await ask();
            outcome = 'done';
            return said;
          } finally {
            metrics.shopCall({ platform, call, outcome }, seconds(begun));
          }
        }),
      ),
    door: (task) =>
      onJourney(null, () =>
        spans.inSpan('webhook', {}, async (note) => {
          const begun = performance.now();
          await task((door, answer) => {
            metrics.webhook(door, answer, seconds(begun));
            note({ 'facturapuente.door': door, 'facturapuente.answer': answer });
          });
        }),
      ),
  };
}

/** `kind` of an answer (src/service/answers.ts); an unknown one says whether the call may have left. */
function answerWord(answer: unknown): string {
  const { kind, mayHaveLeft } = answer as { kind: string; mayHaveLeft?: boolean };
  if (kind !== 'unknown') return kind;
  return mayHaveLeft === false ? 'unreachable' : 'lost';
}
