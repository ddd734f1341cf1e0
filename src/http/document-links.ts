import type { Request, RequestHandler, Response } from 'express';
import type { Budget } from '../core/budget.ts';
import type { Document } from '../core/document.ts';
import { issuingKey } from '../core/settings.ts';
import type { ServiceCalls } from '../service/client.ts';
import { readWhole } from '../steps/read-whole.ts';
import type { HttpDeps } from './deps.ts';
import { documentPage } from './document/page.ts';
import { BusyError, impatientBudget } from './impatient-budget.ts';
import { answerLater, answerPage, sendPage } from './pages.ts';

export type FileKind = 'pdf' | 'xml';

/**
 * `GET /d/<token>`, `.pdf` and `.xml`: an authorised document's page and files, for whoever was given the link. Files
 * come from the ledger, where they are kept once fetched, so that a link works while the service is away.
 */
export function documentLinks(deps: HttpDeps): RequestHandler {
  const { ledger, links, log } = deps;
  const fetchFile = openFetch(deps);
  return async (req, res) => {
    const link = readLink(req, links);
    const document = link && (await ledger.documents.get(link.documentId));
    if (!link || !document) return answerPage(res, 404, 'Enlace no válido', sentences.wrong);
    if ((await ledger.linkVersions.of(document.id)) !== link.version)
      return answerPage(res, 410, 'Este enlace ya no sirve', sentences.revoked);
    const { accessKey, state } = document;
    if (accessKey === null || state !== 'authorized') return answerLater(res, 120, sentences.early);
    if (link.purpose === 'page') return showPage(res, document, link.version, deps);
    const bytes = await fetchFile(document, accessKey, link.purpose);
    if (bytes) return sendFile(res, bytes, accessKey, link.purpose);
    log.warn(
      { document: document.id, purpose: link.purpose },
      'A document could not be fetched for its link',
    );
    answerLater(res, 60, sentences.away);
  };
}

const sentences = {
  /** For a wrong, an altered and a forgotten link alike: it says nothing about what exists. */
  wrong:
    'Este enlace no corresponde a ningún comprobante. Revise que esté completo o pida a la tienda que se lo envíe de nuevo.',
  revoked: 'La tienda anuló este enlace. Pídale uno nuevo si necesita su comprobante.',
  early: 'Su comprobante todavía no está autorizado por el SRI. Vuelva a abrir este enlace en unos minutos.',
  away: 'En este momento no podemos obtener su comprobante. Vuelva a abrir este enlace en unos minutos.',
};

/** The ending must be the one the link was signed for. */
function readLink(req: Request, links: HttpDeps['links']) {
  if (req.method !== 'GET' && req.method !== 'HEAD') return null;
  // `req.path` is not decoded: a token has no character that would need it.
  const [, token = '', ending] = /^\/([\w-]+\.[\w-]+)(?:\.(pdf|xml))?$/.exec(req.path) ?? [];
  const link = links.read(token);
  const { purpose } = link ?? {};
  return link && purpose !== 'identification' && purpose === (ending ?? 'page') ? { ...link, purpose } : null;
}

function showPage(
  res: Response,
  document: Document,
  version: number,
  { links, settings }: Pick<HttpDeps, 'links' | 'settings'>,
): void {
  const store = [...settings.stores.values()].find(
    ({ platform, shop }) => platform.name === document.platform && shop === document.shop,
  );
  const shop = store?.issuer.nombre_comercial ?? '';
  const [pdf, xml] = [links.pdf(document.id, version), links.xml(document.id, version)];
  sendPage(res, 200, documentPage(document, { shop, pdf: pathOf(pdf), xml: pathOf(xml) }));
}

/** Relative to the page, whatever stands before us: `<token>.pdf`. */
const pathOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** A file of an authorised document from the ledger, else from the service, which is then kept; null when neither has it now. */
export function openFetch({ settings, ledger, service, clock, keepFiles }: HttpDeps) {
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
    const kept = await ledger.files.get(document.id, kind);
    if (kept) return kept;
    const calls = callsOf(document);
    const bytes =
      calls &&
      (await readWhole(calls, kind, accessKey).catch((error: unknown) => {
        if (error instanceof BusyError) return null;
        throw error;
      }));
    if (!bytes) return null;
    if (keepFiles) await ledger.files.keep({ documentId: document.id, kind, bytes, now: clock.now() });
    return bytes;
  };
}

export const fileTypes = { pdf: 'application/pdf', xml: 'application/xml; charset=utf-8' } as const;

function sendFile(res: Response, bytes: Uint8Array, accessKey: string, kind: FileKind): void {
  res
    .set({
      'Cache-Control': 'private, max-age=300',
      'Content-Disposition': `inline; filename="${accessKey}.${kind}"`,
      'Content-Type': fileTypes[kind],
      'X-Robots-Tag': 'noindex',
    })
    .end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
