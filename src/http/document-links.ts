import { pipeline } from 'node:stream/promises';
import type { RequestHandler, Response } from 'express';
import type { Budget } from '../core/budget.ts';
import type { Document } from '../core/document.ts';
import { issuingKey } from '../core/settings.ts';
import type { ServiceCalls } from '../service/client.ts';
import type { HttpDeps } from './deps.ts';
import { BusyError, impatientBudget } from './impatient-budget.ts';
import type { LinkPurpose } from './links.ts';
import { answerLater, answerPage } from './pages.ts';

/** `GET /d/<token>.pdf` and `.xml`: the files of one authorised document, for whoever was given the link. */
export function documentLinks({ settings, ledger, links, service, log }: HttpDeps): RequestHandler {
  const budgets = new Map<string, Budget>();
  const callsOf = (document: Document): ServiceCalls | undefined => {
    const key = issuingKey(settings.accounts, document);
    const issuer = key && service(key.account.id, key.keyHash);
    if (!issuer) return undefined;
    const budget = budgets.get(key.keyHash) ?? impatientBudget(issuer.budget);
    budgets.set(key.keyHash, budget);
    return issuer.client.with(budget);
  };
  return async (req, res) => {
    // `req.path` is not decoded: a token has no character that would need it.
    const [, token = '', purpose] = /^\/([\w.-]+)\.(pdf|xml)$/.exec(req.path) ?? [];
    const link = req.method === 'GET' || req.method === 'HEAD' ? links.read(token) : null;
    const document = link?.purpose === purpose && link ? await ledger.documents.get(link.documentId) : null;
    if (!link || !document) return answerPage(res, 404, 'Enlace no válido', sentences.wrong);
    const { accessKey, state } = document;
    if (accessKey === null || state !== 'authorized') return answerLater(res, 120, sentences.early);
    const calls = callsOf(document);
    if (calls && (await serve(res, calls, accessKey, link.purpose))) return;
    log.warn({ document: document.id, purpose }, 'A document could not be fetched for its link');
    answerLater(res, 60, sentences.away);
  };
}

const sentences = {
  /** For a wrong, an altered and a forgotten link alike: it says nothing about what exists. */
  wrong:
    'Este enlace no corresponde a ningún comprobante. Revise que esté completo o pida a la tienda que se lo envíe de nuevo.',
  early: 'Su comprobante todavía no está autorizado por el SRI. Vuelva a abrir este enlace en unos minutos.',
  away: 'En este momento no podemos obtener su comprobante. Vuelva a abrir este enlace en unos minutos.',
};

/** False when there is nothing to serve now; after the first byte there is no way back. */
async function serve(
  res: Response,
  calls: ServiceCalls,
  accessKey: string,
  purpose: LinkPurpose,
): Promise<boolean> {
  const asked = purpose === 'pdf' ? calls.descargarPdf(accessKey) : calls.descargarXml(accessKey);
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof BusyError) return null;
    throw error;
  });
  if (answer?.kind !== 'found') return false;
  res.set({
    'Cache-Control': 'private, max-age=300',
    'Content-Disposition': `inline; filename="${accessKey}.${purpose}"`,
    'Content-Type': purpose === 'pdf' ? 'application/pdf' : 'application/xml; charset=utf-8',
    'X-Robots-Tag': 'noindex',
  });
  if ('xml' in answer) {
    res.send(answer.xml);
    return true;
  }
  if (answer.length !== null) res.set('Content-Length', String(answer.length));
  // Either side may hang up half way; then the connection is cut, and the reader sees that the file is short.
  await pipeline(answer.stream, res).catch(() => res.destroy());
  return true;
}
