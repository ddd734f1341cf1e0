import type { Step, WorkKind } from '../domain/work.ts';
import { announce } from './announce.ts';
import { askBuyer } from './buyer/ask-buyer.ts';
import { buyerCutOff } from './buyer/cut-off.ts';
import { whileConnected } from './connection.ts';
import type { StepDeps } from './deps.ts';
import { followUp } from './follow-up.ts';
import { keepFiles } from './keep-files.ts';
import { catchUp } from './older-ledger/catch-up.ts';
import { probeAccount } from './probe-account.ts';
import { reprocessDocument } from './reprocess-document.ts';
import { settleDocument } from './settle-document.ts';
import { shopEvent } from './shop-event.ts';
import { submitDocument } from './submit-document.ts';
import { sweep } from './sweep/sweep.ts';
import { syncOrder } from './sync-order.ts';
import { tellAlerts } from './tell-alerts.ts';
import { whileKnown } from './unknown-here.ts';
import { verifyDocument } from './verify/verify-document.ts';
import { writeBack } from './write-back.ts';

/** The step of every kind of work, in two wrappers at most. */
export function allSteps(deps: StepDeps): Record<WorkKind, Step> {
  const connected = whileConnected(deps);
  const known = whileKnown(deps);
  const steps: Record<WorkKind, Step> = {
    'sync-order': connected(syncOrder(deps), true),
    'submit-document': submitDocument(deps),
    'settle-document': settleDocument(deps),
    'follow-up': followUp(deps),
    'reprocess-document': reprocessDocument(deps),
    'catch-up': catchUp(deps),
    'verify-document': verifyDocument(deps),
    'write-back': connected(writeBack(deps), false),
    'keep-files': keepFiles(deps),
    'ask-buyer': askBuyer(deps),
    'buyer-cut-off': buyerCutOff(deps),
    'probe-account': probeAccount(deps),
    'shop-event': shopEvent(deps),
    'tell-alerts': tellAlerts(deps),
    announce: announce(deps),
    sweep: connected(sweep(deps), true),
  };
  const all = Object.entries(steps).map(([kind, step]) => [kind, known(step)]);
  return Object.fromEntries(all) as Record<WorkKind, Step>;
}
