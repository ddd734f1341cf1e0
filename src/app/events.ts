import type { Platform, ShopContext } from '../domain/platform.ts';
import { addressOf, type Settings } from '../domain/settings.ts';
import type { ShopEvent, ToldEvent } from '../domain/shop-event.ts';
import { storeOfShop } from '../domain/store-index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findDoor, standingOf } from '../web/doors.ts';

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
  const known = storeOfShop(deps.settings.stores, platform.name, event.shop);
  // The platform knows the shop by where it is, the ledger by where it was first.
  const told = known ? { ...event, shop: addressOf(known) } : event;
  const standing = await standingOf(door, told.shop, { ...deps, credentials: context.credentials });
  if (standing.kind === 'none')
    return { kind: 'nothing', reason: 'The shop does not belong to this endpoint.' };
  const store = { connection: connection ?? standing.store?.connection ?? null, app };
  return platform.onEvent(told, store, context);
}
