import type { Request, RequestHandler, Response } from 'express';
import { ecuadorDay } from '../domain/clock.ts';
import { type Document, documentNumber } from '../domain/document.ts';
import type { RateLimit } from '../domain/job.ts';
import { toAmount } from '../domain/money.ts';
import { issuingKey, storeOfShop } from '../domain/settings.ts';
import { html } from '../domain/text.ts';
import { fetchFile, keptFile } from '../jobs/files.ts';
import type { FileKind } from '../ledger/schema.ts';
import type { ServiceCalls } from '../service/client.ts';
import { limitLinks, linkOf } from './buyer-page.ts';
import type { HttpDeps } from './deps.ts';
import { BusyError, impatientRateLimit } from './limits.ts';
import { type Link, withoutTail } from './links.ts';
import { answerLater, answerPage, sendPage, setFilePolicy } from './pages.ts';

/** `GET /d/<token>`, `.pdf` and `.xml`, for anyone who has the link. */
export function documentLinks(deps: HttpDeps): RequestHandler[] {
  const { ledger, links, log, clock } = deps;
  const fileOf = openFetch(deps);
  const answer: RequestHandler = async (req, res) => {
    const link = readLink(req, res);
    const document = link && (await ledger.documents.get(link.documentId));
    if (!link || !document) return answerPage(res, 404, 'Enlace no válido', sentences.wrong);
    if (document.linkVersion !== link.version)
      return answerPage(res, 410, 'Este enlace ya no sirve', sentences.revoked);
    if (link.expiresAt !== null && link.expiresAt <= clock.now())
      return answerPage(res, 410, 'Este enlace venció', sentences.expired);
    const { accessKey, state } = document;
    if (accessKey === null || state !== 'authorized') return answerLater(res, 120, sentences.early);
    if (link.purpose === 'page') return showPage(res, document, link, deps);
    const bytes = await fileOf(document, accessKey, link.purpose);
    if (bytes) return sendFile(req, res, bytes, accessKey, link.purpose);
    log.warn(
      { document: document.id, purpose: link.purpose },
      'A document could not be fetched for its link',
    );
    answerLater(res, 60, sentences.away);
  };
  return [limitLinks(links, (req) => partsOf(req).token), answer];
}

const sentences = {
  /** The same for a wrong, an altered and a deleted link: it does not say what exists. */
  wrong:
    'Este enlace no corresponde a ningún comprobante. Revise que esté completo o pida a la tienda que se lo envíe de nuevo.',
  revoked: 'La tienda anuló este enlace. Pídale uno nuevo si necesita su comprobante.',
  expired:
    'Los enlaces a los comprobantes tienen un plazo. Pida a la tienda uno nuevo si todavía lo necesita.',
  early: 'Su comprobante todavía no está autorizado por el SRI. Vuelva a abrir este enlace en unos minutos.',
  away: 'En este momento no podemos obtener su comprobante. Vuelva a abrir este enlace en unos minutos.',
};

/** Works on the undecoded `req.path`: tokens need no decoding. */
function partsOf(req: Request): { token: string; ending: string } {
  const [, token = '', ending = 'page'] =
    /^\/([\w-]+\.[\w-]+)(?:\.(pdf|xml))?$/.exec(withoutTail(req.path)) ?? [];
  return { token, ending };
}

function readLink(req: Request, res: Response) {
  if (req.method !== 'GET' && req.method !== 'HEAD') return null;
  const link = linkOf(res);
  const { purpose } = link ?? {};
  return link && purpose !== 'identification' && purpose === partsOf(req).ending
    ? { ...link, purpose }
    : null;
}

