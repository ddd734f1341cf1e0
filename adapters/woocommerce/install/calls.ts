import { z } from 'zod';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { freeText, word } from '../../../src/domain/text.ts';
import { type Answer, type Call, readAnswer, refused } from '../answers.ts';
import { type ApiKeys, send } from '../client.ts';
import { metaSchema, text } from '../payload.ts';
import type { Connection } from '../settings.ts';

const webhook = z.object({
  id: z.int(),
  name: freeText,
  status: word,
  topic: word,
  delivery_url: word,
});
export type ShopWebhook = z.output<typeof webhook>;

const settings = z.object({ settings: z.object({ currency: word }) });
const environment = z.object({
  environment: z.object({ version: word, wp_cron: z.boolean().optional() }),
});
/** To tell of its environment, the shop itself asks servers on the internet; one that cannot waits for them in vain. */
const environmentMs = 45_000;
const recentOrders = z.array(
  z.object({ meta_data: z.array(metaSchema), billing: z.object({ company: text }) }),
);

/** The calls an installation makes, each with the keys it is given; they throw ShopError. */
export interface InstallCalls {
  settings(): Promise<{ currency: string; date: Date | null }>;
  environment(): Promise<z.output<typeof environment>['environment']>;
  /** Writes nothing, but only with a key that may. */
  mayWrite(): Promise<void>;
  recentOrders(): Promise<z.output<typeof recentOrders>>;
  webhooks(): Promise<ShopWebhook[]>;
  makeWebhook(made: { name: string; topic: string; delivery_url: string; secret: string }): Promise<void>;
  /** One that is gone already is none. */
  deleteWebhook(id: number): Promise<void>;
}

export function openInstallCalls(
  connection: Connection,
  keys: ApiKeys,
  context: Pick<ShopContext, 'userAgent' | 'outbound' | 'clock'>,
): InstallCalls {
  const ask = (call: Call, body?: unknown, timeoutMs = connection.timeoutMs): Promise<Answer> =>
    send({ ...connection, timeoutMs }, keys, context, call, body);
  const { clock } = context;
  function read<T>(schema: z.ZodType<T>, call: Call, answer: Answer): T {
    const json = readAnswer(call, answer, clock.now());
    const found = schema.safeParse(json);
    if (found.success) return found.data;
    throw refused(call, json, found.error);
  }
  async function get<T>(schema: z.ZodType<T>, path: string): Promise<T> {
    const call: Call = { method: 'get', path };
    return read(schema, call, await ask(call));
  }

  return {
    async settings() {
      const call: Call = { method: 'get', path: 'system_status?_fields=settings' };
      const answer = await ask(call);
      return { ...read(settings, call, answer).settings, date: answer.date };
    },
    async environment() {
      const call: Call = { method: 'get', path: 'system_status?_fields=environment' };
      const answer = await ask(call, undefined, Math.max(connection.timeoutMs, environmentMs));
      return read(environment, call, answer).environment;
    },
    async mayWrite() {
      const call: Call = { method: 'post', path: 'webhooks' };
      // There is no such topic: whoever may write hears so, whoever may not is told that first (measured on WooCommerce 11.0.1).
      const answer = await ask(call, { topic: 'refund.created', delivery_url: connection.url });
      if (answer.status !== 400) read(z.looseObject({}), call, answer);
    },
    recentOrders: () => get(recentOrders, 'orders?per_page=20&_fields=meta_data,billing'),
    webhooks: () => get(z.array(webhook), 'webhooks?per_page=100'),
    async makeWebhook(made) {
      const call: Call = { method: 'post', path: 'webhooks' };
      read(webhook, call, await ask(call, { ...made, status: 'active' }));
    },
    async deleteWebhook(id) {
      const call: Call = { method: 'delete', path: `webhooks/${id}?force=true` };
      readAnswer(call, await ask(call), clock.now());
    },
  };
}
