import { statesUnderWay } from '../domain/document.ts';
import type { Step } from '../domain/work.ts';
import type { StepDeps } from './deps.ts';
import { foreseeLost } from './foreseen.ts';
import { happens, type Observe } from './sending/happen.ts';
import { storeOfDocument } from './unknown-store.ts';

/**
 * Asks the service about a document without a final state, slower and slower, until it has one: webhooks are lost
 * (src/protocol/lost.ts).
 */
export function followUp(deps: StepDeps): Step {
  const isDue: Observe = async (tables, document, attempts) => {
    if (statesUnderWay.includes(document.state)) storeOfDocument(deps, document);
    const lost = await foreseeLost(tables, document, attempts);
    const foreseen = lost.flatMap(({ n, accessKey, foreseenKey }) =>
      accessKey === null && foreseenKey !== null ? [{ n, accessKey: foreseenKey }] : [],
    );
    return { event: { kind: 'due', job: 'follow-up', foreseen } };
  };
  return async (work) => (await happens(deps, work.subject, isDue, { job: 'follow-up', work })).outcome;
}
