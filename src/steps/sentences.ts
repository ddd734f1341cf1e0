import type { Document } from '../core/document.ts';

/** What the merchant reads of a document on its way; both kinds are feminine in Spanish. */
type Named = Pick<Document, 'kind'>;

export const named = ({ kind }: Named): string => (kind === 'factura' ? 'la factura' : 'la nota de crédito');

export const answerLost = (document: Named): string =>
  `Se perdió la respuesta del servicio; se averigua si ${named(document)} fue recibida.`;

export const refused = (document: Named, words: string): string =>
  `El servicio de facturación no aceptó ${named(document)}: ${words}`;

export const notAuthorised = (document: Named, errors: readonly string[]): string =>
  `El SRI no autorizó ${named(document)}: ${errors.join('; ') || 'sin motivo.'}`;

export const alreadyRegistered = (document: Named): string =>
  `El SRI ya tiene registrado este número; hay que averiguar cuál es ${named(document)} autorizada.`;
