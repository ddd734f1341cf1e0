import { html } from '../../../src/core/html.ts';
import type { PageContext, PlatformPage } from '../../../src/core/platform-page.ts';
import { isLoopback } from '../install/address.ts';
import { readKept } from '../kept.ts';
import { beginAttempt, type Connectable, connectables, findStore } from './attempt.ts';
import { page, sentencePage } from './html.ts';
import { connectedPath, connectPath, connectUse, keysPath } from './link.ts';

/** `GET /woocommerce/connect`: which store is to be connected. */
export const connectForm: PlatformPage = {
  method: 'GET',
  path: connectPath,
  async answer(request, context) {
    const { searchParams } = new URL(request.url);
    const ticket = searchParams.get('ticket') ?? '';
    const closed = whyClosed(ticket, context);
    if (closed) return closed;
    const stores = await Promise.all(
      connectables(context).map(async (one) => ({
        ...one,
        connected: (await readKept(context.credentials, one.connection.url)).keys !== null,
      })),
    );
    if (stores.length === 0)
      return sentencePage(
        200,
        'No hay nada que conectar',
        'Todas las tiendas de WooCommerce tienen sus claves en la configuración.',
      );
    const chosen = searchParams.get('store') ?? stores.find(({ connected }) => !connected)?.store.id;
    const options = stores
      .toSorted((a, b) => Number(a.connected) - Number(b.connected))
      .map(({ store, connection, connected }) => {
        const note = connected ? ' — ya está conectada; sus claves se reemplazarán' : '';
        const checked = store.id === chosen && ' checked';
        return html`<label><input type="radio" name="store" value="${store.id}" required${checked}> ${store.id}: ${connection.url}${note}</label>
`;
      });
    const body = html`<p>Elija la tienda. La página siguiente es de su propia tienda: entre como administrador y apruebe el acceso.</p>
<form method="post">
<input type="hidden" name="ticket" value="${ticket}">
<fieldset>
<legend>Tienda</legend>
${options}</fieldset>
<button>Conectar</button>
</form>`;
    return page(200, 'Conectar una tienda de WooCommerce', body, formTargets(stores));
  },
};

/**
 * Browsers hold every redirect after a form to the page's policy, and a shop may send its administrator on: to `www`,
 * or to WordPress.com to log in.
 */
function formTargets(stores: readonly Connectable[]): string[] {
  const origins = stores.map(({ connection }) => new URL(connection.url).origin);
  return ['https:', ...new Set(origins.filter((origin) => origin.startsWith('http:')))];
}

/** `POST /woocommerce/connect`: on to the shop, with a nonce of this shop's own. */
export const connectStart: PlatformPage = {
  method: 'POST',
  path: connectPath,
  async answer(request, context) {
    const form = new URLSearchParams(await request.text());
    const closed = whyClosed(form.get('ticket') ?? '', context);
    if (closed) return closed;
    const found = findStore(context, form.get('store'));
    if (!found)
      return sentencePage(400, 'Elija una tienda', 'Vuelva atrás y elija una de las tiendas de la lista.');
    const location = authorizeUrl(found, await beginAttempt(found, context), context.publicUrl);
    return new Response(null, {
      status: 303,
      headers: { location, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
    });
  },
};

function whyClosed(ticket: string, { tickets, publicUrl }: PageContext): Response | null {
  if (!tickets.admits(connectUse, ticket))
    return sentencePage(
      403,
      'Este enlace no abre',
      'El enlace no vale o ya venció: pida a quien administra facturapuente que ejecute «facturapuente install» y le envíe el nuevo.',
    );
  if (!publicUrl.startsWith('https:') && !isLoopback(publicUrl))
    return sentencePage(
      409,
      'Hace falta HTTPS',
      'WooCommerce entrega sus claves solo por https: escriba «publicUrl» con https:// en la configuración.',
    );
  return null;
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
