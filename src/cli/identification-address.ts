import { openClock } from '../config/clock.ts';
import { ecuadorDay } from '../domain/calendar.ts';
import type { Document } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Settings, Store } from '../domain/settings.ts';
import { isAsked } from '../jobs/buyer/ask-buyer.ts';
import { looking } from './look.ts';

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
export function identificationLink(order: string, flags: IdentificationFlags): Promise<string> {
  return looking(flags, async ({ config, settings, reader, links }) => {
    const held = await reader.documents.list({ states: ['held'], limit });
    const named = held.filter(({ orderId, orderName }) =>
      [orderId, orderName, orderName.replace(/^#/, '')].includes(order),
    );
    const asked = named.filter(isAsked).flatMap((document) => {
      const store = storeOf(settings, document);
      const fits = store?.policy.buyer.ask && (flags.store === undefined || store.id === flags.store);
      return fits ? [{ document, store }] : [];
    });
    const [found, ...others] = asked;
    if (!found) throw notAsked(order);
    if (others.length > 0)
      throw ambiguous(
        order,
        asked.map(({ store }) => store.id),
      );
    const { document, store } = found;
    const now = openClock(config.testClock).now();
    const expiresAt = new Date(now.getTime() + store.policy.buyer.linkDays * dayMs);
    return tell(document, store, { link: links.identification(document.id, expiresAt), expiresAt, ...flags });
  });
}

function storeOf({ stores }: Settings, { platform, shop }: Document): Store | undefined {
  return [...stores.values()].find((one) => one.platform.name === platform && one.shop === shop);
}

function tell(
  { orderId, orderName }: Document,
  { issuer }: Store,
  { link, expiresAt, json }: { link: string; expiresAt: Date; json: boolean },
): string {
  const text = `Hola, le escribimos de ${issuer.nombre_comercial}. Para emitir la factura de su pedido ${orderName} hace falta su cédula, RUC o pasaporte. Escríbalo aquí: ${link}`;
  // Without a number: WhatsApp asks whom to send it to, and no address of ours names the buyer.
  const whatsapp = `https://wa.me/?text=${encodeURIComponent(text)}`;
  const expires = expiresAt.toISOString();
  if (json)
    return `${JSON.stringify({ order: orderId, orderName, link, expiresAt: expires, text, whatsapp }, null, 2)}\n`;
  return `Enlace (vence el ${ecuadorDay(expiresAt)}):\n${link}\n\nTexto para copiar:\n${text}\n\nAbrir en WhatsApp:\n${whatsapp}\n`;
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
