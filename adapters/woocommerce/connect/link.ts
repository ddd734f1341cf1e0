import type { Clock } from '../../../src/core/clock.ts';
import type { InstallRequest } from '../../../src/core/install.ts';

export const connectPath = '/woocommerce/connect';
export const keysPath = '/woocommerce/keys';
export const connectedPath = '/woocommerce/connected';

/** What a ticket for the connect page is issued for; whoever has one may connect any store of the config. */
export const connectUse = 'woocommerce connect';

const goodForMs = 24 * 60 * 60_000;

/** The address that opens the connect page, for whoever may read the config's secret. */
export function connectLink({ publicUrl, store, tickets }: InstallRequest, clock: Clock): string {
  const ticket = tickets.issue(connectUse, new Date(clock.now().getTime() + goodForMs));
  return `${publicUrl}${connectPath}?${new URLSearchParams({ store: store.id, ticket })}`;
}
