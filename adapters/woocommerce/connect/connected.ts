import { type Html, html } from '../../../src/domain/html.ts';
import type { InstallItem } from '../../../src/domain/install.ts';
import type { PageContext, PlatformPage } from '../../../src/domain/platform-page.ts';
import { install } from '../install/install.ts';
import { type Attempt, readKept } from '../kept.ts';
import { attemptOf, type Connectable, findStore, moveAttempt, tryKeys } from './attempt.ts';
import { page, sentencePage } from './html.ts';
import { connectedPath } from './link.ts';

/** `GET /woocommerce/connected`: where the shop sends the merchant back to; says what happened and finishes the rest. */
export const connectedPage: PlatformPage = {
  method: 'GET',
  path: connectedPath,
  async answer(request, context) {
    const { searchParams } = new URL(request.url);
    const found = findStore(context, searchParams.get('store'));
    const nonce = searchParams.get('user_id') ?? '';
    const attempt = found && (await current(found, nonce, context));
    if (!found || !attempt) return closed();
    const { store, connection } = found;
    if (searchParams.get('success') === '0')
      return sentencePage(
        200,
        'La tienda no quedó conectada',
        'No se aprobó el acceso. Abra otra vez el enlace cuando quiera conectarla.',
      );
    if (attempt.state === 'unchecked' && attempt.pending !== null) {
      const tried = await tryKeys(connection, context, attempt, attempt.pending);
      if (tried.kind === 'unchecked')
        return sentencePage(
          200,
          'La tienda todavía no responde',
          'La tienda entregó sus claves, pero no contesta para comprobarlas. Recargue esta página en unos minutos.',
        );
      if (tried.kind === 'gone') return closed();
      if (tried.kind === 'refused') return refused(tried.reason);
      await context.connected(store.shop);
      return finish(found, { ...attempt, state: 'connected' }, context);
    }
    if (attempt.state === 'refused') return refused(attempt.reason ?? '');
    if (attempt.state === 'open' || attempt.state === 'taken')
      return sentencePage(
        200,
        'La tienda no entregó sus claves',
        `La tienda debe poder llegar a ${context.publicUrl} por https, con un certificado válido. Revíselo y abra otra vez el enlace.`,
      );
    return finish(found, attempt, context);
  },
};

const current = async ({ connection }: Connectable, nonce: string, context: PageContext) =>
  attemptOf(await readKept(context.credentials, connection.url), nonce, context);

const closed = (): Response =>
  sentencePage(
    403,
    'Este enlace no abre',
    'Esta conexión no la empezó facturapuente, ya pasó su hora, o se empezó otra después.',
  );

const refused = (reason: string): Response => sentencePage(200, 'La tienda no quedó conectada', reason);

/** Finishes the installation, once: whoever loads the page again is told the same, and nothing is done. */
async function finish(
  { store, connection }: Connectable,
  attempt: Attempt,
  context: PageContext,
): Promise<Response> {
  const { publicUrl, tickets } = context;
  const isFirst = await moveAttempt(connection, context, attempt, { state: 'done' });
  if (!isFirst || attempt.state === 'done') return connected(store.id, []);
  const items = await install({ store, app: null, publicUrl, tickets, apply: true }, context);
  return connected(
    store.id,
    items.filter(({ state }) => state !== 'ok'),
  );
}

function connected(store: string, open: readonly InstallItem[]): Response {
  const body =
    open.length === 0
      ? html`<p>Ya puede cerrar esta página: cada pedido pagado se facturará solo.</p>`
      : html`<p>La tienda entregó sus claves. Queda por revisar:</p>
<ul>
${open.map(line)}</ul>`;
  return page(200, `La tienda «${store}» quedó conectada`, body);
}

const line = ({ what, cure }: InstallItem): Html => html`<li><strong>${what}.</strong> ${cure}</li>
`;
