import type { Alert } from '../domain/alerts.ts';
import { type Document, documentNumber } from '../domain/document.ts';
import { owner } from '../domain/scope.ts';

/** What ends with the next state that is told. */
export const alertCodes = ['document-rejected', 'document-manual', 'document-unconfirmed'] as const;

const kinds = { factura: 'la factura', 'nota-credito': 'la nota de crédito' } as const;

/** What a person is told of a document that cannot go on alone; null for every other one. Names no buyer. */
export function alertOf(document: Document): (Alert & { code: (typeof alertCodes)[number] }) | null {
  const { id, kind, orderName, reason, state } = document;
  if (state !== 'rejected' && state !== 'manual') return null;
  const number = documentNumber(document);
  const which = [kinds[kind], number].filter((part) => part !== null).join(' ');
  const what = state === 'rejected' ? `${which} fue rechazada` : `${which} necesita que una persona decida`;
  return {
    code: `document-${state}`,
    subject: id,
    about: owner.shop(document),
    what: `Pedido ${orderName}: ${what}.${reason === null ? '' : ` ${reason}`}`,
    cure: 'Vea el pedido en la tienda o «facturapuente documents»; corregida la causa, el documento sigue.',
  };
}
