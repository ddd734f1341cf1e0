import type { RequestHandler } from 'express';
import { revokeLinks } from '../steps/revoke-links.ts';
import type { HttpDeps } from './deps.ts';
import { refuse } from './failures.ts';

export const revokePath = '/links/:document/revoke';

/** What a ticket for this door is issued for. */
export const revokeUse = (documentId: string): string => `revoke links ${documentId}`;

/** Where the command line asks the process that holds the ledger; whoever has no ticket finds nothing here. */
export function revokeDoor({
  ledger,
  clock,
  tickets,
  log,
}: Pick<HttpDeps, 'ledger' | 'clock' | 'tickets' | 'log'>): RequestHandler<{ document: string }> {
  return async (req, res) => {
    const { document: id } = req.params;
    const ticket = /^Bearer (\S{1,200})$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const document = tickets.admits(revokeUse(id), ticket) ? await ledger.documents.get(id) : undefined;
    if (!document) return refuse(res, 404, 'not-found', 'Esta dirección no existe.');
    const version = await revokeLinks({ ledger, clock }, document);
    log.info({ document: id, version }, 'The links of a document were revoked');
    res.set('Cache-Control', 'no-store').json({ version });
  };
}
