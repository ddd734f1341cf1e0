import { ended, type Kind, named } from './message.ts';

/* Both kinds of document are feminine. */

/** `number`: "001-001-000000123". */
export interface OfDocument {
  kind: Kind;
  id: string;
  number: string;
  isTest: boolean;
}

export interface Quoted {
  /** Words of the service or SRI, as much as a person reads in a list of documents. */
  words: string;
  accessKey: string;
  planned: string;
  /** What SRI's codes mean, and what to do; null where none is known. */
  cause: string | null;
  /** The document can be processed again once the cause outside of it is fixed. */
  isOutside: boolean;
}

export const thenReprocess = 'Después vuelva a procesarla en el servicio; la autorización se reconoce sola.';

type Sentence = (document: OfDocument, quoted: Quoted) => string;

const orNewNumber = ({ id }: Pick<OfDocument, 'id'>): string =>
  `Si comprobó en ambos que no existe ningún comprobante de esta venta, responda por ello y se emite con un número nuevo: facturapuente new-number ${id}.`;

/** Only a person can find a key that the service never named (`adopt`), or that there is no document (`new-number`). */
export const adoptIt = (document: Pick<OfDocument, 'id'>): string =>
  `Búsquela por su número en el panel del servicio y en el portal del SRI y dé su clave de acceso: facturapuente adopt ${document.id} CLAVE. ${orNewNumber(document)}`;

export const neverTwice = (document: Pick<OfDocument, 'kind' | 'id' | 'number'>): string =>
  `Un envío anterior de ${named(document.kind)} pudo ser autorizado con el número ${document.number}, y con otro número se facturaría dos veces. ${adoptIt(document)}`;

export const numberUnexplained = (number: string): string =>
  `El número ${number} ya estaba registrado cuando este sistema lo usó por primera vez, y no se sabe con qué documento. Búsquelo en el panel del servicio y en el portal del SRI. Si es de esta tienda, dé su clave a su pedido con facturapuente adopt; si no, indique en la configuración un primer número libre.`;

const refused: Sentence = ({ kind }, { words }) =>
  `El servicio de facturación no aceptó ${named(kind)}: ${words}`;

/** The names are those of protocol/effects.ts. */
export const documentReasons = {
  answerLost: ({ kind }, { words }) =>
    words === ''
      ? `Se perdió la respuesta del servicio; se averigua si ${named(kind)} fue recibida.`
      : `El servicio respondió con un error y no dice si recibió ${named(kind)}; se averigua. Dijo: ${words}`,
  keyUnexpected: ({ kind }) =>
    `El servicio respondió con una clave de acceso que no se esperaba; se comprueba si ${named(kind)} fue recibida.`,
  refused,
  refusedAfterLost: (document, about) =>
    `${ended(refused(document, about))} La respuesta de un envío anterior se perdió, y ese sí pudo ser autorizado. ${adoptIt(document)}`,
  notAuthorised({ kind }, { words, cause, isOutside }) {
    const reported = `El SRI no autorizó ${named(kind)}: ${words || 'sin motivo.'}`;
    if (cause === null) return reported;
    return `${ended(reported)} ${cause}${isOutside ? ` ${thenReprocess}` : ''}`;
  },
  triedAgain: ({ kind }, { words, cause }) =>
    `${ended(`El SRI todavía no autoriza ${named(kind)}${words && `: ${words}`}`)}${cause === null ? '' : ` ${cause}`} Se intentará de nuevo.`,
  alreadyRegistered: (document) =>
    `El SRI ya tiene registrado el número ${document.number}, y no se conoce con qué clave de acceso ${named(document.kind)} fue autorizada. ${adoptIt(document)}`,
  registeredUnnamed: ({ kind, number }) =>
    `El servicio respondió que el número ${number} ya está registrado, sin decir con qué clave de acceso; se averigua si es ${named(kind)}.`,
  heldByRejected: ({ kind, number }) =>
    `El servicio guarda el número ${number} con un comprobante no autorizado y no acepta de nuevo ${named(kind)}. Pida al servicio que libere ese número.`,
  findTheKey: (document) =>
    `Ningún aviso del servicio trajo la clave de acceso de ${named(document.kind)} ${document.number}, que pudo ser autorizada. ${adoptIt(document)}`,
  keyGone: ({ kind }) =>
    `La clave API con la que se envió ${named(kind)} ya no está en la configuración y la nueva no puede verla. Añada la clave anterior en apiKeys para conocer su estado.`,
  denied: (document, { accessKey }) =>
    `El servicio dio la clave de acceso ${accessKey} para ${named(document.kind)} ${document.number}, y después responde siempre que no la conoce. ${adoptIt(document)}`,
  unconfirmed: ({ kind, id, number }) =>
    `Desde hace más de un día no se sabe si ${named(kind)} ${number} fue autorizada: el servicio no lo dice o no la muestra. Se sigue preguntando. Si el portal del SRI la muestra autorizada, dé su clave de acceso: facturapuente adopt ${id} CLAVE.`,
  /** Its number is that of a document unknown to this ledger. */
  takenBySomebody: ({ number, isTest }) =>
    `El número ${number} ya fue usado${isTest ? ' en el ambiente 1 (pruebas)' : ''} por un documento que este sistema no emitió. Indique en la configuración un primer número libre o use otro punto de emisión.`,
  lostBefore: (document) =>
    `Antes se perdió la respuesta de un envío de ${named(document.kind)}. ${orNewNumber(document)}`,
  storedDiffers: ({ kind, id, number }, { accessKey }) =>
    `El servicio tiene autorizada ${named(kind)} ${number} de esta venta con la clave ${accessKey}, y su comprador o su total no son los que se enviaron. No se emite otra: compárelas y, si es la correcta, dé su clave: facturapuente adopt ${id} ${accessKey} --unverified.`,
  /** Its number is that of another document of this ledger. */
  numberOfAnother: ({ kind, number }) =>
    `El número ${number} es de otro documento de esta tienda, que el registro había perdido. ${kind === 'factura' ? 'Este pedido se factura' : 'Este reembolso se acredita'} con el suyo, si ya lo tenía, o con uno nuevo cuando la serie siga.`,
  replaced: ({ number }) => `El número ${number} es de otro documento; el pedido se factura con uno nuevo.`,
  confirmedByHand: ({ kind, number }) =>
    `Una persona comprobó que ${named(kind)} con el número ${number} no existe en el servicio ni en el SRI; el pedido se factura con uno nuevo.`,
  planned: (_document, { planned }) => planned,
} satisfies Readonly<Record<string, Sentence>>;
