import { dayMs, ecuadorDay } from '../../domain/clock.ts';
import { type Document, documentNumber } from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import { type Store, storeOfShop } from '../../domain/settings.ts';
import { buyerMessage, isAsked } from '../../jobs/ask-buyer.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Carried, Context } from '../operation.ts';

export function linksAnswer(
  { links }: Pick<JobDeps, 'links'>,
  { id, orderName, state, linkVersion: version, ...document }: Document,
): Carried {
  const number = documentNumber(document);
  const pageUrl = links.page(id, version);
  const pdfUrl = links.pdf(id, version);
  const xmlUrl = links.xml(id, version);
  const early = state === 'authorized' ? '' : 'Sirven cuando el SRI lo autorice.\n';
  return {
    done: true,
    message: `Documento ${number ?? id} del pedido ${orderName}\n${early}Página: ${pageUrl}\nPDF:    ${pdfUrl}\nXML:    ${xmlUrl}`,
    data: { document: id, number, version, pageUrl, pdfUrl, xmlUrl },
  };
}

/** Valid for `policy.buyer.linkDays`. Throws CommandError `not-found`, `ambiguous`. */
export async function identificationLink(
  { jobDeps, stores, ledger }: Pick<Context, 'jobDeps' | 'stores' | 'ledger'>,
  { order, store: only }: { order: string; store?: string | undefined },
): Promise<Carried> {
  const documents = (await ledger.timelines.find(order)).flatMap((one) => one.documents);
  const asked = documents.flatMap(({ document }) => {
    const store = storeOfShop(stores, document.platform, document.shop);
    const fits = store?.policy.buyer.ask && (only === undefined || store.id === only);
    return fits && isAsked(document) ? [{ document, store }] : [];
  });
  const [found, ...others] = asked;
  if (!found) throw new CommandError('not-found', { why: 'asked', name: order });
  if (others.length > 0)
    throw new CommandError('ambiguous', {
      what: `El pedido ${order}`,
      found: asked.map(({ store }) => store.id).join(', '),
    });
  const { document, store } = found;
  const expiresAt = new Date(jobDeps.clock.now().getTime() + store.policy.buyer.linkDays * dayMs);
  const link = jobDeps.links.identification(document.id, expiresAt);
  return linkAnswer({ document, store, link, expiresAt });
}

function linkAnswer({
  document: { orderId, orderName },
  store,
  link,
  expiresAt,
}: {
  document: Document;
  store: Store;
  link: string;
  expiresAt: Date;
}): Carried {
  const { text, whatsapp } = buyerMessage(store, orderName, link);
  return {
    done: true,
    message: `Enlace (vence el ${ecuadorDay(expiresAt)}):\n${link}\n\nTexto para copiar:\n${text}\n\nAbrir en WhatsApp:\n${whatsapp}`,
    data: { order: orderId, orderName, link, expiresAt: expiresAt.toISOString(), text, whatsapp },
  };
}
