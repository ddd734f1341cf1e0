import { z } from 'zod';
import { ShopError } from '../../../src/core/errors.ts';
import { readJson } from '../../../src/core/json.ts';
import type { PageContext, PlatformPage } from '../../../src/core/platform-page.ts';
import type { ApiKeys } from '../client.ts';
import { openInstallCalls } from '../install/calls.ts';
import { newSecret } from '../install/secret.ts';
import { type Connectable, endAttempt, findStore, takeAttempt } from './attempt.ts';
import { keysPath } from './link.ts';

const handedOver = z.object({
  user_id: z.string().min(1).max(200),
  consumer_key: z.string().regex(/^ck_\w{8,80}$/),
  consumer_secret: z.string().regex(/^cs_\w{8,80}$/),
  key_permissions: z.string(),
});

/** A shop with one worker only cannot answer us before we answered it; it waits a minute (measured on WooCommerce 11.0.1). */
const checkWithinMs = 8_000;

/**
 * `POST /woocommerce/keys`: the shop brings keys, unsigned; the nonce says for which shop they are, once. Anything but
 * exactly 200 makes the shop take the keys back (measured on WooCommerce 11.0.1).
 */
export const keysDoor: PlatformPage = {
  method: 'POST',
  path: keysPath,
  async answer(request, context) {
    const found = findStore(context, new URL(request.url).searchParams.get('store'));
    const read = handedOver.safeParse(parse(await request.text()));
    if (!found || !read.success || !(await takeAttempt(found, read.data.user_id, context))) {
      context.log.warn({ path: keysPath }, 'Somebody brought keys nobody asked for');
      return new Response('Nadie pidió estas claves, o el enlace venció.', { status: 403 });
    }
    const { user_id: nonce, consumer_key: consumerKey, consumer_secret: consumerSecret } = read.data;
    const refuse = async (reason: string): Promise<Response> => {
      await endAttempt(found, nonce, context, { state: 'refused', reason });
      context.log.warn({ store: found.store.id, reason }, 'Keys a shop handed over were refused');
      return new Response(reason, { status: 409 });
    };
    if (read.data.key_permissions !== 'read_write')
      return refuse('La tienda entregó claves sin permiso de lectura y escritura; conéctela otra vez.');
    const keys = { consumerKey, consumerSecret };
    const checked = await check(found, keys, context);
    if (checked !== 'fine' && checked !== 'no-answer') return refuse(checked.merchant);
    const state = checked === 'fine' ? 'connected' : 'unchecked';
    const ended = await endAttempt(found, nonce, context, { state, reason: null }, ({ secrets }) => ({
      keys,
      installed: true,
      // Whoever had the old keys may have known the old secret.
      secrets: [newSecret(), ...secrets.slice(0, 1)],
    }));
    if (!ended) return refuse('Se empezó otra conexión después de esta; termine aquella.');
    context.log.info({ store: found.store.id, state }, 'A shop handed over its keys');
    await context.connected(found.store.shop);
    return new Response('ok', { status: 200 });
  },
};

/** Whether these keys open this very shop. */
export async function check(
  { connection }: Connectable,
  keys: ApiKeys,
  context: PageContext,
): Promise<'fine' | 'no-answer' | ShopError> {
  const timeoutMs = Math.min(connection.timeoutMs, checkWithinMs);
  try {
    await openInstallCalls({ ...connection, timeoutMs }, keys, context).recentOrders();
    return 'fine';
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return error.retryable ? 'no-answer' : error;
  }
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}
