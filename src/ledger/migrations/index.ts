import type { Migration } from '../migrate.ts';
import { firstTables } from './0001-first-tables.ts';
import { ties } from './0002-ties.ts';
import { watching } from './0003-watching.ts';
import { pauses } from './0004-pauses.ts';
import { sweeps } from './0005-sweeps.ts';
import { verification } from './0006-verification.ts';
import { credentials } from './0007-credentials.ts';
import { questions } from './0008-questions.ts';
import { alerts } from './0009-alerts.ts';
import { panel } from './0010-panel.ts';
import { finding } from './0011-finding.ts';
import { closes } from './0012-closes.ts';
import { retention } from './0014-retention.ts';
import { sweepLists } from './0015-sweep-lists.ts';
import { stoppedNumber } from './0016-stopped-number.ts';
import { signIn } from './0017-sign-in.ts';
import { lookUps } from './0018-look-ups.ts';
import { breakers } from './0019-breakers.ts';
import { storeApps } from './0020-store-apps.ts';
import { owners } from './0021-owners.ts';
import { foreseenKeys } from './0022-foreseen-keys.ts';
import { serviceId } from './0024-service-id.ts';
import { annulled } from './0025-annulled.ts';
import { shopIdentities } from './0026-shop-identities.ts';
import { fingerprints } from './0027-fingerprints.ts';
import { boundAnswers } from './0028-bound-answers.ts';
import { failingSince } from './0029-failing-since.ts';
import { sentAlone } from './0030-sent-alone.ts';

/** In the order they are applied; only ever appended to. */
export const migrations: readonly Migration[] = [
  firstTables,
  ties,
  watching,
  pauses,
  sweeps,
  verification,
  credentials,
  questions,
  alerts,
  panel,
  finding,
  closes,
  retention,
  sweepLists,
  stoppedNumber,
  signIn,
  lookUps,
  breakers,
  storeApps,
  owners,
  foreseenKeys,
  serviceId,
  annulled,
  shopIdentities,
  fingerprints,
  boundAnswers,
  failingSince,
  sentAlone,
];
