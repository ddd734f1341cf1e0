import { type Document, documentNumber, type ErrorCause } from '../domain/document.ts';
import { limitText } from '../domain/text.ts';
import type { Reason, Sentence } from '../protocol/effects.ts';
import type { ServiceMessage } from '../service/inferred.ts';

/* What the merchant reads of a document, in Spanish; both kinds are feminine. */

export const named = ({ kind }: Pick<Document, 'kind'>): string =>
  kind === 'factura' ? 'la factura' : 'la nota de crédito';

/** As much of others' words as a person reads in a list of documents; the attempt keeps all of them. */
const quoted = (words: string): string => limitText(words, 2_000);

const thenReprocess = 'Después vuelva a procesarla en el servicio; la autorización se reconoce sola.';

/** Whether its reason asks to have it reprocessed, once what lies outside of it is fixed. */
export const mayBeReprocessed = ({ code, reason }: Pick<Document, 'code' | 'reason'>): boolean =>
  code === 'not-authorised' && reason !== null && reason.endsWith(thenReprocess);

type Numbered = Pick<Document, 'kind' | 'id' | 'establecimiento' | 'puntoEmision' | 'secuencial'>;

/** Only a person can find a key that the service never named (`adopt`), or find that there is no document (`retry`). */
export const adoptIt = (document: Numbered): string =>
  `Búsquela por su número en el panel del servicio y en el portal del SRI y dé su clave de acceso: facturapuente adopt ${document.id} CLAVE. ${orNewNumber(document)}`;

const orNewNumber = ({ id }: Pick<Document, 'id'>): string =>
  `Si comprobó en ambos que no existe ningún comprobante de esta venta, responda por ello y se emite con un número nuevo: facturapuente retry ${id} --new-number.`;

/** Why its number is not replaced by a new one. */
export const neverTwice = (document: Numbered): string =>
  `Un envío anterior de ${named(document)} pudo ser autorizado con el número ${documentNumber(document)}, y con otro número se facturaría dos veces. ${adoptIt(document)}`;

export const storedDiffers = (document: Numbered, accessKey: string): string =>
  `El servicio tiene autorizada ${named(document)} ${documentNumber(document)} de esta venta con la clave ${accessKey}, y su comprador o su total no son los que se enviaron. No se emite otra: compárelas y, si es la correcta, dé su clave: facturapuente adopt ${document.id} ${accessKey} --unverified.`;

/** Its number is that of another document of ours. */
export const numberOfAnother = (document: Document): string =>
  `El número ${documentNumber(document)} es de otro documento de esta tienda, que el registro había perdido. ${document.kind === 'factura' ? 'Este pedido se factura' : 'Este reembolso se acredita'} con el suyo, si ya lo tenía, o con uno nuevo cuando la serie siga.`;

/** Its number is that of a document that is not ours. */
export const numberTaken = (
  document: Pick<Document, 'ambiente' | 'establecimiento' | 'puntoEmision' | 'secuencial'>,
): string =>
  `El número ${documentNumber(document)} ya fue usado${document.ambiente === 1 ? ' en el ambiente 1 (pruebas)' : ''} por un documento que este sistema no emitió. Indique en la configuración un primer número libre o use otro punto de emisión.`;

/** Its number was registered before the ledger used it, and nobody knows for which document. */
export const numberUnexplained = (
  document: Pick<Document, 'establecimiento' | 'puntoEmision' | 'secuencial'>,
): string =>
  `El número ${documentNumber(document)} ya estaba registrado cuando este sistema lo usó por primera vez, y no se sabe con qué documento. Búsquelo en el panel del servicio y en el portal del SRI. Si es de esta tienda, dé su clave a su pedido con facturapuente adopt; si no, indique en la configuración un primer número libre.`;

interface Quoted {
  /** Words of the service or the authority. */
  words: readonly string[];
  accessKey: string;
  /** What planner or series said. */
  planned: string;
}

const sentences: Readonly<Record<Sentence, (document: Document, quoted: Quoted) => string>> = {
  answerLost: (document, { words }) =>
    words.length === 0
      ? `Se perdió la respuesta del servicio; se averigua si ${named(document)} fue recibida.`
      : `El servicio respondió con un error y no dice si recibió ${named(document)}; se averigua. Dijo: ${words.join(' ')}`,
  keyUnexpected: (document) =>
    `El servicio respondió con una clave de acceso que no se esperaba; se comprueba si ${named(document)} fue recibida.`,
  refused: (document, { words }) =>
    `El servicio de facturación no aceptó ${named(document)}: ${quoted(words.join(' '))}`,
  refusedAfterLost: (document, about) =>
    `${sentences.refused(document, about)} La respuesta de un envío anterior se perdió, y ese sí pudo ser autorizado. ${adoptIt(document)}`,
  notAuthorised(document, { words }) {
    const reported = `El SRI no autorizó ${named(document)}: ${quoted(words.join('; ')) || 'sin motivo.'}`;
    const { says } = causeOfReported(words);
    return says === null ? reported : `${reported}. ${says} ${thenReprocess}`;
  },
  triedAgain: (document, { words }) =>
    `El SRI todavía no autoriza ${named(document)}: ${quoted(words.join('; '))}. ${causeOfReported(words).says ?? ''} Se intentará de nuevo.`,
  alreadyRegistered: (document) =>
    `El SRI ya tiene registrado el número ${documentNumber(document)}, y no se conoce con qué clave de acceso ${named(document)} fue autorizada. ${adoptIt(document)}`,
  registeredUnnamed: (document) =>
    `El servicio respondió que el número ${documentNumber(document)} ya está registrado, sin decir con qué clave de acceso; se averigua si es ${named(document)}.`,
  heldByRejected: (document) =>
    `El servicio guarda el número ${documentNumber(document)} con un comprobante no autorizado y no acepta de nuevo ${named(document)}. Pida al servicio que libere ese número.`,
  findTheKey: (document) =>
    `Ningún aviso del servicio trajo la clave de acceso de ${named(document)} ${documentNumber(document)}, que pudo ser autorizada. ${adoptIt(document)}`,
  keyGone: (document) =>
    `La clave API con la que se envió ${named(document)} ya no está en la configuración y la nueva no puede verla. Añada la clave anterior en apiKeys para conocer su estado.`,
  denied: (document, { accessKey }) =>
    `El servicio dio la clave de acceso ${accessKey} para ${named(document)} ${documentNumber(document)}, y después responde siempre que no la conoce. ${adoptIt(document)}`,
  unconfirmed: (document) =>
    `Desde hace más de un día no se sabe si ${named(document)} ${documentNumber(document)} fue autorizada: el servicio no lo dice o no la muestra. Se sigue preguntando. Si el portal del SRI la muestra autorizada, dé su clave de acceso: facturapuente adopt ${document.id} CLAVE.`,
  takenBySomebody: numberTaken,
  lostBefore: (document) =>
    `Antes se perdió la respuesta de un envío de ${named(document)}. ${orNewNumber(document)}`,
  storedDiffers: (document, { accessKey }) => storedDiffers(document, accessKey),
  numberOfAnother,
  replaced: (document) =>
    `El número ${documentNumber(document)} es de otro documento; el pedido se factura con uno nuevo.`,
  vouchedFor: (document) =>
    `Una persona comprobó que ${named(document)} con el número ${documentNumber(document)} no existe en el servicio ni en el SRI; el pedido se factura con uno nuevo.`,
  planned: (_document, { planned }) => planned,
};

