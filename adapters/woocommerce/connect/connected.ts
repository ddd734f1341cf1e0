import { ShopError } from '../../../src/core/errors.ts';
import { type Html, html } from '../../../src/core/html.ts';
import type { InstallItem } from '../../../src/core/install.ts';
import type { PageContext, PlatformPage } from '../../../src/core/platform-page.ts';
import { install } from '../install/install.ts';
import { readKept } from '../kept.ts';
import { attemptOf, type Connectable, endAttempt, findStore } from './attempt.ts';
import { page, sentencePage } from './html.ts';
import { check } from './keys.ts';
import { connectedPath } from './link.ts';

/** `GET /woocommerce/connected`: where the shop sends the merchant back to; says what happened and finishes the rest. */
export const connectedPage: PlatformPage = {
  method: 'GET',
  path: connectedPath,
  async answer(request, context) {
    const { searchParams } = new URL(request.url);
    const found = findStore(context, searchParams.get('store'));
    const nonce = searchParams.get('user_id') ?? '';
    const kept = found && (await readKept(context.credentials, found.connection.url));
    const attempt = kept && attemptOf(kept, nonce);
    if (!found || !attempt)
      return sentencePage(
        403,
        'Este enlace no abre',
        'Esta conexión no la empezó facturapuente, o se empezó otra después.',
      );
    if (searchParams.get('success') === '0')
      return sentencePage(
        200,
        'La tienda no quedó conectada',
        'No se aprobó el acceso. Abra otra vez el enlace cuando quiera conectarla.',
      );
    if (attempt.state === 'refused')
      return sentencePage(200, 'La tienda no quedó conectada', attempt.reason ?? '');
    if (attempt.state === 'open' || attempt.state === 'taken')
      return sentencePage(
        200,
        'La tienda no entregó sus claves',
        `La tienda debe poder llegar a ${context.publicUrl} por https, con un certificado válido. Revíselo y abra otra vez el enlace.`,
      );
    if (attempt.state === 'unchecked' && kept.keys !== null) {
      const checked = await check(found, kept.keys, context);
      if (checked instanceof ShopError) {
        await endAttempt(found, nonce, context, { state: 'refused', reason: checked.merchant }, () => ({
          keys: null,
        }));
        return sentencePage(200, 'La tienda no quedó conectada', checked.merchant);
      }
      if (checked === 'fine') await endAttempt(found, nonce, context, { state: 'connected', reason: null });
    }
    return connected(found, context);
  },
};

async function connected({ store }: Connectable, context: PageContext): Promise<Response> {
  const { publicUrl, tickets } = context;
  const { items } = await install({ store, app: null, publicUrl, tickets, apply: true }, context);
  const open = items.filter(({ state }) => state !== 'ok');
  const body =
    open.length === 0
      ? html`<p>Los webhooks están puestos. Ya puede cerrar esta página: cada pedido pagado se facturará solo.</p>`
      : html`<p>La tienda entregó sus claves. Queda por revisar:</p>
<ul>
${open.map(line)}</ul>`;
  return page(200, `La tienda «${store.id}» quedó conectada`, body);
}

const line = ({ what, cure }: InstallItem): Html => html`<li><strong>${what}.</strong> ${cure}</li>
`;
