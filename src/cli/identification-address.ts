import { openClock } from '../config/clock.ts';
import { loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { Document } from '../core/document.ts';
import { LedgerError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import type { Store } from '../core/settings.ts';
import { openLinks } from '../http/links.ts';
import { openLedgerReader } from '../ledger/read.ts';
import { openSettings } from '../settings.ts';
import { isAsked } from '../steps/buyer/ask-buyer.ts';

export interface IdentificationFlags {
  config?: string;
  store?: string;
  json: boolean;
}

const dayMs = 24 * 60 * 60_000;
/** More held documents than anybody lets pile up. */
const limit = 10_000;

/**
 * A fresh link for the buyer of a held order, good for `policy.buyer.linkDays` from now. Throws LedgerError
 * `order-not-asked` and `order-ambiguous`.
 */
export async function identificationLink(order: string, flags: IdentificationFlags): Promise<string> {
  const { config: path, store: only, json } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const { stores } = await openSettings(config);
  const storeOf = ({ platform, shop }: Document): Store | undefined =>
    [...stores.values()].find((one) => one.platform.name === platform && one.shop === shop);
  const reader = openLedgerReader(config.ledger, silentLog);
  const held = await reader.documents.list({ states: ['held'], limit }).finally(() => reader.close());
  const named = held.filter(({ orderId, orderName }) =>
    [orderId, orderName, orderName.replace(/^#/, '')].includes(order),
  );
  const asked = named.filter(isAsked).flatMap((document) => {
    const store = storeOf(document);
    return store?.policy.buyer.ask && (only === undefined || store.id === only) ? [{ document, store }] : [];
  });
  const [found, ...others] = asked;
  if (!found) throw notAsked(order);
  if (others.length > 0)
    throw ambiguous(
      order,
      asked.map(({ store }) => store.id),
    );
  const links = openLinks((await openSecrets(config)).links, config.publicUrl);
  const { document, store } = found;
  const now = openClock(config.testClock).now();
  const expiresAt = new Date(now.getTime() + store.policy.buyer.linkDays * dayMs);
  const link = links.identification(document.id, expiresAt);
  const shop = store.issuer.nombre_comercial;
  const text = `Hola, le escribimos de ${shop}. Para emitir la factura de su pedido ${document.orderName} hace falta su cédula, RUC o pasaporte. Escríbalo aquí: ${link}`;
  // Without a number: WhatsApp asks whom to send it to, and no address of ours names the buyer.
  const whatsapp = `https://wa.me/?text=${encodeURIComponent(text)}`;
  const expires = expiresAt.toISOString();
  if (json)
    return `${JSON.stringify({ order: document.orderId, orderName: document.orderName, link, expiresAt: expires, text, whatsapp }, null, 2)}\n`;
  return `Enlace (vence el ${expires.slice(0, 10)}):\n${link}\n\nTexto para copiar:\n${text}\n\nAbrir en WhatsApp:\n${whatsapp}\n`;
}

function notAsked(order: string): LedgerError {
  return new LedgerError(
    'order-not-asked',
    `El pedido ${order} no espera la identificación de su comprador; facturapuente documents --state held muestra los que esperan.`,
    `No held document of order ${order} waits for its buyer.`,
  );
}

function ambiguous(order: string, stores: readonly string[]): LedgerError {
  return new LedgerError(
    'order-ambiguous',
    `Varias tiendas tienen un pedido ${order} que espera: indique cuál con --store (${stores.join(', ')}).`,
    `Orders ${order} of several stores wait for their buyers; name the store.`,
  );
}
