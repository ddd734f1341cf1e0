import type { Clock } from '../../../src/domain/clock.ts';
import type { InstallRequest } from '../../../src/domain/install.ts';

export const connectPath = '/woocommerce/connect';
export const keysPath = '/woocommerce/keys';
export const connectedPath = '/woocommerce/connected';

/** What a ticket for the connect page is issued for: one store at one address. */
export const connectUse = ({ id, shop }: { id: string; shop: string }): string =>
  `woocommerce connect ${id} ${shop}`;

const goodForMs = 24 * 60 * 60_000;

/** The address that opens the connect page, for whoever may read the config's secret. */
export function connectLink({ publicUrl, store, tickets }: InstallRequest, clock: Clock): string {
  const ticket = tickets.issue(connectUse(store), new Date(clock.now().getTime() + goodForMs));
  return `${publicUrl}${connectPath}?${new URLSearchParams({ store: store.id, ticket })}`;
}
