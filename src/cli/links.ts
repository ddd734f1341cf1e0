import { openClock } from '../config/load.ts';
import { dayMs, ecuadorDay } from '../domain/clock.ts';
import { type Document, type DocumentKind, documentNumber } from '../domain/document.ts';
import { CommandError } from '../domain/errors.ts';
import type { Store } from '../domain/settings.ts';
import { isAsked } from '../jobs/ask-buyer.ts';
import { findDocument } from '../jobs/take-key.ts';
import { buyerMessage } from '../web/links.ts';
import { carryOut } from './carry-out.ts';
import { type ConfigFlag, jsonText, withStores } from './own-ledger.ts';

export interface LinksFlags extends ConfigFlag {
  store?: string;
  kind?: DocumentKind;
  json: boolean;
}

/** The current links of a document. Throws FacturapuenteError `not-found` and `ambiguous`. */
export function showLinks(name: string, flags: LinksFlags): Promise<string> {
  return withStores(flags, async ({ settings, reader, links }) => {
    const { store, kind, json } = flags;
    const document = await findDocument(reader, settings.stores.values(), { name, store, kind });
    const { id, orderName, state, linkVersion: version } = document;
    const pageUrl = links.page(id, version);
    const pdfUrl = links.pdf(id, version);
    const xmlUrl = links.xml(id, version);
    const number = documentNumber(document);
    if (json) return jsonText({ document: id, number, version, pageUrl, pdfUrl, xmlUrl });
    const early = state === 'authorized' ? '' : 'Sirven cuando el SRI lo autorice.\n';
    return `Documento ${number ?? id} del pedido ${orderName}\n${early}Página: ${pageUrl}\nPDF:    ${pdfUrl}\nXML:    ${xmlUrl}\n`;
  });
}

/** Revokes every link of a document and answers the new ones. */
export async function revokeLinks(name: string, flags: LinksFlags): Promise<string> {
  const { store, kind } = flags;
  await carryOut('revoke-links', { document: name, store, kind }, flags);
  return showLinks(name, flags);
}

export interface IdentificationFlags extends ConfigFlag {
  store?: string;
  json: boolean;
}

/** More than an installation ever has held. */
const limit = 10_000;

/**
 * A new link for the buyer of a held order, valid for `policy.buyer.linkDays`. Throws CommandError `not-found` and
 * `ambiguous`.
 */
export function identificationLink(order: string, flags: IdentificationFlags): Promise<string> {
  return withStores(flags, async ({ config, settings, reader, links }) => {
    const held = await reader.documents.list({ states: ['held'], limit });
    const named = held.filter(({ orderId, orderName }) =>
      [orderId, orderName, orderName.replace(/^#/, '')].includes(order),
    );
    const stores = [...settings.stores.values()];
    const asked = named.filter(isAsked).flatMap((document) => {
      const store = stores.find(
        (one) => one.platform.name === document.platform && one.shop === document.shop,
      );
      const fits = store?.policy.buyer.ask && (flags.store === undefined || store.id === flags.store);
      return fits ? [{ document, store }] : [];
    });
    const [found, ...others] = asked;
    if (!found) throw new CommandError('not-found', { why: 'asked', name: order });
    if (others.length > 0)
      throw new CommandError('ambiguous', {
        what: `El pedido ${order}`,
        found: asked.map(({ store }) => store.id).join(', '),
      });
    const { document, store } = found;
    const now = openClock(config.testClock).now();
    const expiresAt = new Date(now.getTime() + store.policy.buyer.linkDays * dayMs);
    return linkText(found, {
      link: links.identification(document.id, expiresAt),
      expiresAt,
      json: flags.json,
    });
  });
}

function linkText(
  { document: { orderId, orderName }, store }: { document: Document; store: Store },
  { link, expiresAt, json }: { link: string; expiresAt: Date; json: boolean },
): string {
  const { text, whatsapp } = buyerMessage(store, orderName, link);
  const expires = expiresAt.toISOString();
  if (json) return jsonText({ order: orderId, orderName, link, expiresAt: expires, text, whatsapp });
  return `Enlace (vence el ${ecuadorDay(expiresAt)}):\n${link}\n\nTexto para copiar:\n${text}\n\nAbrir en WhatsApp:\n${whatsapp}\n`;
}
