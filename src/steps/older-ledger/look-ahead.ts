import type { Document, Series } from '../../core/document.ts';
import { seriesSubject } from '../../core/work.ts';
import { accessKeyOf } from '../../service/access-key.ts';
import type { SendingKey } from '../begin-sending.ts';
import type { StepDeps } from '../deps.ts';
import { daysSince, openLook } from './catch-up.ts';

/** What this process asked about a series; by ledger and series. */
interface Look {
  isOver: boolean;
  ended: Promise<void>;
}
const looks = new WeakMap<StepDeps['ledger'], Map<string, Look>>();

/** Whether this process has looked, so that a document of the series may leave. */
export const isLookedAhead = ({ ledger }: Pick<StepDeps, 'ledger'>, series: Series): boolean =>
  looks.get(ledger)?.get(seriesSubject(series))?.isOver === true;

/**
 * Before a process sends its first document of a series: where keys can be foreseen, the service is asked whether it knows
 * the lowest number that is to leave, and the one behind the last it knows, on the days since that. A ledger that was restored while the process
 * was down proves older before anything leaves; all others of the series wait for the answer. A service that does not
 * answer holds nothing back: what its ledger lost is met by its answers then.
 */
export async function lookAhead(
  deps: StepDeps,
  { document, key }: { document: Document; key: SendingKey },
): Promise<void> {
  const ofLedger = looks.get(deps.ledger) ?? new Map<string, Look>();
  looks.set(deps.ledger, ofLedger);
  const subject = seriesSubject(document);
  const one = ofLedger.get(subject) ?? beginLook(deps, document, key);
  ofLedger.set(subject, one);
  await one.ended;
}

function beginLook(deps: StepDeps, document: Document, key: SendingKey): Look {
  const one: Look = { isOver: false, ended: Promise.resolve() };
  one.ended = look(deps, document, key).finally(() => {
    one.isOver = true;
  });
  return one;
}

async function look(deps: StepDeps, document: Document, { account, keyHash }: SendingKey): Promise<void> {
  const digits = await deps.ledger.keyDigits.constant(document);
  if (digits === null) return;
  const { lowestReady } = await deps.ledger.sequences.frontier(document);
  const number = Math.min(lowestReady ?? Number.POSITIVE_INFINITY, Number(document.secuencial));
  // A person who raised the series after a restore left out what was lost: it begins behind the last number that is known.
  const last = await deps.ledger.sequences.lastBefore(document, number);
  const numbers = new Set([number, ...(last ? [last.number + 1] : [])]);
  const ask = openLook(deps, deps.service(account, null, keyHash), { account: account.id, keyHash });
  for (const issueDate of await daysSince(deps, document, number))
    for (const one of numbers) {
      const secuencial = String(one).padStart(9, '0');
      if ((await ask(accessKeyOf({ ...document, issueDate, secuencial }, digits))) !== 'not-there') return;
    }
}
