import type { Document } from '../core/document.ts';

/** What the merchant reads of a document on its way; both kinds are feminine in Spanish. */
type Named = Pick<Document, 'kind'>;

export const named = ({ kind }: Named): string => (kind === 'factura' ? 'la factura' : 'la nota de crédito');

export const answerLost = (document: Named): string =>
  `Se perdió la respuesta del servicio; se averigua si ${named(document)} fue recibida.`;

export const refused = (document: Named, words: string): string =>
  `El servicio de facturación no aceptó ${named(document)}: ${words}`;

/** `says`: what to fix outside of the document (authority-errors.ts). */
export const notAuthorised = (document: Named, errors: readonly string[], says: string | null): string => {
  const told = `El SRI no autorizó ${named(document)}: ${errors.join('; ') || 'sin motivo.'}`;
  if (says === null) return told;
  return `${told}. ${says} Después vuelva a procesarla en el servicio; la autorización se reconoce sola.`;
};

export const triedAgain = (document: Named, errors: readonly string[], says: string | null): string =>
  `El SRI todavía no autoriza ${named(document)}: ${errors.join('; ')}. ${says ?? ''} Se intentará de nuevo.`;

export const heldByRejected = (document: Named, number: string): string =>
  `El servicio guarda el número ${number} con un comprobante no autorizado y no acepta de nuevo ${named(document)}. Pida al servicio que libere ese número.`;

export const keyGone = (document: Named): string =>
  `La clave API con la que se envió ${named(document)} ya no está en la configuración y la nueva no puede verla. Añada la clave anterior en apiKeys para conocer su estado.`;

export const alreadyRegistered = (document: Named): string =>
  `El SRI ya tiene registrado este número; hay que averiguar cuál es ${named(document)} autorizada.`;