function showPage(
  res: Response,
  document: Document,
  { version, expiresAt }: Link,
  { links, settings }: Pick<HttpDeps, 'links' | 'settings'>,
): void {
  const shop = storeOfShop(settings.stores, document.platform, document.shop)?.issuer.nombre_comercial ?? '';
  const pdf = pathOf(links.pdf(document.id, version, expiresAt));
  const xml = pathOf(links.xml(document.id, version, expiresAt));
  const kind = document.kind === 'factura' ? 'Factura' : 'Nota de crédito';
  const title = `${kind} ${documentNumber(document) ?? ''}`;
  const { accessKey, authorizedAt, issueDate, charged, total } = document;
  const day = authorizedAt === null ? issueDate : ecuadorDay(new Date(authorizedAt));
  sendPage(res, 200, {
    title,
    shop,
    wide: true,
    scripts: ['comprobante.js'],
    body: html`<p class="soft">Autorizada por el SRI${day !== null && html` el <time datetime="${day}">${inWords(day)}</time>`}.</p>
${document.annulledAt !== null && html`<p><strong>Este comprobante figura ANULADO en el SRI y ya no tiene validez. Si su compra sigue en pie, pida otro a la tienda.</strong></p>`}
<dl><dt>Pedido</dt><dd>${document.orderName}</dd><dt>Total</dt><dd>USD ${toAmount(total ?? charged)}</dd></dl>
<div class="row"><a class="button" href="${pdf}">Abrir el PDF</a>
<a class="button plain" href="${pdf}" download="${title}.pdf">Descargar PDF</a>
<a class="button plain" href="${xml}" download="${title}.xml">Descargar XML</a></div>
<h2>Clave de acceso</h2>
<p class="key">${accessKey}</p>
<div class="row"><button type="button" class="plain" data-copy="${accessKey}" data-said="copiado" data-done="Clave de acceso copiada." data-failed="No se pudo copiar: selecciónela con el dedo o el ratón." hidden>Copiar la clave</button>
<a class="button plain" href="${sri}" rel="noreferrer">Verificar en el SRI</a></div>
<p id="copiado" role="status"></p>
${document.ambiente === 1 && html`<p class="soft">Este comprobante es de pruebas y no tiene validez tributaria: el SRI no lo muestra en su portal.</p>`}
<div class="onlywide"><iframe src="${pdf}#navpanes=0" title="PDF de la ${kind.toLowerCase()} ${documentNumber(document)}" loading="lazy"></iframe></div>`,
  });
}

const pathOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

export function openFetch(deps: HttpDeps) {
  const { settings, service } = deps;
  const rateLimits = new Map<string, RateLimit>();
  const callsOf = (document: Document): ServiceCalls | undefined => {
    const key = issuingKey(settings.accounts, document);
    const issuer = key && service(key.account.id, key.keyHash);
    if (!issuer) return undefined;
    const rateLimit = rateLimits.get(key.keyHash) ?? impatientRateLimit(issuer.rateLimit);
    rateLimits.set(key.keyHash, rateLimit);
    return issuer.client.with(rateLimit);
  };
  return async (document: Document, accessKey: string, kind: FileKind): Promise<Uint8Array | null> => {
    const keyed = { ...document, accessKey };
    const kept = await keptFile(deps, keyed, kind);
    if (kept) return kept;
    const calls = callsOf(document);
    if (!calls) return null;
    return fetchFile(deps, calls, keyed, kind, deps.keepFiles).catch((error: unknown) => {
      if (error instanceof BusyError) return null;
      throw error;
    });
  };
}

export const fileTypes = { pdf: 'application/pdf', xml: 'application/xml; charset=utf-8' } as const;

/** Caches must revalidate the file each time, so that a revoked link opens nothing. */
function sendFile(req: Request, res: Response, bytes: Uint8Array, accessKey: string, kind: FileKind): void {
  setFilePolicy(res, fileTypes[kind]);
  res
    .set({
      'Cache-Control': 'private, no-cache',
      // Authorised files never change.
      ETag: `"${accessKey}.${kind}"`,
      'Content-Disposition': `inline; filename="${accessKey}.${kind}"`,
      'Content-Type': fileTypes[kind],
    })
    .status(req.fresh ? 304 : 200)
    .end(req.fresh ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** The page "Validez de comprobantes" of SRI en línea. */
const sri =
  'https://srienlinea.sri.gob.ec/comprobantes-electronicos-internet/publico/validezComprobantes.jsf';

const words = new Intl.DateTimeFormat('es-EC', { dateStyle: 'long', timeZone: 'UTC' });
const inWords = (day: string): string => words.format(new Date(`${day}T12:00:00Z`));
