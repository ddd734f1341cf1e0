import { awaitDecision } from './authority/authority.ts';
import { awaitExpiry } from './operations/verification-course.ts';
import { schedule } from './webhooks/queue.ts';
import type { World } from './world.ts';

/** Takes up what an earlier sandbox left undone: documents in process, deliveries still to be made, time to run out. */
export function resume(world: World): void {
  for (const document of world.documents.all()) if (document.estado === 1) awaitDecision(world, document);
  for (const delivery of world.deliveries.all()) if (delivery.due !== null) schedule(world, delivery);
  for (const account of world.accounts.values()) {
    for (const verification of account.verifications) awaitExpiry(world, account, verification);
  }
}
