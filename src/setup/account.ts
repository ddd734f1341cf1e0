import { did, item } from '../domain/checks.ts';
import { AccountRecord, accountsUnder } from '../domain/issuer-record.ts';
import type { InstallItem } from '../domain/platform.ts';
import { type Account, type Override, variableOf } from '../domain/settings.ts';
import { isEmpty } from '../service/answers.ts';
import type { WebhookAnswer } from '../service/index.ts';
import { failed, fingerprint, openRecord, type SetupDeps } from './deps.ts';

const of = 'webhook';
/** Assumption: with fewer credits production needs a recharge. */
const fewCredits = 20;

export async function checkKey(
  { service }: Pick<SetupDeps, 'service'>,
  producing: boolean,
): Promise<InstallItem[]> {
  const balance = await service.consultarSaldo();
  if (balance.kind !== 'balance') return [failed('account-api-key', {}, balance)];
  const items = [item('account-api-key', 'ok', {})];
  const { creditos, estadoSaldo, aviso } = balance;
  const isLow = estadoSaldo === 'bajo' || estadoSaldo === 'agotado';
  const said = [creditos, isLow || creditos === null ? estadoSaldo : null].filter((one) => one !== null);
  if (said.length > 0) {
    const few = isLow || (creditos ?? fewCredits) < fewCredits;
    const short = producing && few;
    const state = !short ? 'ok' : isEmpty(balance) ? 'problem' : 'warning';
    items.push(item('account-credits', state, { credits: said.join(', ') }));
  }
  if (aviso !== null && producing) items.push(item('account-provider-data', 'problem', { notice: aviso }));
  return items;
}

export async function setUpWebhook(
  deps: SetupDeps,
  account: Account,
  publicUrl: string,
): Promise<InstallItem> {
  const { service, apply, replace, resend } = deps;
  const [secret] = account.webhookSecrets;
  if (secret === undefined)
    return item('service-webhook', 'problem', { of, why: 'secret', account: account.id });
  const now = await service.leerWebhook();
  if (now.kind !== 'webhook') return failed('service-webhook', { of }, now);
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
    return item('service-webhook', 'ok', { of });
  if (!ours && now.url !== null && !replace)
    return item('service-webhook', 'problem', { of, why: 'elsewhere', now: now.url });
  if (!apply) {
    const state = now.url === null ? 'missing' : 'differs';
    return item('service-webhook', state, { of, why: 'wanted', url });
  }
  const saved = await service.guardarWebhook({ url, secret, activo: true });
  if (saved.kind !== 'saved') return failed('service-webhook', { of }, saved);
  await record.save({ webhook: wanted });
  return did('service-webhook', { of });
}

type Webhook = Extract<WebhookAnswer, { kind: 'webhook' }>;

/** The service masks the secret. */
function isAsWanted({ url, secret: masked, activo }: Webhook, wanted: string, secret: string): boolean {
  if (url !== wanted || activo === false) return false;
  const [, head = '', tail = ''] = /^([\w-]*)[^\w-]+([\w-]*)$/.exec(masked ?? '') ?? [];
  return secret.startsWith(head) && secret.endsWith(tail);
}

export const overrideItem = (setting: Override): InstallItem =>
  item('config', 'warning', { of: 'variable', variable: variableOf[setting], setting });
