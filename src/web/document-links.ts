import type { Request, RequestHandler, Response } from 'express';
import type { Budget } from '../domain/budget.ts';
import { ecuadorDay } from '../domain/calendar.ts';
import { type Document, documentNumber } from '../domain/document.ts';
import { html } from '../domain/html.ts';
import { toAmount } from '../domain/money.ts';
import { issuingKey } from '../domain/settings.ts';
import { type FileKind, fetchFile, keptFile } from '../jobs/document-file.ts';
import type { ServiceCalls } from '../service/client.ts';
import { limitLinks, linkOf } from './buyer/limits.ts';
import type { HttpDeps } from './deps.ts';
import { BusyError, impatientBudget } from './impatient-budget.ts';
import type { Link } from './links.ts';
import { answerLater, answerPage, type Page, sendPage } from './pages.ts';

export type { FileKind };

/**
 * `GET /d/<token>`, `.pdf` and `.xml`: an authorised document's page and files, for whoever was given the link. Files
 * come from the ledger, where they are kept once fetched, so that a link works while the service is away.
 */
export function documentLinks(deps: HttpDeps): RequestHandler[] {
  const { ledger, links, log, clock } = deps;
  const fileOf = openFetch(deps);
  const answer: RequestHandler = async (req, res) => {
    const link = readLink(req, res);
    const document = link && (await ledger.documents.get(link.documentId));
    if (!link || !document) return answerPage(res, 404, 'Enlace no válido', sentences.wrong);
    if ((await ledger.linkVersions.of(document.id)) !== link.version)
      return answerPage(res, 410, 'Este enlace ya no sirve', sentences.revoked);
    if (link.expiresAt !== null && link.expiresAt <= clock.now())
      return answerPage(res, 410, 'Este enlace venció', sentences.over);
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
  /** For a wrong, an altered and a forgotten link alike: it says nothing about what exists. */
  wrong:
    'Este enlace no corresponde a ningún comprobante. Revise que esté completo o pida a la tienda que se lo envíe de nuevo.',
  revoked: 'La tienda anuló este enlace. Pídale uno nuevo si necesita su comprobante.',
  over: 'Los enlaces a los comprobantes duran un tiempo. Pida a la tienda uno nuevo si todavía lo necesita.',
  early: 'Su comprobante todavía no está autorizado por el SRI. Vuelva a abrir este enlace en unos minutos.',
  away: 'En este momento no podemos obtener su comprobante. Vuelva a abrir este enlace en unos minutos.',
};

/** `req.path` is not decoded: a token has no character that would need it. */
function partsOf(req: Request): { token: string; ending: string } {
  const [, token = '', ending = 'page'] = /^\/([\w-]+\.[\w-]+)(?:\.(pdf|xml))?$/.exec(req.path) ?? [];
  return { token, ending };
}

/** The ending must be the one the link was signed for. */
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
  const store = [...settings.stores.values()].find(
    ({ platform, shop }) => platform.name === document.platform && shop === document.shop,
  );
  const shop = store?.issuer.nombre_comercial ?? '';
  // They end with the page.
  const pdf = links.pdf(document.id, version, expiresAt);
  const xml = links.xml(document.id, version, expiresAt);
  sendPage(res, 200, documentPage(document, { shop, pdf: pathOf(pdf), xml: pathOf(xml) }));
}

/** Relative to the page, whatever stands before us: `<token>.pdf`. */
const pathOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** A file of an authorised document from the ledger, else from the service, which is then kept; null when neither has it now. */
export function openFetch(deps: HttpDeps) {
  const { settings, service } = deps;
  const budgets = new Map<string, Budget>();
  const callsOf = (document: Document): ServiceCalls | undefined => {
    const key = issuingKey(settings.accounts, document);
    const issuer = key && service(key.account.id, key.keyHash);
    if (!issuer) return undefined;
    const budget = budgets.get(key.keyHash) ?? impatientBudget(issuer.budget);
    budgets.set(key.keyHash, budget);
    return issuer.client.with(budget);
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

/** A copy that is kept somewhere is asked for again each time, so that a link that was revoked opens nothing. */
function sendFile(req: Request, res: Response, bytes: Uint8Array, accessKey: string, kind: FileKind): void {
  res
    .set({
      'Cache-Control': 'private, no-cache',
      // What was authorised never changes.
      ETag: `"${accessKey}.${kind}"`,
      'Content-Disposition': `inline; filename="${accessKey}.${kind}"`,
      'Content-Type': fileTypes[kind],
      'X-Robots-Tag': 'noindex',
    })
    .status(req.fresh ? 304 : 200)
    .end(req.fresh ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** Where the tax authority tells of any document by its access key (portal SRI en línea, "Validez de comprobantes"). */
const sri =
  'https://srienlinea.sri.gob.ec/comprobantes-electronicos-internet/publico/validezComprobantes.jsf';

/** The page around an authorised document: what it is, its two files, and how to verify it. */
function documentPage(
  document: Document,
  { shop, pdf, xml }: { shop: string; pdf: string; xml: string },
): Page {
  const number = documentNumber(document) ?? '';
  const factura = document.kind === 'factura';
  const title = `${factura ? 'Factura' : 'Nota de crédito'} ${number}`;
  const day =
    document.authorizedAt === null ? document.issueDate : ecuadorDay(new Date(document.authorizedAt));
  return {
    title,
    shop,
    wide: true,
    scripts: ['comprobante.js'],
    body: html`<p class="soft">Autorizada por el SRI${day !== null && html` el <time datetime="${day}">${inWords(day)}</time>`}.</p>
${document.annulledAt !== null && html`<p><strong>Este comprobante figura ANULADO en el SRI y ya no tiene validez. Si su compra sigue en pie, pida otro a la tienda.</strong></p>`}
<dl><dt>Pedido</dt><dd>${document.orderName}</dd><dt>Total</dt><dd>USD ${toAmount(document.total ?? document.charged ?? '0')}</dd></dl>
<div class="row"><a class="button" href="${pdf}">Abrir el PDF</a>
<a class="button plain" href="${pdf}" download="${title}.pdf">Descargar PDF</a>
<a class="button plain" href="${xml}" download="${title}.xml">Descargar XML</a></div>
<h2>Clave de acceso</h2>
<p class="key">${document.accessKey}</p>
<div class="row"><button type="button" class="plain" data-copy="${document.accessKey}" hidden>Copiar la clave</button>
<a class="button plain" href="${sri}" rel="noreferrer">Verificar en el SRI</a></div>
<p id="copiado" role="status"></p>
${document.ambiente === 1 && html`<p class="soft">Este comprobante es de pruebas y no tiene validez tributaria: el SRI no lo muestra en su portal.</p>`}
<div class="onlywide"><iframe src="${pdf}#navpanes=0" title="PDF de la ${factura ? 'factura' : 'nota de crédito'} ${number}" loading="lazy"></iframe></div>`,
  };
}

const words = new Intl.DateTimeFormat('es-EC', { dateStyle: 'long', timeZone: 'UTC' });
const inWords = (day: string): string => words.format(new Date(`${day}T12:00:00Z`));
