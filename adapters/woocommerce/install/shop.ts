import { ShopError } from '../../../src/domain/errors.ts';
import type { InstallItem } from '../../../src/domain/install.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { readIds } from '../identification.ts';
import type { Connection } from '../settings.ts';
import type { InstallCalls } from './calls.ts';
import { probe } from './probe.ts';

/** `modified_after` and `dates_are_gmt`, without which no lost webhook is found, came with 5.8. */
const oldest = [5, 8] as const;
/** Signatures of a shop without TLS are good for 15 minutes (measured on WooCommerce 11.0.1). */
const mostSkewMs = 5 * 60_000;

const online = 'API de la tienda';

/** The fault that keeps us out, as an item; anything else is no fault of the shop and is thrown. */
export function faultItem(error: unknown, what = online): InstallItem {
  if (!(error instanceof ShopError)) throw error;
  return { code: error.code, what, state: 'problem', cure: error.merchant };
}

/** What can be said of a shop without keys. */
export async function checkProbe(connection: Connection, context: ShopContext): Promise<InstallItem[]> {
  try {
    const { date } = await probe(connection, context);
    return [{ code: 'shop', what: online, state: 'ok', cure: null }, ...clockItem(date, context)];
  } catch (error) {
    return [faultItem(error)];
  }
}

/** What only keys can tell. The first item is not ok when nothing else could be asked. */
export async function checkShop(
  calls: InstallCalls,
  connection: Connection,
  context: ShopContext,
): Promise<InstallItem[]> {
  try {
    const { currency, date } = await calls.settings();
    const { version, wp_cron: cron } = await calls.environment().catch(untold);
    const items: InstallItem[] = [
      { code: 'shop', what: online, state: 'ok', cure: null },
      versionItem(version),
      ...clockItem(date, context),
      currencyItem(currency),
    ];
    if (cron === false) items.push(cronItem);
    items.push(await rightsItem(calls), await idItem(calls, connection));
    return items;
  } catch (error) {
    return [faultItem(error)];
  }
}

/** Of a shop that takes too long to tell, its version stays unknown; nothing else depends on it. */
function untold(error: unknown): { version: null; wp_cron?: boolean } {
  if (error instanceof ShopError && error.retryable) return { version: null };
  throw error;
}

function versionItem(version: string | null): InstallItem {
  const item = { code: 'version', what: `Versión de WooCommerce${version === null ? '' : ` (${version})`}` };
  const least = oldest.join('.');
  if (version === null)
    return {
      ...item,
      state: 'warning',
      cure: `La tienda tarda demasiado en decir su versión: mire en WooCommerce → Estado que sea ${least} o más nueva.`,
    };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]))
    return { ...item, state: 'ok', cure: null };
  return {
    ...item,
    state: 'problem',
    cure: `WooCommerce ${version} no dice qué pedidos cambiaron: actualícelo a ${least} o más nuevo.`,
  };
}

function clockItem(date: Date | null, { clock }: Pick<ShopContext, 'clock'>): InstallItem[] {
  if (date === null) return [];
  const skew = date.getTime() - clock.now().getTime();
  const fine = Math.abs(skew) <= mostSkewMs;
  const minutes = Math.round(Math.abs(skew) / 60_000);
  return [
    {
      code: 'clock',
      what: 'Reloj de la tienda',
      state: fine ? 'ok' : 'problem',
      cure: fine
        ? null
        : `El reloj de la tienda está ${minutes} minutos ${skew > 0 ? 'adelantado' : 'atrasado'} frente al de esta máquina: sincronice ambos (NTP).`,
    },
  ];
}

function currencyItem(currency: string): InstallItem {
  const dollars = currency === 'USD';
  return {
    code: 'currency',
    what: 'Moneda de la tienda',
    state: dollars ? 'ok' : 'problem',
    cure: dollars
      ? null
      : `La tienda cobra en ${currency} y las facturas son en dólares: elija USD en WooCommerce → Ajustes → General, o sus pedidos quedarán retenidos.`,
  };
}

const cronItem: InstallItem = {
  code: 'cron',
  what: 'Tareas programadas de WordPress',
  state: 'warning',
  cure: 'DISABLE_WP_CRON está activo: si ningún cron del servidor llama a wp-cron.php, los webhooks no salen y los pedidos llegan solo por la búsqueda periódica.',
};

async function rightsItem(calls: InstallCalls): Promise<InstallItem> {
  const what = 'Permiso de las claves';
  try {
    await calls.mayWrite();
    return { code: 'rights', what, state: 'ok', cure: null };
  } catch (error) {
    const fault = faultItem(error, what);
    return fault.code === 'shop-unauthorized' ? { ...fault, code: 'rights' } : fault;
  }
}

/** Buyers' identifications can only be looked for where buyers left them. */
async function idItem(calls: InstallCalls, { idSources }: Connection): Promise<InstallItem> {
  const what = 'Cédula o RUC en los pedidos';
  const orders = await calls.recentOrders();
  if (orders.some((order) => readIds(order, idSources).length > 0))
    return { code: 'id-field', what, state: 'ok', cure: null };
  const seen =
    orders.length === 0
      ? 'Todavía no hay pedidos para saberlo'
      : `Ninguno de los últimos ${orders.length} pedidos la trae`;
  return {
    code: 'id-field',
    what,
    state: 'warning',
    cure: `${seen}: agregue el campo al pago (docs/woocommerce.md) o nombre el suyo en «idSources»; sin él solo se factura a consumidor final hasta su límite.`,
  };
}
