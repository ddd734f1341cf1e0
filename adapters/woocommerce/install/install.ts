import { ShopError } from '../../../src/domain/errors.ts';
import type { InstallItem, InstallRequest } from '../../../src/domain/install.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { configuredKeys, keysOf } from '../access.ts';
import { connectLink } from '../connect/link.ts';
import { changeKept, readKept } from '../kept.ts';
import { checkAddress, checkReachable } from './address.ts';
import { type InstallCalls, openInstallCalls } from './calls.ts';
import { newSecret } from './secret.ts';
import { checkProbe, checkShop, faultItem } from './shop.ts';
import { connectionOf, targetOf } from './target.ts';
import { planWebhooks, repairWebhooks, topics, type WebhookTarget, webhookItem } from './webhooks.ts';

/** Looks at everything a WooCommerce store needs and, asked to, puts right what can be put right from here. */
export async function install(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  const { publicUrl, apply } = request;
  const items = [checkAddress(publicUrl), await checkReachable(publicUrl, connection.timeoutMs)];
  if (!connection.apiAccess) return [...items, byHandItem(request)];
  if (apply)
    await changeKept(context.credentials, connection.url, (kept) =>
      kept.installed ? null : { ...kept, installed: true },
    );

  const keys = await keysOf(connection, context);
  if (keys === null)
    return [...items, ...(await checkProbe(connection, context)), keysItem(request, context)];
  const calls = openInstallCalls(connection, keys, context);
  const shop = await checkShop(calls, connection, context);
  items.push(...shop);
  if (shop[0]?.state === 'problem') {
    if (shop[0].code === 'shop-unauthorized' && configuredKeys(connection) === null)
      items.push(keysItem(request, context));
    return items;
  }
  return [...items, ...(await webhookItems(request, context, calls))];
}

async function webhookItems(
  request: InstallRequest,
  context: ShopContext,
  calls: InstallCalls,
): Promise<InstallItem[]> {
  const { apply } = request;
  try {
    return apply
      ? await putRight(request, context, calls)
      : planWebhooks(await calls.webhooks(), await targetOf(request, context)).map((plan) =>
          webhookItem(plan, false),
        );
  } catch (error) {
    return [faultItem(error, 'Webhooks de la tienda')];
  }
}

async function putRight(
  request: InstallRequest,
  context: ShopContext,
  calls: InstallCalls,
): Promise<InstallItem[]> {
  const target = await madeTargetOf(request, context);
  const plan = planWebhooks(await calls.webhooks(), target);
  await repairWebhooks(calls, plan, target);
  // Another process may have been at it: whoever looks last leaves one of each.
  if (plan.some(({ make }) => make))
    await repairWebhooks(calls, planWebhooks(await calls.webhooks(), target), target);
  return plan.map((one) => webhookItem(one, true));
}

/**
 * Looks after a store that was installed, and is to stay so; answers what it put right, and what keeps us out until a
 * person acts: revoked keys, a moved shop. Throws ShopError where waiting helps.
 */
export async function tend(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  if (!connection.apiAccess || !(await readKept(context.credentials, connection.url)).installed) return [];
  const keys = await keysOf(connection, context);
  if (keys === null) return [];
  const calls = openInstallCalls(connection, keys, context);
  try {
    const items = await putRight(request, context, calls);
    return items.filter(({ done }) => done);
  } catch (error) {
    if (error instanceof ShopError && error.retryable) throw error;
    return [faultItem(error)];
  }
}

/** The same, with a secret of ours where there is none. It is kept before any webhook has it. */
async function madeTargetOf(request: InstallRequest, context: ShopContext): Promise<WebhookTarget> {
  const { url, webhookSecrets } = connectionOf(request);
  if (webhookSecrets.length === 0)
    await changeKept(context.credentials, url, (kept) =>
      kept.secrets.length > 0 ? null : { ...kept, secrets: [newSecret()] },
    );
  return targetOf(request, context);
}

function keysItem(request: InstallRequest, { clock }: ShopContext): InstallItem {
  const overHttp = request.publicUrl.startsWith('http:')
    ? ' Con una dirección http, WooCommerce no las entrega: sírvala por https, o escriba «consumerKey» y «consumerSecret» en la configuración.'
    : '';
  const cure = request.apply
    ? `Apruebe la conexión como administrador de la tienda en este enlace, que vale 24 horas: ${connectLink(request, clock)}`
    : 'Ejecute «facturapuente install»: muestra el enlace con el que la tienda entrega sus claves.';
  return { code: 'keys', what: 'Claves de la API', state: 'missing', cure: `${cure}${overHttp}` };
}

function byHandItem({ store, publicUrl }: InstallRequest): InstallItem {
  return {
    code: 'api-access',
    what: 'Sin acceso a la API (apiAccess: false)',
    state: 'warning',
    cure: `Cree a mano, en WooCommerce → Ajustes → Avanzado → Webhooks, los webhooks ${topics.join(', ')} hacia ${publicUrl}/webhooks/${store.id} con el secreto de «webhookSecrets».`,
  };
}
