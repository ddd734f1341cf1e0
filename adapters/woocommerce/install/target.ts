import type { InstallRequest } from '../../../src/domain/install.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { readKept } from '../kept.ts';
import type { Connection } from '../settings.ts';
import type { WebhookTarget } from './webhooks.ts';

/** A store's connection is its platform's own, parsed. */
export const connectionOf = ({ store }: InstallRequest): Connection => store.connection as Connection;

/** Webhooks sign with the config's newest secret, else with ours. */
export async function targetOf(request: InstallRequest, context: ShopContext): Promise<WebhookTarget> {
  const { url, webhookSecrets } = connectionOf(request);
  const { secrets } = await readKept(context.credentials, url);
  return {
    url: `${request.publicUrl}/webhooks/${encodeURIComponent(request.store.id)}`,
    secrets: [...webhookSecrets, ...secrets],
  };
}
