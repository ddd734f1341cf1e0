import { type Document, documentNumber } from '../domain/document.ts';
import { limitText } from '../domain/text.ts';

/** What the merchant reads of a document on its way; both kinds are feminine in Spanish. */
type Named = Pick<Document, 'kind'>;

export const named = ({ kind }: Named): string => (kind === 'factura' ? 'la factura' : 'la nota de crédito');

/** `words`: what the service said of its failure, where it said something. */
export const answerLost = (document: Named, words: readonly string[] = []): string =>
  words.length === 0
    ? `Se perdió la respuesta del servicio; se averigua si ${named(document)} fue recibida.`
    : `El servicio respondió con un error y no dice si recibió ${named(document)}; se averigua. Dijo: ${words.join(' ')}`;

export const keyUnexpected = (document: Named): string =>
  `El servicio respondió con una clave de acceso que no se esperaba; se comprueba si ${named(document)} fue recibida.`;

/** As much of others' words as a person reads in a list of documents; the attempt keeps all of them. */
const quoted = (words: string): string => limitText(words, 2_000);

export const refused = (document: Named, words: string): string =>
  `El servicio de facturación no aceptó ${named(document)}: ${quoted(words)}`;

const thenReprocess = 'Después vuelva a procesarla en el servicio; la autorización se reconoce sola.';

/** Whether a person was told to have it reprocessed, once what lies outside of it is put right. */
export const mayBeReprocessed = ({ code, reason }: Pick<Document, 'code' | 'reason'>): boolean =>
  code === 'not-authorised' && reason !== null && reason.endsWith(thenReprocess);

/** `says`: what to fix outside of the document (authority-errors.ts). */
export const notAuthorised = (document: Named, errors: readonly string[], says: string | null): string => {
  const told = `El SRI no autorizó ${named(document)}: ${quoted(errors.join('; ')) || 'sin motivo.'}`;
  if (says === null) return told;
  return `${told}. ${says} ${thenReprocess}`;
};

export const triedAgain = (document: Named, errors: readonly string[], says: string | null): string =>
  `El SRI todavía no autoriza ${named(document)}: ${quoted(errors.join('; '))}. ${says ?? ''} Se intentará de nuevo.`;

export const heldByRejected = (document: Named, number: string): string =>
  `El servicio guarda el número ${number} con un comprobante no autorizado y no acepta de nuevo ${named(document)}. Pida al servicio que libere ese número.`;

export const keyGone = (document: Named): string =>
  `La clave API con la que se envió ${named(document)} ya no está en la configuración y la nueva no puede verla. Añada la clave anterior en apiKeys para conocer su estado.`;

type Numbered = Named & Pick<Document, 'id' | 'establecimiento' | 'puntoEmision' | 'secuencial'>;

/** Only a person can find a key that nobody told us (src/cli/adopt.ts), or find that there is none (retry.ts). */
export const adoptIt = (document: Numbered): string =>
  `Búsquela por su número en el panel del servicio y en el portal del SRI y dé su clave de acceso: facturapuente adopt ${document.id} CLAVE. ${orNewNumber(document)}`;

const orNewNumber = ({ id }: Pick<Document, 'id'>): string =>
  `Si comprobó en ambos que no existe ningún comprobante de esta venta, responda por ello y se emite con un número nuevo: facturapuente retry ${id} --numero-nuevo.`;

export const maybeOurs = (document: Numbered): string =>
  `Se perdió la respuesta de un envío de ${named(document)}, que pudo ser el que ocupa ese número. ${adoptIt(document)}`;

export const lostBefore = (document: Numbered): string =>
  `Antes se perdió la respuesta de un envío de ${named(document)}. ${orNewNumber(document)}`;

export const unconfirmed = (document: Numbered): string =>
  `Desde hace más de un día no se sabe si ${named(document)} ${documentNumber(document)} fue autorizada: el servicio no lo dice o no la muestra. Se sigue preguntando. Si el portal del SRI la muestra autorizada, dé su clave de acceso: facturapuente adopt ${document.id} CLAVE.`;

/** Why its number is not replaced by a new one. */
export const neverTwice = (document: Numbered): string =>
  `Un envío anterior de ${named(document)} pudo ser autorizado con el número ${documentNumber(document)}, y con otro número se facturaría dos veces. ${adoptIt(document)}`;

export const refusedAfterLost = (document: Numbered, words: string): string =>
  `${refused(document, words)} La respuesta de un envío anterior se perdió, y ese sí pudo ser autorizado. ${adoptIt(document)}`;

export const storedDiffers = (document: Numbered, accessKey: string): string =>
  `El servicio tiene autorizada ${named(document)} ${documentNumber(document)} de esta venta con la clave ${accessKey}, y su comprador o su total no son los que se enviaron. No se emite otra: compárelas y, si es la correcta, dé su clave: facturapuente adopt ${document.id} ${accessKey} --sin-comprobar.`;

export const alreadyRegistered = (document: Numbered): string =>
  `El SRI ya tiene registrado el número ${documentNumber(document)}, y no se conoce con qué clave de acceso ${named(document)} fue autorizada. ${adoptIt(document)}`;

export const findTheKey = (document: Numbered): string =>
  `Ningún aviso del servicio trajo la clave de acceso de ${named(document)} ${documentNumber(document)}, que pudo ser autorizada. ${adoptIt(document)}`;

export const replaced = (document: Numbered): string =>
  `El número ${documentNumber(document)} es de otro documento; el pedido se factura con uno nuevo.`;

export const vouchedFor = (document: Numbered): string =>
  `Una persona comprobó que ${named(document)} con el número ${documentNumber(document)} no existe en el servicio ni en el SRI; el pedido se factura con uno nuevo.`;
