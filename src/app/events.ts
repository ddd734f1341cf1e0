import type { Platform, ShopContext } from '../core/platform.ts';
import type { Settings } from '../core/settings.ts';
import type { ShopEvent, ToldEvent } from '../core/shop-event.ts';
import { findDoor, standingOf } from '../http/doors.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * The platform of an endpoint reads the event; null when this process knows no such endpoint. Whether the endpoint
 * speaks for the shop is asked again: its store may have changed hands since the event came.
 */
export async function readEvent(
  deps: { settings: Settings; ledger: Pick<Ledger, 'stores'>; contextOf(platform: Platform): ShopContext },
  id: string,
  event: ToldEvent,
): Promise<ShopEvent | null> {
  const door = findDoor(deps.settings, id);
  if (!door) return null;
  const { platform, app, connection } = door;
  if (!platform.onEvent) return { kind: 'nothing', reason: 'The platform knows of no events.' };
  const context = deps.contextOf(platform);
  const standing = await standingOf(door, event.shop, { ...deps, credentials: context.credentials });
  if (standing.kind === 'none')
    return { kind: 'nothing', reason: 'The shop does not belong to this endpoint.' };
  const store = { connection: connection ?? standing.store?.connection ?? null, app };
  return platform.onEvent(event, store, context);
}
