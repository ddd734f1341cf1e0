import { z } from 'zod';
import { inWords } from '../../../src/domain/checks.ts';
import { tryReadJson } from '../../../src/domain/loose.ts';
import { merchantPage } from '../../../src/domain/merchant-page.ts';
import type { PlatformPage } from '../../../src/domain/platform.ts';
import { html, word } from '../../../src/domain/text.ts';
import { readCredentials } from '../credentials.ts';
import { install } from '../install.ts';
import { attemptOf, findStore, moveAttempt, takeAttempt, tryKeys } from './attempt.ts';
import { connectedPath, keysPath } from './start.ts';

const keysBody = z.object({
  user_id: z.string().min(1).max(200),
  consumer_key: z.string().regex(/^ck_\w{8,80}$/),
  consumer_secret: z.string().regex(/^cs_\w{8,80}$/),
  key_permissions: word,
});

/** For any answer except exactly 200 the shop deletes the keys (measured on WooCommerce 11.0.1). */
export const keysEndpoint: PlatformPage = {
  method: 'POST',
  path: keysPath,
  async answer(request, context) {
    const found = findStore(context, new URL(request.url).searchParams.get('store'));
    const { data } = keysBody.safeParse(tryReadJson(await request.text()));
    const attempt = found && data ? await takeAttempt(found, data.user_id, context) : null;
    if (!found || !data || !attempt) {
      context.log.warn({ path: keysPath }, 'Refused keys of a shop that nobody is connecting');
      return new Response('Nadie pidió estas claves, o el enlace venció.', { status: 403 });
    }
    const { connection, store } = found;
    const refuse = (reason: string): Response => {
      context.log.warn({ store: store.id, reason }, 'Refused the keys a shop handed over');
      return new Response(reason, { status: 409 });
    };
    if (data.key_permissions !== 'read_write') {
      const reason = 'La tienda entregó claves sin permiso de lectura y escritura; conéctela otra vez.';
      await moveAttempt(connection, context, attempt, { state: 'refused', reason });
      return refuse(reason);
    }
    const tried = await tryKeys(connection, context, attempt, {
      consumerKey: data.consumer_key,
      consumerSecret: data.consumer_secret,
    });
    if (tried.kind === 'refused') return refuse(tried.reason);
    if (tried.kind === 'superseded')
      return refuse('Se empezó otra conexión después de esta; termine aquella.');
    context.log.info({ store: store.id, state: tried.kind }, 'A shop handed over its keys');
    if (tried.kind === 'connected') await context.connected(store.shop);
    return new Response('ok', { status: 200 });
  },
};

const expired = (): Response =>
  merchantPage(
    403,
    'Este enlace no abre',
    'Esta conexión no la empezó facturapuente, ya pasó su hora, o se empezó otra después.',
  );
const notConnected = (reason: string): Response => merchantPage(200, 'La tienda no quedó conectada', reason);

export const connectedPage: PlatformPage = {
  method: 'GET',
  path: connectedPath,
  async answer(request, context) {
    const { searchParams } = new URL(request.url);
    const found = findStore(context, searchParams.get('store'));
    if (!found) return expired();
    const { store, connection } = found;
    const stored = await readCredentials(context.credentials, connection.url);
    let attempt = attemptOf(stored, searchParams.get('user_id') ?? '', context);
    if (!attempt) return expired();
    if (searchParams.get('success') === '0')
      return notConnected('No se aprobó el acceso. Abra otra vez el enlace cuando quiera conectarla.');
    if (attempt.state === 'unchecked' && attempt.pending !== null) {
      const tried = await tryKeys(connection, context, attempt, attempt.pending);
      if (tried.kind === 'unchecked')
        return merchantPage(
          200,
          'La tienda todavía no responde',
          'La tienda entregó sus claves, pero no contesta para comprobarlas. Recargue esta página en unos minutos.',
        );
      if (tried.kind === 'superseded') return expired();
      if (tried.kind === 'refused') return notConnected(tried.reason);
      await context.connected(store.shop);
      attempt = { ...attempt, state: 'connected' };
    }
    if (attempt.state === 'refused') return notConnected(attempt.reason ?? '');
    if (attempt.state === 'open' || attempt.state === 'taken')
      return merchantPage(
        200,
        'La tienda no entregó sus claves',
        `La tienda debe poder llegar a ${context.publicUrl} por https, con un certificado válido. Revíselo y abra otra vez el enlace.`,
      );
    const isFirst =
      attempt.state !== 'done' && (await moveAttempt(connection, context, attempt, { state: 'done' }));
    const { publicUrl, tickets } = context;
    const items = isFirst
      ? await install({ store, app: null, publicUrl, tickets, apply: true }, context)
      : [];
    const open = items.filter(({ state }) => state !== 'ok');
    const rows = open.map(inWords).map(
      ({ what, resolution }) => html`<li><strong>${what}.</strong> ${resolution}</li>
`,
    );
    return merchantPage(
      200,
      `La tienda «${store.id}» quedó conectada`,
      open.length === 0
        ? 'Ya puede cerrar esta página: cada pedido pagado se facturará solo.'
        : html`<p>La tienda entregó sus claves. Queda por revisar:</p>
<ul>
${rows}</ul>`,
    );
  },
};
