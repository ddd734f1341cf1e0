import { awaitDecision } from './authority/authority.ts';
import { schedule } from './webhooks/queue.ts';
import type { World } from './world.ts';

/** Takes up what an earlier sandbox left undone: documents in process and deliveries still to be made. */
export function resume(world: World): void {
  for (const document of world.documents.all()) if (document.estado === 1) awaitDecision(world, document);
  for (const delivery of world.deliveries.all()) if (delivery.due !== null) schedule(world, delivery);
}
