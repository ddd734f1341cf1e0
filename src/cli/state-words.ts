import pc from 'picocolors';
import type { DocumentState } from '../domain/document.ts';

/** The states of a document as a merchant reads them. */
export const stateWords: Record<DocumentState, string> = {
  held: pc.yellow('retenida'),
  ready: 'lista',
  sending: 'enviándose',
  processing: 'en proceso',
  uncertain: pc.yellow('incierta'),
  authorized: pc.green('autorizada'),
  rejected: pc.red('rechazada'),
  manual: pc.red('a mano'),
  cancelled: pc.dim('anulada antes de enviarse'),
};
