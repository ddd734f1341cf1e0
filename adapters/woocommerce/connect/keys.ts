import { z } from 'zod';
import { readJson } from '../../../src/domain/json.ts';
import type { PlatformPage } from '../../../src/domain/platform-page.ts';
import { word } from '../../../src/domain/text.ts';
import { findStore, moveAttempt, takeAttempt, tryKeys } from './attempt.ts';
import { keysPath } from './link.ts';

const handedOver = z.object({
  user_id: z.string().min(1).max(200),
  consumer_key: z.string().regex(/^ck_\w{8,80}$/),
  consumer_secret: z.string().regex(/^cs_\w{8,80}$/),
  key_permissions: word,
});

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
    const attempt = found && read.success ? await takeAttempt(found, read.data.user_id, context) : null;
    if (!found || !read.success || !attempt) {
      context.log.warn({ path: keysPath }, 'Somebody brought keys nobody asked for');
      return new Response('Nadie pidió estas claves, o el enlace venció.', { status: 403 });
    }
    const { connection, store } = found;
    const { consumer_key: consumerKey, consumer_secret: consumerSecret } = read.data;
    const refuse = (reason: string): Response => {
      context.log.warn({ store: store.id, reason }, 'Keys a shop handed over were refused');
      return new Response(reason, { status: 409 });
    };
    if (read.data.key_permissions !== 'read_write') {
      const reason = 'La tienda entregó claves sin permiso de lectura y escritura; conéctela otra vez.';
      await moveAttempt(connection, context, attempt, { state: 'refused', reason });
      return refuse(reason);
    }
    const tried = await tryKeys(connection, context, attempt, { consumerKey, consumerSecret });
    if (tried.kind === 'refused') return refuse(tried.reason);
    if (tried.kind === 'gone') return refuse('Se empezó otra conexión después de esta; termine aquella.');
    context.log.info({ store: store.id, state: tried.kind }, 'A shop handed over its keys');
    if (tried.kind === 'connected') await context.connected(store.shop);
    return new Response('ok', { status: 200 });
  },
};

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}
