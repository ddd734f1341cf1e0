import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pc from 'picocolors';
import { ecuadorDay } from '../../src/domain/clock.ts';
import { saleOf } from '../shops/page/sale.ts';
import { shopifyOrders } from '../shops/shopify-orders.ts';
import { wooOrderIds } from '../shops/woocommerce-orders.ts';
import { closeDay } from './panel.ts';
import type { Demo } from './run.ts';
import { deliverAll, refundSome } from './sales.ts';
import { dayBefore, playScenes, sceneIds, yesterdayIds } from './scenes.ts';
import { openShopPage } from './shop-page.ts';

export interface Watching {
  print(text: string): void;
  stopped: AbortSignal;
  /** Opens the panel in the browser. */
  isDesktop: boolean;
}

/**
 * Shows the product until it is stopped: sales of every kind in the panel, and a shop page on which one buys. Prints the
 * address of each, then a line for each sale that became a document or needs a person.
 */
export async function showDemo(demo: Demo, { print, stopped, isDesktop }: Watching): Promise<void> {
  const shop = await openShopPage(demo);
  try {
    print(`
  Panel   ${pc.cyan(shop.signInUrl)}  ${pc.dim('(entra sin clave, una sola vez)')}
  Tienda  ${pc.cyan(shop.url)}  ${pc.dim('(compre y devuelva)')}

  ${pc.dim('Nada sale de esta máquina. Termine con Ctrl+C.')}

`);
    if (isDesktop) openInBrowser(shop.signInUrl);
    const soldIds = () => [...wooOrderIds, ...sceneIds, ...shop.soldIds];
    await Promise.all([sell(demo, stopped), printSales(demo, soldIds, { print, stopped })]);
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    await shop.close();
  }
}

/** The ten orders of `--json` and their refunds, sales that do not end by themselves, and yesterday closed. */
async function sell(demo: Demo, stopped: AbortSignal): Promise<void> {
  await deliverAll(demo);
  await playScenes(demo, new Date());
  const isSold = (id: string) => saleOf(demo.woo, id)?.isSettled === true;
  while (![...wooOrderIds, ...yesterdayIds].every(isSold)) await pause(100, undefined, { signal: stopped });
  await refundSome(demo);
  await closeDay(demo, ecuadorDay(dayBefore(new Date())));
}

/** What happened to the orders of both shops, a line each; rejects once it is stopped. */
async function printSales(
  demo: Demo,
  soldIds: () => readonly string[],
  { print, stopped }: Omit<Watching, 'isDesktop'>,
): Promise<void> {
  const began = performance.now();
  const names = new Map(shopifyOrders(new Date()).map(({ id, name }) => [String(id), String(name)]));
  const printed = new Set<string>();
  const report = (order: string, line: string | null) => {
    if (line === null || printed.has(`${order} ${line}`)) return;
    printed.add(`${order} ${line}`);
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
    print(`${pc.dim(`${seconds} s`)}  Pedido ${order}: ${line}\n`);
  };
  while (true) {
    for (const id of soldIds()) {
      const sale = saleOf(demo.woo, id);
      if (!sale) continue;
      const { factura, note, state, isSettled } = sale;
      report(id, factura ? `factura ${factura.number} autorizada` : isSettled ? state : null);
      report(id, note && `nota de crédito ${note.number} autorizada`);
    }
    for (const [id, name] of names) {
      const { numero, estado, notas_credito: notes = '[]' } = demo.shopify.metafields(id);
      report(name, numero !== undefined && estado === 'AUTORIZADO' ? `factura ${numero} autorizada` : null);
      for (const { numero: number } of JSON.parse(notes))
        report(name, `nota de crédito ${number} autorizada`);
    }
    await pause(100, undefined, { signal: stopped });
  }
}

/** Opens an address in the browser of the desktop; without one nothing happens. */
function openInBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url];
  spawn(command as string, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
