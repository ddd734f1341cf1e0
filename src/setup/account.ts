import type { InstallItem } from '../domain/install.ts';
import { AccountRecord, accountsUnder } from '../domain/issuer-record.ts';
import type { Account } from '../domain/settings.ts';
import { isEmpty } from '../service/answers.ts';
import type { WebhookAnswer } from '../service/index.ts';
import type { SetupDeps } from './deps.ts';
import { failed, item } from './items.ts';
import { fingerprint, openRecord } from './records.ts';

const what = 'Webhook del servicio';
/** From here on production should be recharged. */
const fewCredits = 20;

/** The API key and the credits behind it; the only item where the key is no good. */
export async function checkKey(
  { service }: Pick<SetupDeps, 'service'>,
  producing: boolean,
): Promise<InstallItem[]> {
  const balance = await service.consultarSaldo();
  if (balance.kind !== 'balance') return [failed('api-key', 'Clave de API', balance)];
  const items = [item('api-key', 'Clave de API', 'ok')];
  const { creditos, estadoSaldo, aviso } = balance;
  const isLow = estadoSaldo === 'bajo' || estadoSaldo === 'agotado';
  const said = [creditos, isLow || creditos === null ? estadoSaldo : null].filter((one) => one !== null);
  if (said.length > 0) {
    const few = isLow || (creditos ?? fewCredits) < fewCredits;
    const short = producing && few;
    const state = !short ? 'ok' : isEmpty(balance) ? 'problem' : 'warning';
    const cure = short ? 'En producción cada documento gasta uno: recargue en el panel del servicio.' : null;
    items.push(item('credits', `Créditos (${said.join(', ')})`, state, { cure }));
  }
  if (aviso !== null && producing)
    items.push(
      item('provider-data', 'Datos de proveedor ante el SRI', 'problem', {
        cure: `Sin ellos no hay facturas de producción. El servicio dice: ${aviso}`,
      }),
    );
  return items;
}

/** The account's webhook: that it leads to us, with a secret both know. */
export async function setUpWebhook(
  deps: SetupDeps,
  account: Account,
  publicUrl: string,
): Promise<InstallItem> {
  const { service, apply, replace, resend } = deps;
  const [secret] = account.webhookSecrets;
  if (secret === undefined)
    return item('service-webhook', what, 'problem', {
      cure: `Escriba en accounts.${account.id}.webhookSecrets un secreto suyo, por ejemplo el que imprime «openssl rand -base64 32».`,
    });
  const now = await service.leerWebhook();
  if (now.kind !== 'webhook') return failed('service-webhook', what, now);
  const path = `/service/webhook/${encodeURIComponent(account.id)}`;
  const url = publicUrl + path;
  const wanted = fingerprint({ url, secret });
  const empty = { service: fingerprint(account.baseUrl), keyHash: account.keyHash, webhook: null };
  const asked = { under: accountsUnder, name: account.id, shape: AccountRecord, empty };
  const record = await openRecord(deps.records, asked, account);
  // An address that ends like ours is one of ours, from before we moved.
  const ours = record.value.webhook !== null || now.url?.endsWith(path);
  if (record.value.webhook === wanted && stands(now, url, secret) && !(resend && apply))
    return item('service-webhook', what, 'ok');
  if (!ours && now.url !== null && !replace)
    return item('service-webhook', what, 'problem', {
      cure: `El webhook de la cuenta va a otra dirección (${now.url}), quizá de otro sistema, y solo hay uno: repita con --replace para traerlo aquí.`,
    });
  if (!apply) {
    const state = now.url === null ? 'missing' : 'differs';
    return item('service-webhook', what, state, {
      cure: `Debe ir a ${url} con el secreto de la configuración.`,
    });
  }
  const saved = await service.guardarWebhook({ url, secret, activo: true });
  if (saved.kind !== 'saved') return failed('service-webhook', what, saved);
  await record.save({ webhook: wanted });
  return item('service-webhook', what, 'ok', { done: true });
}

type Webhook = Extract<WebhookAnswer, { kind: 'webhook' }>;

/** As far as it can be read: the secret comes masked. */
function stands({ url, secret: masked, activo }: Webhook, wanted: string, secret: string): boolean {
  if (url !== wanted || activo === false) return false;
  const [, head = '', tail = ''] = /^([\w-]*)[^\w-]+([\w-]*)$/.exec(masked ?? '') ?? [];
  return secret.startsWith(head) && secret.endsWith(tail);
}
