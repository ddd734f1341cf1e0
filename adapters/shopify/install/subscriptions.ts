import { z } from 'zod';
import { word } from '../../../src/domain/text.ts';
import type { Client } from '../client.ts';

/** Only those made through the API in this one shop: what the TOML declares is not listed (schema 2026-10). */
export const subscriptionsQuery = `query FacturapuenteSubscriptions {
  webhookSubscriptions(first: 100) {
    nodes {
      topic
      uri
    }
  }
}`;

const Answer = z.object({
  webhookSubscriptions: z.object({ nodes: z.array(z.object({ topic: word, uri: word })) }),
});

/** Topics the shop sends us twice, because somebody subscribed by hand beside the app's configuration. */
export async function doubledTopics(client: Client, publicUrl: string): Promise<string[]> {
  const answer = await client.query(subscriptionsQuery, {}, Answer, 'reading webhook subscriptions');
  const { nodes } = answer.webhookSubscriptions;
  return nodes.filter(({ uri }) => uri.startsWith(`${publicUrl}/`)).map(({ topic }) => topic);
}
