import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { companyChecks } from './companies.ts';
import { companyWriteChecks } from './company-writes.ts';
import { creditChecks } from './credits.ts';
import { deliveryChecks } from './deliveries.ts';
import { deliveryEventChecks } from './delivery-events.ts';
import { documentChecks } from './documents.ts';
import { emissionChecks } from './emission.ts';
import { creditNoteFieldChecks, dateChecks, fieldChecks, strictnessChecks } from './fields.ts';
import { noticeChecks } from './notice.ts';
import { otherDocumentChecks } from './other-documents.ts';
import { outOfSightChecks } from './out-of-sight.ts';
import { publicChecks } from './public-routes.ts';
import { registryChecks } from './registry.ts';
import { sequenceChecks } from './sequences.ts';
import { stateChecks } from './states.ts';
import { verificationChecks } from './verification.ts';
import { webhookChecks } from './webhook.ts';

/**
 * Every check but the request limit, in the order of the run: the webhook is set up before a document speaks
 * through it, and what looks back over all answers comes late.
 */
export const allChecks = (): readonly Check[] => [
  ...webhookChecks,
  ...accessChecks,
  ...emissionChecks,
  ...stateChecks,
  ...documentChecks,
  ...sequenceChecks,
  ...deliveryChecks,
  ...deliveryEventChecks,
  ...fieldChecks(),
  ...strictnessChecks,
  ...dateChecks,
  ...creditNoteFieldChecks(),
  ...otherDocumentChecks,
  ...companyChecks,
  ...companyWriteChecks,
  ...creditChecks,
  ...registryChecks,
  ...verificationChecks,
  ...publicChecks,
  ...noticeChecks,
  ...outOfSightChecks,
];
