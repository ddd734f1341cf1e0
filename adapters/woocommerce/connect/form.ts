import { html } from '../../../src/domain/html.ts';
import type { PageContext, PlatformPage } from '../../../src/domain/platform-page.ts';
import { isLoopback } from '../install/address.ts';
import { readKept } from '../kept.ts';
import { beginAttempt, type Connectable, findStore } from './attempt.ts';
import { page, sentencePage } from './html.ts';
import { connectedPath, connectPath, connectUse, keysPath } from './link.ts';

/** `GET /woocommerce/connect`: shows the one store its link was made for. */
export const connectForm: PlatformPage = {
  method: 'GET',
  path: connectPath,
  async answer(request, context) {
    const { searchParams } = new URL(request.url);
    const opened = open(searchParams, context);
    if (opened instanceof Response) return opened;
    const { store, connection } = opened;
    const { keys } = await readKept(context.credentials, connection.url);
    const body = html`<p>La página siguiente es de su propia tienda: entre como administrador y apruebe el acceso.</p>
<p><strong>${store.id}</strong>: ${connection.url}</p>
${keys !== null && html`<p>Ya está conectada. Sus claves se reemplazan cuando la tienda entregue otras y funcionen.</p>`}
<form method="post">
<input type="hidden" name="ticket" value="${searchParams.get('ticket') ?? ''}">
<input type="hidden" name="store" value="${store.id}">
<button>Conectar</button>
</form>`;
    return page(200, 'Conectar una tienda de WooCommerce', body, formTargets(connection.url));
  },
};

/**
 * Browsers hold every redirect after a form to the page's policy, and a shop may send its administrator on: to `www`,
 * or to WordPress.com to log in.
 */
function formTargets(url: string): string[] {
  return url.startsWith('http:') ? ['https:', new URL(url).origin] : ['https:'];
}

/** `POST /woocommerce/connect`: on to the shop, with a nonce of this shop's own. */
export const connectStart: PlatformPage = {
  method: 'POST',
  path: connectPath,
  async answer(request, context) {
    const opened = open(new URLSearchParams(await request.text()), context);
    if (opened instanceof Response) return opened;
    const location = authorizeUrl(opened, await beginAttempt(opened, context), context.publicUrl);
    return new Response(null, {
      status: 303,
      headers: { location, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
    });
  },
};

/** The store a link opens, or the page that says why it opens none: for a wrong ticket and for no such store alike. */
function open(asked: URLSearchParams, context: PageContext): Connectable | Response {
  const { tickets, publicUrl } = context;
  const found = findStore(context, asked.get('store'));
  if (!found || !tickets.admits(connectUse(found.store), asked.get('ticket') ?? ''))
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
