import { type Account, mask } from '../../accounts/accounts.ts';
import { creditsLeft, freeQueriesLeft } from '../../accounts/wallets.ts';
import type { World } from '../../world.ts';
import { type Html, html } from './html.ts';
import { badge, card, empty, facts, type View } from './parts.ts';
import { accountName } from './words.ts';

/** `/pagina/cuentas`: credits, wallets and webhook of every account; keys and secrets masked. */
export function accountsView(world: World): View {
  const cards = [...world.accounts.values()].map((account) => accountCard(world, account));
  const body = html`<h1>Cuentas</h1>
<p class="lead">Saldos y configuración de cada clave de API. En ambiente 1 nada se cobra.</p>
${cards.length === 0 ? empty('No hay cuentas.') : html`<div class="grid">${cards}</div>`}`;
  return { title: 'Cuentas', section: '/pagina/cuentas', body };
}

function accountCard(world: World, account: Account): Html {
  const approved = account.providerApproved
    ? badge('ok', 'Producción abierta')
    : badge('wait', 'Solo pruebas: faltan los datos de proveedor');
  const now = world.clock.now();
  return card(
    accountName(world, account.apiKey),
    facts([
      ['X-API-KEY', html`<code>${mask(account.apiKey)}</code>`],
      ['Créditos', html`<strong>${creditsLeft(account.wallets, now)}</strong> comprobantes`],
      ['Consultas gratis', String(freeQueriesLeft(account.wallets, now))],
      ['Cartera de consultas', dollars(account.wallets.consultas)],
      ['Cartera general', dollars(account.wallets.general)],
      ['Webhook', webhookOf(account)],
    ]),
    approved,
  );
}

function webhookOf({ webhook }: Account): Html {
  if (!webhook) return html`Sin configurar`;
  return html`<code class="key">${readableUrl(webhook.url)}</code> ${!webhook.activo && badge('wait', 'Inactivo')}<span class="under">Secreto <code>${mask(webhook.secret)}</code></span>`;
}

const dollars = (cents: number) => `${(cents / 100).toFixed(2)} USD`;

// Some receivers carry a password in their address.
function readableUrl(text: string): string {
  const url = new URL(text);
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
