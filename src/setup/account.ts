import { AccountRecord, accountsUnder } from '../domain/issuer-record.ts';
import type { InstallItem } from '../domain/platform.ts';
import { type Account, type Override, variableOf } from '../domain/settings.ts';
import { isEmpty } from '../service/answers.ts';
import type { WebhookAnswer } from '../service/index.ts';
import { failed, item, type SetupDeps } from './deps.ts';
import { fingerprint, openRecord } from './records.ts';

const what = 'Webhook del servicio';
/** Below this number production needs a recharge. */
const fewCredits = 20;

/** The API key, its credits and provider data; only the first where the key is refused. */
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
    const resolution = short
      ? 'En producción cada documento gasta uno: recargue en el panel del servicio.'
      : null;
    items.push(item('credits', `Créditos (${said.join(', ')})`, state, { resolution }));
  }
  if (aviso !== null && producing)
    items.push(
      item('provider-data', 'Datos de proveedor ante el SRI', 'problem', {
        resolution: `Sin ellos no hay facturas de producción. El servicio dice: ${aviso}`,
      }),
    );
  return items;
}

/** The account's webhook: its address is ours, and its secret the configured one. */
export async function setUpWebhook(
  deps: SetupDeps,
  account: Account,
  publicUrl: string,
): Promise<InstallItem> {
  const { service, apply, replace, resend } = deps;
  const [secret] = account.webhookSecrets;
  if (secret === undefined)
    return item('service-webhook', what, 'problem', {
      resolution: `Escriba en accounts.${account.id}.webhookSecrets un secreto suyo, por ejemplo el que imprime «openssl rand -base64 32».`,
    });
  const now = await service.leerWebhook();
  if (now.kind !== 'webhook') return failed('service-webhook', what, now);
  const path = `/service/webhook/${encodeURIComponent(account.id)}`;
  const url = publicUrl + path;
  const wanted = fingerprint({ url, secret });
  const empty = { service: fingerprint(account.baseUrl), keyHash: account.keyHash, webhook: null };
  const record = await openRecord(
    deps.records,
    { under: accountsUnder, name: account.id, shape: AccountRecord, empty },
    account,
  );
  // An address with our path is ours, from before `publicUrl` changed.
  const ours = record.value.webhook !== null || now.url?.endsWith(path);
  if (record.value.webhook === wanted && isAsWanted(now, url, secret) && !(resend && apply))
    return item('service-webhook', what, 'ok');
  if (!ours && now.url !== null && !replace)
    return item('service-webhook', what, 'problem', {
      resolution: `El webhook de la cuenta va a otra dirección (${now.url}), quizá de otro sistema, y solo hay uno: repita con --replace para traerlo aquí.`,
    });
  if (!apply) {
    const state = now.url === null ? 'missing' : 'differs';
    return item('service-webhook', what, state, {
      resolution: `Debe ir a ${url} con el secreto de la configuración.`,
    });
  }
  const saved = await service.guardarWebhook({ url, secret, activo: true });
  if (saved.kind !== 'saved') return failed('service-webhook', what, saved);
  await record.save({ webhook: wanted });
  return item('service-webhook', what, 'ok', { done: true });
}

type Webhook = Extract<WebhookAnswer, { kind: 'webhook' }>;

/** Whether the webhook is as wanted; the service masks the secret. */
function isAsWanted({ url, secret: masked, activo }: Webhook, wanted: string, secret: string): boolean {
  if (url !== wanted || activo === false) return false;
  const [, head = '', tail = ''] = /^([\w-]*)[^\w-]+([\w-]*)$/.exec(masked ?? '') ?? [];
  return secret.startsWith(head) && secret.endsWith(tail);
}

/** What is used instead of the variable, and what to do. Never the address itself, which holds a password. */
const says: Record<Override, { counts: string; resolution: string }> = {
  'ledger.directory': {
    counts: 'el registro está en la carpeta que dice ledger.directory',
    resolution:
      'Si debe estar en PostgreSQL, detenga facturapuente start, llévelo con «facturapuente move --to "$DATABASE_URL"» y después quite ledger.directory de la configuración. Si debe seguir en la carpeta, inicie facturapuente sin esa variable.',
  },
  'ledger.url': {
    counts: 'el registro está en la base que dice ledger.url, y la variable dice otra dirección',
    resolution:
      'En la base de ledger.url están los comprobantes y los números ya dados: inicie facturapuente sin esa variable, o con la misma dirección.',
  },
  'redis.url': {
    counts: 'el trabajo pasa por el Redis que dice redis.url, y la variable dice otra dirección',
    resolution:
      'Inicie facturapuente sin esa variable o, si debe ser ese Redis, quite redis.url de la configuración en todos los procesos.',
  },
};

/** A variable that is set and ignored, because the config names another place. */
export function overrideItem(setting: Override): InstallItem {
  const { counts, resolution } = says[setting];
  return item('environment', `${variableOf[setting]} está definida y no cuenta: ${counts}`, 'warning', {
    resolution,
  });
}
