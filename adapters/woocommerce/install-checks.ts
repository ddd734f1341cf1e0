import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { identify, rucOwner } from '../../src/domain/identification.ts';
import type { IdCandidate } from '../../src/domain/order.ts';
import type { InstallItem, ShopContext } from '../../src/domain/platform.ts';
import type { Api } from './api.ts';
import { readCompany, readIds } from './buyer.ts';
import { oldestVersion } from './errors.ts';
import { probe } from './probe.ts';
import type { Connection } from './settings.ts';

/** Signatures of a shop without TLS are valid for 15 minutes (measured on WooCommerce 11.0.1). */
const mostSkewMs = 5 * 60_000;

const shopApi = 'API de la tienda';

/** A ShopError as an item; any other error is thrown. */
export function errorItem(error: unknown, what = shopApi): InstallItem {
  if (!(error instanceof ShopError)) throw error;
  return { code: error.code, what, state: 'problem', resolution: error.merchant };
}

/** The checks that need no keys. */
export async function checkWithoutKeys(connection: Connection, context: ShopContext): Promise<InstallItem[]> {
  try {
    const { date } = await probe(connection, context);
    return [{ code: 'shop', what: shopApi, state: 'ok', resolution: null }, ...clockItem(date, context)];
  } catch (error) {
    return [errorItem(error)];
  }
}

/**
 * The checks with keys. When the first item is not ok, it is the only one.
 * @param decidesUntaxed whether the merchant's rules say the IVA of lines without tax.
 */
export async function checkShop(
  api: Api,
  connection: Connection,
  context: ShopContext,
  decidesUntaxed: boolean,
): Promise<InstallItem[]> {
  try {
    const { currency, decimals, date } = await api.settings();
    const { version, wp_cron: cron } = await api.version().catch(unknownVersion);
    const items: InstallItem[] = [
      { code: 'shop', what: shopApi, state: 'ok', resolution: null },
      versionItem(version),
      ...clockItem(date, context),
      currencyItem(currency),
      ...decimalsItem(decimals),
      ...taxesItem(await api.calculatesTaxes().catch(unknown), decidesUntaxed),
    ];
    if (cron === false) items.push(cronItem);
    items.push(await rightsItem(api));
    const plugin = await api.plugin().catch(unknown);
    if (plugin !== null) items.push(pluginItem(plugin.version));
    items.push(...(await idItems(api, connection, plugin?.fields.asked ?? false)));
    return items;
  } catch (error) {
    return [errorItem(error)];
  }
}

/** A slow shop keeps its version unknown; no other check depends on it. */
function unknownVersion(error: unknown): { version: null; wp_cron?: boolean } {
  if (error instanceof ShopError && error.retryable) return { version: null };
  throw error;
}

/** What a shop does not answer about is unknown, and no fault. */
function unknown(error: unknown): null {
  if (error instanceof ShopError) return null;
  throw error;
}

const pluginItem = (version: string): InstallItem => ({
  code: 'plugin',
  what: `Plugin de facturapuente (${version})`,
  state: 'ok',
  resolution: null,
});

function versionItem(version: string | null): InstallItem {
  const item = { code: 'version', what: `Versión de WooCommerce${version === null ? '' : ` (${version})`}` };
  if (version === null)
    return {
      ...item,
      state: 'warning',
      resolution: `La tienda tarda demasiado en decir su versión: mire en WooCommerce → Estado que sea ${oldestVersion} o más nueva.`,
    };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = oldestVersion.split('.').map(Number);
  if (major > least || (major === least && minor >= leastMinor))
    return { ...item, state: 'ok', resolution: null };
  return {
    ...item,
    state: 'problem',
    resolution: `WooCommerce ${version} no dice qué pedidos cambiaron: actualícelo a ${oldestVersion} o más nuevo.`,
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
      resolution: fine
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
    resolution: dollars
      ? null
      : `La tienda cobra en ${currency} y las facturas son en dólares: elija USD en WooCommerce → Ajustes → General, o sus pedidos quedarán retenidos.`,
  };
}

/** Measured on WooCommerce 11.0.1: with 0 decimals IVA and total differ by up to 50 cents, with 4 orders are invoiced. */
function decimalsItem(decimals: number | null): InstallItem[] {
  if (decimals === null) return [];
  const item = { code: 'decimals', what: 'Decimales de los precios' };
  if (decimals === 2) return [{ ...item, state: 'ok', resolution: null }];
  const change = 'escriba 2 en WooCommerce → Ajustes → General → Número de decimales';
  if (decimals > 2)
    return [
      {
        ...item,
        state: 'warning',
        resolution: `La tienda calcula con ${decimals} decimales y se cobra con dos: ${change}, o los pedidos que no cuadren al centavo quedarán retenidos.`,
      },
    ];
  return [
    {
      ...item,
      state: 'problem',
      resolution: `La tienda redondea precios e IVA a ${decimals === 1 ? '1 decimal' : `${decimals} decimales`}, que no cuadran al centavo: ${change}, o sus pedidos quedarán retenidos.`,
    },
  ];
}

function taxesItem(calculated: boolean | null, decidesUntaxed: boolean): InstallItem[] {
  if (calculated === null) return [];
  const item = { code: 'taxes', what: 'Impuestos de la tienda' };
  if (calculated) return [{ ...item, state: 'ok', resolution: null }];
  if (decidesUntaxed)
    return [
      {
        ...item,
        state: 'ok',
        resolution: 'Están desactivados: todo se factura con la tarifa que dan sus reglas (policy.tax).',
      },
    ];
  return [
    {
      ...item,
      state: 'problem',
      resolution:
        'Están desactivados: los pedidos no dicen su IVA y quedarán retenidos. Marque «Activar impuestos» en WooCommerce → Ajustes → General y escriba la tarifa en la pestaña Impuestos; si nada de lo que vende lleva IVA, diga su tarifa en policy.tax.untaxed.',
    },
  ];
}

