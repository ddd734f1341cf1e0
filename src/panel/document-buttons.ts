import type { Document } from '../domain/document.ts';
import { mayDo, type Role } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { isAsked } from '../jobs/ask-buyer.ts';
import { mayBeAccepted, mayExist, type Past } from '../jobs/retry.ts';
import { mayBeReprocessed } from '../jobs/sentences.ts';
import { accept, adopt, reprocess, retry } from '../operations/documents.ts';
import { documentPath, link, orderName } from './components.ts';
import { identifyPage } from './identify.ts';
import { newNumberPage } from './new-number.ts';
import { formPath, operationButton } from './operations.ts';
import type { PanelPage, Visit } from './visit.ts';

interface ButtonsLook {
  small?: boolean;
  /** Without it no attempt is taken to have an unknown outcome. */
  past?: Past | undefined;
}

/** The likeliest resolution first; only what the person may do. */
export function documentButtons(visit: Visit, document: Document, look: ButtonsLook = {}): Piece {
  const { small = false, past } = look;
  const about = orderName(document);
  const fields = { document: document.id };
  const linkFor = ({ role }: { role: Role }, path: string, label: string, plain = false): Html | false =>
    mayDo(visit.role, role) &&
    link(visit, path, label, { look: plain || small ? 'button plain' : 'button', about });
  const toPage = (page: PanelPage, label: string, plain = false) =>
    linkFor(page, page.path.replace(':id', document.id), label, plain);
  const retryButton = (label: string, plain = false) =>
    operationButton(visit, retry, { fields, label, about, plain: plain || small });
  const adoptLink = linkFor(adopt, formPath(adopt, fields), adopt.title);
  const timeline = documentLink(visit, document.id, about);
  if (isAsked(document))
    return html`${toPage(identifyPage, 'Ingresar la identificación')}${retryButton(words.readAgain, true)}${timeline}`;
  if (mayBeAccepted(document)) {
    const label = acceptLabel(document);
    const seen = String(document.version);
    const button = { fields: { ...fields, seen }, label, about, plain: small };
    return html`${operationButton(visit, accept, button)}${retryButton(words.readAgain, true)}${timeline}`;
  }
  if (document.state === 'held' || (document.state === 'manual' && document.secuencial === null))
    return html`${retryButton(words.readAgain)}${timeline}`;
  if (document.state !== 'manual' && document.state !== 'rejected') return timeline;
  // An attempt may be authorised: a retry would be refused, only a person can release the number.
  if (past && mayExist(document, past))
    return html`${adoptLink}${toPage(newNumberPage, words.newNumber, true)}${timeline}`;
  if (document.code === 'number-conflict')
    return html`${retryButton(words.newNumber)}${adoptLink}${timeline}`;
  if (document.state === 'manual') return html`${adoptLink}${retryButton(words.retry, true)}${timeline}`;
  return html`${retryButton(words.retry)}${mayBeReprocessed(document) && operationButton(visit, reprocess, { fields, about, plain: true })}${timeline}`;
}

function acceptLabel({ code, charged }: Document): string {
  const { accept, readAgain } = words;
  switch (code) {
    case 'changed-after-payment':
      return accept[code](`USD ${charged}`);
    case 'order-id-reused':
    case 'refund-id-reused':
    case 'unknown-access-key':
    case 'sub-orders':
      return accept[code];
    default:
      return readAgain;
  }
}

export function documentLink(visit: Visit, id: string, about?: string): Html | null {
  const path = documentPath(id);
  if (visit.here === path) return null;
  return link(visit, path, 'Ver el historial', { look: 'quiet', ...(about !== undefined && { about }) });
}

const words = {
  readAgain: 'Actualizar desde la tienda',
  retry: 'Intentar otra vez',
  accept: {
    'order-id-reused': 'Es otra venta: facturarla',
    'refund-id-reused': 'Es otro reembolso: emitir su nota de crédito',
    'unknown-access-key': 'La clave es de otra venta: facturarlo',
    'sub-orders': 'No es parte del otro cobro: facturarlo',
    'changed-after-payment': (amount: string) => `Se cobró ${amount}: facturarlo`,
  },
  newNumber: 'Facturar con otro número',
};
