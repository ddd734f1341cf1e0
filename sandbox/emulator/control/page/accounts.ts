import { type Html, html } from '../../../../src/domain/text.ts';
import { type Account, mask } from '../../accounts/accounts.ts';
import { freeQueriesPerMonth } from '../../accounts/prices.ts';
import { creditsLeft, freeQueriesLeft } from '../../accounts/wallets.ts';
import { isoInEcuador } from '../../clock.ts';
import type { World } from '../../world.ts';
import { pay, recharge } from '../recharges.ts';
import { badge, card, empty, type Form, facts, type View } from './parts.ts';
import { accountAt, accountName, moment } from './words.ts';

/** `/pagina/cuentas`: credits, wallets and webhook of every account, and recharges; keys and secrets masked. */
export function accountsView(world: World, form: Form): View {
  const cards = [...world.accounts.values()].map((account, index) =>
    accountCard(world, account, index + 1, form),
  );
  const body = html`<h1>Cuentas</h1>
<p class="lead">Saldos y configuración de cada clave de API. En ambiente 1 nada se cobra.</p>
${cards.length === 0 ? empty('No hay cuentas.') : html`<div class="grid">${cards}</div>`}`;
  return { title: 'Cuentas', section: '/pagina/cuentas', body };
}

function accountCard(world: World, account: Account, place: number, form: Form): Html {
  const { wallets } = account;
  const now = world.clock.now();
  const approved = account.providerApproved
    ? badge('ok', 'Producción abierta')
    : badge('wait', 'Solo pruebas');
  const usd = (cents: number) => html`USD ${(cents / 100).toFixed(2)}`;
  const rows = facts([
    ['X-API-KEY', html`<code>${mask(account.apiKey)}</code>`],
    ['Facturación', html`<strong>${creditsLeft(wallets, now)}</strong> comprobantes${rechargesOf(account)}`],
    [
      'Consultas',
      html`${usd(wallets.consultas)} · ${freeQueriesLeft(wallets, now)} de ${freeQueriesPerMonth} gratis este mes`,
    ],
    ['General', html`${usd(wallets.general)} · ${account.verifications.length} verificaciones`],
    ['Identidad', account.beta ? 'Con acceso a la beta' : 'Sin acceso a la beta'],
    ['Empresas', companiesOf(account)],
    ['Webhook', webhookOf(account)],
  ]);
  return card(
    accountName(world, account.apiKey),
    html`${rows}${form('recargas', rechargeFields(place), { kind: 'buttons' })}`,
    approved,
  );
}

function rechargesOf({ wallets }: Account): Html[] {
  return wallets.facturacion.map(
    ({ quedan, documentos, vencen }) =>
      html`<span class="under">${quedan} de ${documentos} vencen el ${moment(isoInEcuador(new Date(vencen)))}</span>`,
  );
}

function rechargeFields(place: number): Html {
  const wallets = [
    ['facturacion', 'Facturación'],
    ['consultas', 'Consultas'],
    ['general', 'General'],
  ] as const;
  return html`<input type="hidden" name="cuenta" value="${place}">
<label>Cartera<select name="cartera">${wallets.map(([value, name]) => html`<option value="${value}">${name}</option>`)}</select></label>
<label>USD<input class="few" type="number" name="usd" min="0.01" step="any" value="50" required></label>
<button aria-label="Recargar la cuenta ${place}">Recargar</button>`;
}

/** Recharges a wallet as its form asks; answers why it cannot be, or undefined when it is done. */
export function rechargeFrom(world: World, asked: Readonly<Record<string, string>>): string | undefined {
  const account = accountAt(world, asked.cuenta);
  if (!account) return 'Esa cuenta no existe.';
  const read = recharge.safeParse({ cartera: asked.cartera, usd: Number(asked.usd || Number.NaN) });
  if (!read.success) return `No se recargó: ${read.error.issues.map(({ message }) => message).join(' ')}.`;
  pay(world, account, read.data);
  world.touch(account);
  return undefined;
}

function companiesOf({ companies }: Account): Html {
  const all = Object.values(companies);
  if (all.length === 0) return html`Ninguna registrada`;
  return html`${all.map(({ ruc, razon_social, firma }) => {
    const signature = firma ? html`firma hasta el ${moment(firma.valido_hasta)}` : 'sin firma';
    return html`<span class="name">${razon_social}</span><span class="under"><code>${ruc}</code> · ${signature}</span>`;
  })}`;
}

function webhookOf({ webhook }: Account): Html {
  if (!webhook) return html`Sin configurar`;
  return html`<code class="key">${readableUrl(webhook.url)}</code> ${!webhook.activo && badge('wait', 'Inactivo')}<span class="under">Secreto <code>${mask(webhook.secret)}</code></span>`;
}

// Some receivers carry a password in their address.
function readableUrl(text: string): string {
  const url = new URL(text);
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
