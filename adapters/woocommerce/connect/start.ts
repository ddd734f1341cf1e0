import type { Clock } from '../../../src/domain/clock.ts';
import { merchantPage } from '../../../src/domain/merchant-page.ts';
import type { InstallRequest, PageContext, PlatformPage } from '../../../src/domain/platform.ts';
import { html } from '../../../src/domain/text.ts';
import { readCredentials } from '../credentials.ts';
import { isLoopback } from '../install-checks.ts';
import { beginAttempt, type Connectable, findStore } from './attempt.ts';

export const connectPath = '/woocommerce/connect';
export const keysPath = '/woocommerce/keys';
export const connectedPath = '/woocommerce/connected';

export const connectUse = ({ id, shop }: { id: string; shop: string }): string =>
  `woocommerce connect ${id} ${shop}`;

const ticketLifeMs = 24 * 60 * 60_000;

export function connectLink({ publicUrl, store, tickets }: InstallRequest, clock: Clock): string {
  const ticket = tickets.issue(connectUse(store), new Date(clock.now().getTime() + ticketLifeMs));
  return `${publicUrl}${connectPath}?${new URLSearchParams({ store: store.id, ticket })}`;
}

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
  if (!publicUrl.startsWith('https:') && !isLoopback(publicUrl))
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
