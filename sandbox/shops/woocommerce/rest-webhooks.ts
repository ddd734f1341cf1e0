import { fail, invalid, noRoute, page, type RestAnswer } from './rest.ts';
import { newWebhook, type ShownWebhook } from './webhook-shape.ts';
import type { Webhooks } from './webhooks.ts';

interface WebhookCall {
  method: string;
  url: URL;
  json: unknown;
  /** `{home}/wp-json/wc/v3/webhooks` */
  collection: string;
  id: number | null;
}

/** `webhooks` and one of them, as recorded; DELETE and PUT of one by the API's documentation. */
export async function answerWebhooks(webhooks: Webhooks, call: WebhookCall): Promise<RestAnswer> {
  const { method, url, json, collection, id } = call;
  const asked = newWebhook.safeParse(json ?? {});
  if (!asked.success) return invalid(String(asked.error.issues[0]?.path[0] ?? 'topic'));
  if (id === null) {
    if (method === 'GET') return page(listed(webhooks, url).map(linked(collection)), url);
    if (method !== 'POST') return fail(noRoute);
    const made = await webhooks.make(asked.data);
    if (!('id' in made)) return fail(made);
    return { status: 201, headers: { location: `${collection}/${made.id}` }, body: linked(collection)(made) };
  }
  const found = webhooks.get(id);
  if (found === undefined) {
    return fail({ status: 404, code: 'woocommerce_rest_shop_webhook_invalid_id', message: 'Invalid ID.' });
  }
  if (method === 'DELETE') {
    if (url.searchParams.get('force') !== 'true') return fail(noTrash);
    webhooks.remove(id);
    return { status: 200, body: linked(collection)(found) };
  }
  const shown = method === 'PUT' ? await webhooks.change(id, asked.data) : found;
  if (shown === undefined || !['GET', 'PUT'].includes(method)) return fail(noRoute);
  return { status: 200, body: linked(collection)(shown) };
}

const noTrash = {
  status: 501,
  code: 'woocommerce_rest_trash_not_supported',
  message: 'Webhooks do not support trashing.',
};

/** The newest first; «all», the default, leaves none out. */
function listed(webhooks: Webhooks, url: URL): ShownWebhook[] {
  const status = url.searchParams.get('status') ?? 'all';
  return webhooks
    .list()
    .filter((one) => status === 'all' || one.status === status)
    .sort((a, b) => b.date_created_gmt.localeCompare(a.date_created_gmt) || b.id - a.id);
}

const linked = (collection: string) => (webhook: ShownWebhook) => ({
  ...webhook,
  _links: {
    self: [
      {
        href: `${collection}/${webhook.id}`,
        targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
      },
    ],
    collection: [{ href: collection }],
  },
});