/** The reason of a document. `planned`: what planner or series said, where that is the reason. */
export const reasonOf = (document: Document, reason: Reason, planned = ''): string => {
  const { words = [], accessKey = '' } = reason;
  return reason.sentences.map((one) => sentences[one](document, { words, accessKey, planned })).join(' ');
};

interface ErrorRow {
  code: number;
  cause: Exclude<ErrorCause, 'document'>;
  /** For the merchant: what to fix, or what is happening. */
  says: string;
}

const renew = 'Suba al servicio una firma electrónica vigente del emisor.';
const ruc = 'Regularice el RUC del emisor en el SRI.';

/**
 * Ficha técnica de comprobantes electrónicos, esquema offline, v2.32 (October 2025), section 11, tables of errors of
 * reception, authorisation and issuer; read on 2026-11-20. Version 2.34 (2026-07-27) is known from secondary sources only,
 * which name no other code.
 */
export const authorityErrors: readonly ErrorRow[] = [
  { code: 2, cause: 'issuer', says: `El RUC del emisor no está activo. ${ruc}` },
  {
    code: 10,
    cause: 'issuer',
    says: 'El establecimiento del emisor está clausurado. Pida al SRI que lo reabra.',
  },
  {
    code: 28,
    cause: 'issuer',
    says: 'El emisor no ha aceptado el acuerdo de medios electrónicos. Acéptelo en SRI en línea.',
  },
  {
    code: 37,
    cause: 'issuer',
    says: 'El emisor no tiene autorización para emitir comprobantes electrónicos. Pídala en SRI en línea.',
  },
  { code: 39, cause: 'issuer', says: `La firma electrónica no es válida. ${renew}` },
  { code: 40, cause: 'issuer', says: `El certificado de la firma electrónica tiene un error. ${renew}` },
  { code: 42, cause: 'issuer', says: `El certificado de la firma electrónica fue revocado. ${renew}` },
  { code: 43, cause: 'registered', says: 'El SRI ya tiene registrada esta clave de acceso.' },
  { code: 45, cause: 'number-taken', says: 'El SRI ya tiene registrado este número.' },
  { code: 50, cause: 'authority', says: 'El SRI tuvo un error interno.' },
  {
    code: 56,
    cause: 'issuer',
    says: 'El establecimiento está cerrado en el RUC. Ábralo en el SRI o emita desde otro.',
  },
  { code: 57, cause: 'issuer', says: 'La autorización del emisor está suspendida. Regularícela en el SRI.' },
  { code: 63, cause: 'issuer', says: `El RUC del emisor está clausurado. ${ruc}` },
  { code: 65, cause: 'date', says: 'La fecha de emisión ya no es la de hoy.' },
  { code: 70, cause: 'in-process', says: 'El SRI todavía procesa esta clave de acceso.' },
];

const byCode = new Map(authorityErrors.map((row) => [String(row.code), row]));

/** Which cause counts where several errors came: first what exists already, then what reprocessing cannot fix. */
const gravity: readonly ErrorCause[] = [
  'in-process',
  'number-taken',
  'registered',
  'document',
  'issuer',
  'authority',
  'date',
];

/** The cause of an error event, and its sentence where the table has one. The cause of unknown errors is the document. */
export function causeOf(errors: readonly Pick<ServiceMessage, 'identificador'>[]): {
  cause: ErrorCause;
  says: string | null;
} {
  const rows = errors.map(({ identificador }) => byCode.get(identificador ?? ''));
  const causes = rows.map((row) => row?.cause ?? 'document');
  const cause = gravity.find((one) => causes.includes(one)) ?? 'document';
  return { cause, says: rows.find((row) => row?.cause === cause)?.says ?? null };
}

/** The same for the sentences an attempt keeps, which begin with their code ("39 FIRMA INVALIDA"). */
export const causeOfReported = (sentences: readonly string[]) =>
  causeOf(sentences.map((sentence) => ({ identificador: /^\d+/.exec(sentence)?.[0] ?? null })));