const cronItem: InstallItem = {
  code: 'cron',
  what: 'Tareas programadas de WordPress',
  state: 'warning',
  resolution:
    'DISABLE_WP_CRON está activo: si ningún cron del servidor llama a wp-cron.php, los webhooks no salen y los pedidos llegan solo por la búsqueda periódica.',
};

async function rightsItem(api: Api): Promise<InstallItem> {
  const what = 'Permiso de las claves';
  try {
    await api.checkWriteAccess();
    return { code: 'rights', what, state: 'ok', resolution: null };
  } catch (error) {
    const item = errorItem(error, what);
    return item.code === 'shop-unauthorized' ? { ...item, code: 'rights' } : item;
  }
}

/**
 * Whether recent orders have a cédula or RUC where `idSources` look, and the name of a company beside its RUC; or our plugin
 * asks for them.
 */
async function idItems(api: Api, { idSources }: Connection, pluginAsks: boolean): Promise<InstallItem[]> {
  const what = 'Cédula o RUC en los pedidos';
  const orders = await api.recentOrders();
  const idsOf = (order: (typeof orders)[number]) => readIds(order, idSources);
  if (pluginAsks || orders.some((order) => idsOf(order).length > 0)) {
    const unnamed = orders.filter((order) => idsOf(order).some(isCompany) && readCompany(order) === null);
    const isTold = !pluginAsks && unnamed.length > 0;
    return [
      { code: 'id-field', what, state: 'ok', resolution: null },
      ...(isTold ? [companyItem(unnamed.length, orders.length)] : []),
    ];
  }
  const seen =
    orders.length === 0
      ? 'Todavía no hay pedidos para saberlo'
      : `Ninguno de los últimos ${orders.length} pedidos la trae`;
  return [
    {
      code: 'id-field',
      what,
      state: 'warning',
      resolution: `${seen}: agregue el campo al pago con el plugin (docs/woocommerce-plugin.md) o nombre el suyo en «idSources»; sin él solo se factura a consumidor final hasta su límite.`,
    },
  ];
}

const isCompany = ({ value }: IdCandidate): boolean => {
  const found = identify(value);
  return found?.type === 'ruc' && rucOwner(found.value) === 'company';
};

/** New shops hide WooCommerce's field (`woocommerce_checkout_company_field`), which its REST API does not show. */
const companyItem = (unnamed: number, orders: number): InstallItem => ({
  code: 'company-field',
  what: 'Razón social en los pedidos',
  state: 'warning',
  resolution: `${unnamed} de los últimos ${orders} pedidos ${unnamed === 1 ? 'trae' : 'traen'} el RUC de una sociedad sin campo con su razón social, y se retienen si tampoco la trae el nombre del comprador: muestre el campo de la empresa en la página de pago, que WooCommerce oculta en tiendas nuevas, o use el plugin (docs/woocommerce-plugin.md), que la pide.`,
});

const privateNet = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  privateNet.addSubnet(net, bits);

/** On this machine, where test shops are. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Whether a shop can deliver to us: WordPress sends to public hosts and few ports only (measured on WooCommerce 11.0.1). */
export function checkAddress(publicUrl: string): InstallItem {
  const { protocol, port, hostname } = new URL(publicUrl);
  const what = 'Nuestra dirección pública';
  const bad = (code: string, resolution: string): InstallItem => ({
    code,
    what,
    state: 'problem',
    resolution,
  });
  if (isLoopback(publicUrl))
    return {
      code: 'public-url',
      what,
      state: 'warning',
      resolution: `La dirección ${publicUrl} es esta misma máquina: una tienda de internet no puede llegar a ella; sirve solo para pruebas.`,
    };
  if (protocol !== 'https:')
    return bad(
      'public-url-https',
      'WooCommerce entrega sus claves solo por https: ponga un proxy con certificado delante y escriba «publicUrl» con https://.',
    );
  if (isIP(hostname) === 4 && privateNet.check(hostname))
    return bad(
      'public-url-private',
      `La dirección ${hostname} es privada: WordPress no envía nada a ella; use un dominio público.`,
    );
  if (!['', '8080'].includes(port))
    return bad('public-url-port', `WordPress no envía nada al puerto ${port}: sirva «publicUrl» por el 443.`);
  return { code: 'public-url', what, state: 'ok', resolution: null };
}

const alive = z.object({ status: z.literal('alive') });

/** Calls our own health check through the public address, as the shop would. */
export async function checkReachable(publicUrl: string, timeoutMs: number): Promise<InstallItem> {
  const health = await fetch(`${publicUrl}/healthz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(Math.min(timeoutMs, 10_000)),
    headers: { connection: 'close' },
  })
    .then((answer) => answer.json())
    .catch(() => null);
  const item = { code: 'public-url-reach', what: 'Respuesta en nuestra dirección pública' };
  if (alive.safeParse(health).success) return { ...item, state: 'ok', resolution: null };
  return {
    ...item,
    state: 'problem',
    resolution: `Nadie responde en ${publicUrl}: inicie «facturapuente start» y revise el dominio, el certificado y el proxy; sin eso la tienda no puede avisar de sus pedidos.`,
  };
}
