import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { inWords } from '../../src/domain/checks.ts';
import { ShopError } from '../../src/domain/errors.ts';
import { tryReadJson } from '../../src/domain/loose.ts';
import { merchantPage } from '../../src/domain/merchant-page.ts';
import type { PageContext, PageStore, PlatformPage, ShopContext } from '../../src/domain/platform.ts';
import { isLoopback } from '../../src/domain/ports.ts';
import { html, word } from '../../src/domain/text.ts';
import { openApi } from './api.ts';
import type { ApiKeys } from './client.ts';
import {
  type Attempt,
  configuredKeys,
  readCredentials,
  type ShopCredentials,
  updateCredentials,
} from './credentials.ts';
import { connectPath, connectUse, install } from './install.ts';
import type { Connection } from './settings.ts';
import { newSecret } from './webhooks.ts';

const keysPath = '/woocommerce/keys';
const connectedPath = '/woocommerce/connected';

export const connectForm: PlatformPage = {
  method: 'GET',
  path: connectPath,
  async answer(request, context) {
    const { searchParams } = new URL(request.url);
    const opened = open(searchParams, context);
    if (opened instanceof Response) return opened;
    const { store, connection } = opened;
    const { keys } = await readCredentials(context.credentials, connection.url);
    const body = html`<p>La página siguiente es de su propia tienda: entre como administrador y apruebe el acceso.</p>
<p><strong>${store.id}</strong>: ${connection.url}</p>
${keys !== null && html`<p>Ya está conectada. Sus claves se reemplazan cuando la tienda entregue otras y funcionen.</p>`}
<form method="post">
<input type="hidden" name="ticket" value="${searchParams.get('ticket') ?? ''}">
<input type="hidden" name="store" value="${store.id}">
<button>Conectar</button>
</form>`;
    return merchantPage(200, 'Conectar una tienda de WooCommerce', body);
  },
};

export const connectStart: PlatformPage = {
  method: 'POST',
  path: connectPath,
  async answer(request, context) {
    const opened = open(new URLSearchParams(await request.text()), context);
    if (opened instanceof Response) return opened;
    const location = authorizeUrl(opened, await beginAttempt(opened, context), context.publicUrl);
    return new Response(null, { status: 303, headers: { location } });
  },
};

function open(query: URLSearchParams, context: PageContext): Connectable | Response {
  const { tickets, publicUrl } = context;
  const found = findStore(context, query.get('store'));
  if (!found || !tickets.admits(connectUse(found.store), query.get('ticket') ?? ''))
    return merchantPage(
      403,
      'Este enlace no abre',
      'El enlace no vale o ya venció: pida a quien administra facturapuente que ejecute «facturapuente install» y le envíe el nuevo.',
    );
  if (!publicUrl.startsWith('https:') && !isLoopback(new URL(publicUrl).hostname))
    return merchantPage(
      409,
      'Hace falta HTTPS',
      'WooCommerce entrega sus claves solo por https: escriba «publicUrl» con https:// en la configuración.',
    );
  return found;
}

/** WooCommerce's own page, on which the merchant approves (measured on WooCommerce 11.0.1). */
function authorizeUrl({ store, connection }: Connectable, nonce: string, publicUrl: string): string {
  const of = new URLSearchParams({ store: store.id });
  const query = new URLSearchParams({
    app_name: 'facturapuente',
    scope: 'read_write',
    user_id: nonce,
    return_url: `${publicUrl}${connectedPath}?${of}`,
    callback_url: `${publicUrl}${keysPath}?${of}`,
  });
  return `${connection.url}/wc-auth/v1/authorize?${query}`;
}

interface Connectable {
  store: PageStore;
  connection: Connection;
}

function findStore(context: PageContext, id: string | null): Connectable | undefined {
  const store = context.stores().find((one) => one.id === id);
  const connection = store?.connection as Connection | undefined;
  if (!store || !connection?.apiAccess || configuredKeys(connection) !== null) return undefined;
  return { store, connection };
}

