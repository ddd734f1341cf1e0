import type { JobHandler, JobKind } from '../domain/job.ts';
import { deliverAlerts } from './alerts.ts';
import { announce } from './announce.ts';
import { askBuyer, buyerCutOff } from './ask-buyer.ts';
import { whileConnected } from './connection.ts';
import type { JobDeps } from './deps.ts';
import { keepFiles } from './files.ts';
import { catchUp } from './older-ledger/catch-up.ts';
import { probeAccount } from './probe-account.ts';
import { reconciliation } from './reconciliation/reconciliation.ts';
import { followUp, reprocessDocument, sendDocument, settleDocument } from './send-document.ts';
import { shopEvent } from './shop-event.ts';
import { syncOrder } from './sync-order.ts';
import { whileKnown } from './unknown-here.ts';
import { verifyDocument } from './verify-document.ts';
import { writeBack } from './write-back.ts';

export function jobHandlers(deps: JobDeps): Record<JobKind, JobHandler> {
  const connected = whileConnected(deps);
  const known = whileKnown(deps);
  const handlers: Record<JobKind, JobHandler> = {
    'sync-order': connected(syncOrder(deps), true),
    'submit-document': sendDocument(deps),
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
    'deliver-alerts': deliverAlerts(deps),
    announce: announce(deps),
    reconciliation: connected(reconciliation(deps), true),
  };
  const all = Object.entries(handlers).map(([kind, handler]) => [kind, known(handler)]);
  return Object.fromEntries(all) as Record<JobKind, JobHandler>;
}
