import type { Platform, ShopContext } from '../core/platform.ts';
import type { Settings } from '../core/settings.ts';
import type { ShopEvent, ToldEvent } from '../core/shop-event.ts';

/** The platform of a door reads the event; null when this process knows no such door. */
export async function readEvent(
  { apps, stores }: Settings,
  door: string,
  event: ToldEvent,
  contextOf: (platform: Platform) => ShopContext,
): Promise<ShopEvent | null> {
  const app = apps.get(door);
  const own = stores.get(door);
  const platform = (app ?? own)?.platform;
  if (!platform) return null;
  if (!platform.onEvent) return { kind: 'nothing', reason: 'The platform knows of no events.' };
  const store = own ?? [...stores.values()].find((one) => one.app?.id === door && one.shop === event.shop);
  return platform.onEvent(
    event,
    { connection: store?.connection ?? null, app: app?.settings ?? null },
    contextOf(platform),
  );
}