const attemptLifeMs = 60 * 60_000;

const digest = (nonce: string): string => createHash('sha256').update(nonce).digest('hex');

async function beginAttempt({ connection }: Connectable, context: PageContext): Promise<string> {
  const nonce = randomBytes(32).toString('base64url');
  const until = new Date(context.clock.now().getTime() + attemptLifeMs).toISOString();
  await updateCredentials(context.credentials, connection.url, (before) => ({
    ...before,
    attempt: { nonce: digest(nonce), until, state: 'open', pending: null, reason: null },
  }));
  return nonce;
}

/** Null after an hour. Digests are compared, so the time taken reveals nothing. */
function attemptOf(
  { attempt }: ShopCredentials,
  nonce: string,
  { clock }: Pick<PageContext, 'clock'>,
): Attempt | null {
  if (attempt === null || attempt.nonce !== digest(nonce)) return null;
  return Date.parse(attempt.until) > clock.now().getTime() ? attempt : null;
}

async function takeAttempt(
  { connection }: Connectable,
  nonce: string,
  context: PageContext,
): Promise<Attempt | null> {
  let taken: Attempt | null = null;
  await updateCredentials(context.credentials, connection.url, (before) => {
    const attempt = attemptOf(before, nonce, context);
    taken = attempt?.state === 'open' ? { ...attempt, state: 'taken' } : null;
    return taken && { ...before, attempt: taken };
  });
  return taken;
}

async function moveAttempt(
  { url }: Pick<Connection, 'url'>,
  { credentials }: Pick<ShopContext, 'credentials'>,
  from: Attempt,
  to: Partial<Pick<Attempt, 'state' | 'reason' | 'pending'>>,
  more: (before: ShopCredentials) => Partial<ShopCredentials> = () => ({}),
): Promise<boolean> {
  let moved = false;
  await updateCredentials(credentials, url, (before) => {
    const { attempt } = before;
    moved = attempt !== null && attempt.nonce === from.nonce && attempt.state === from.state;
    return moved && attempt ? { ...before, ...more(before), attempt: { ...attempt, ...to } } : null;
  });
  return moved;
}

/** A shop with one PHP worker cannot answer while it waits for our answer (measured on WooCommerce 11.0.1). */
const checkTimeoutMs = 8_000;

type Tried = { kind: 'connected' | 'unchecked' | 'superseded' } | { kind: 'refused'; reason: string };

async function tryKeys(
  connection: Connection,
  context: ShopContext,
  attempt: Attempt,
  keys: ApiKeys,
): Promise<Tried> {
  const error = await check(connection, context, keys);
  if (error?.retryable) {
    const isMoved = await moveAttempt(connection, context, attempt, { state: 'unchecked', pending: keys });
    return { kind: isMoved ? 'unchecked' : 'superseded' };
  }
  if (error) {
    const { merchant: reason } = error;
    const isMoved = await moveAttempt(connection, context, attempt, {
      state: 'refused',
      pending: null,
      reason,
    });
    return isMoved ? { kind: 'refused', reason } : { kind: 'superseded' };
  }
  const to = { state: 'connected', pending: null } as const;
  const isMoved = await moveAttempt(connection, context, attempt, to, ({ secrets }) => ({
    keys,
    installed: true,
    uninstalled: false,
    // A person who had the old keys may have known the old secret.
    secrets: [newSecret(), ...secrets.slice(0, 1)],
  }));
  return { kind: isMoved ? 'connected' : 'superseded' };
}

async function check(connection: Connection, context: ShopContext, keys: ApiKeys): Promise<ShopError | null> {
  const timeoutMs = Math.min(connection.timeoutMs, checkTimeoutMs);
  try {
    await openApi({ ...connection, timeoutMs }, async () => keys, context).recentOrders();
    return null;
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return error;
  }
}

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
