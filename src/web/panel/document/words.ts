import type { AttemptOutcome, DocumentState } from '../../../domain/document.ts';
import type { JobKind } from '../../../domain/job.ts';
import { html, type Piece } from '../../../domain/text.ts';
import { jobWords, outcomeWords, stateWords } from '../../../jobs/timeline-words.ts';
import { inBoth } from '../visit.ts';

type State = Record<'name' | 'says', readonly [es: string, en: string]>;

/** `name` stands on a chip, `says` in a sentence under the heading. */
const states = {
  held: {
    name: [stateWords.held, 'Held'],
    says: [
      'No se ha enviado: falta algo que el sistema no puede decidir.',
      'Not sent: something is missing that the system cannot decide.',
    ],
  },
  ready: {
    name: [stateWords.ready, 'Ready'],
    says: ['Tiene su número y saldrá en su turno.', 'It has its number and is queued for sending.'],
  },
  sending: {
    name: [stateWords.sending, 'Sending'],
    says: ['Se está enviando al servicio.', 'It is being sent to the service.'],
  },
  processing: {
    name: [stateWords.processing, 'In process'],
    says: [
      'El servicio la recibió; se espera la autorización del SRI.',
      'The service has it; the tax authority has not answered yet.',
    ],
  },
  uncertain: {
    name: [stateWords.uncertain, 'Outcome unknown'],
    says: [
      'Se perdió una respuesta: se consulta qué pasó antes de hacer nada más, y conserva su número.',
      'An answer was lost: the service is asked what happened before anything else, and the number is kept.',
    ],
  },
  authorized: {
    name: [stateWords.authorized, 'Authorised'],
    says: ['El SRI la autorizó.', 'The tax authority authorised it.'],
  },
  rejected: {
    name: [stateWords.rejected, 'Rejected'],
    says: [
      'El servicio o el SRI no la aceptó; conserva su número.',
      'The service or the tax authority refused it; it keeps its number.',
    ],
  },
  manual: {
    name: [stateWords.manual, 'To be decided'],
    says: [
      'No hay vía automática: una persona decide qué se hace.',
      'There is no automatic way: a person decides what is done.',
    ],
  },
  cancelled: {
    name: [stateWords.cancelled, 'Discarded'],
    says: [
      'Se descartó antes de enviarse: nunca llegó al SRI.',
      'Discarded before it was sent: it never reached the tax authority.',
    ],
  },
} satisfies Record<DocumentState, State>;

const outcomesInEnglish: Record<AttemptOutcome, string> = {
  open: 'no answer yet',
  created: 'received by the service',
  adopted: 'recognised as ours',
  authorized: 'authorised',
  error: 'not authorised',
  refused: 'not accepted',
  unsent: 'never sent',
  unknown: 'the answer was lost',
  reprocessed: 'submitted for processing again',
};

const jobsInEnglish: Record<JobKind, string> = {
  'sync-order': 'read the order from the shop',
  'submit-document': 'send the document',
  'settle-document': 'record what the service reported',
  'follow-up': 'ask the service for its state',
  'reprocess-document': 'ask the service to process it again',
  'catch-up': 'search the service for what the ledger lost',
  'verify-document': 'compare the authorised XML with what was sent',
  'keep-files': 'keep its PDF and XML',
  'write-back': 'write it on the order',
  'ask-buyer': 'ask the buyer for the data',
  'buyer-cut-off': 'decide without the buyer’s data',
  'probe-account': 'check whether the account recovered',
  reconciliation: 'search the shop',
  'shop-event': 'handle the shop’s notice',
  'deliver-alerts': 'send alerts',
  announce: 'notify other systems',
};

export const documentWords = inBoth({
  states,
  outcomes: [outcomeWords, outcomesInEnglish],
  jobs: [jobWords, jobsInEnglish],
  noNumber: ['sin número', 'no number'],
  test: ['Pruebas: sin validez tributaria', 'Test: without legal effect'],
  facts: {
    order: ['Pedido', 'Order'],
    store: ['Tienda', 'Store'],
    charged: { factura: ['Cobrado', 'Charged'], 'nota-credito': ['Devuelto', 'Refunded'] },
    total: ['Documento', 'Document'],
    issued: ['Fecha de emisión', 'Issue date'],
    authorized: ['Autorizada', 'Authorised'],
    key: ['Clave de acceso', 'Access key'],
    back: ['Escrita en el pedido', 'Written on the order'],
    notBack: ['todavía no', 'not yet'],
  },
  copy: ['Copiar la clave', 'Copy the key'],
  copied: ['Clave copiada.', 'Key copied.'],
  differs: [
    'El XML autorizado no coincide con lo que se envió. Difieren:',
    'The authorised XML does not match what was sent. These differ:',
  ],
  annulled: [
    (when: Piece) =>
      html`Figura ANULADO en el portal del SRI (visto ${when}): no admite nota de crédito. Si la venta sigue en pie, emita a mano otro documento.`,
    (when: Piece) =>
      html`It is ANNULLED at the portal of the SRI (seen ${when}): it is not credited. If the sale stands, issue another document by hand.`,
  ],
  agrees: [
    'El XML autorizado coincide exactamente con lo que se envió.',
    'The authorised XML matches exactly what was sent.',
  ],
  rounded: [
    (sent: Piece, authorised: Piece) =>
      html`El servicio redondeó el IVA a su manera: se envió por ${sent} y está autorizado por ${authorised}. Vale lo autorizado; no hay nada que corregir.`,
    (sent: Piece, authorised: Piece) =>
      html`The service rounded the IVA in its own way: ${sent} was sent and ${authorised} is authorised. The authorised amount counts; nothing needs to be corrected.`,
  ],
  history: ['Historial', 'Timeline'],
  by: [(who: string) => `por ${who}`, (who: string) => `by ${who}`],
  attempts: ['Envíos', 'Attempts'],
  attempt: [(n: number) => `Envío ${n}`, (n: number) => `Attempt ${n}`],
  foreseen: ['Clave prevista', 'Expected key'],
  noAttempts: ['Todavía no se ha enviado nada.', 'Nothing has been sent yet.'],
  pending: ['Tareas automáticas pendientes', 'Pending jobs'],
  nothingPending: ['Ninguna.', 'None.'],
  tried: [
    (n: number) => `${n} ${n === 1 ? 'intento fallido' : 'intentos fallidos'}`,
    (n: number) => `${n} failed ${n === 1 ? 'attempt' : 'attempts'}`,
  ],
  shopSilent: ['En espera: la tienda no responde desde', 'Waiting: the shop has not answered since'],
  triedAgain: ['próximo intento desde', 'next attempt from'],
  explain: ['Detalle del cálculo', 'Calculation'],
  noPlan: ['Todavía no se ha planificado.', 'Not planned yet.'],
  body: ['Contenido enviado (último envío)', 'Content sent (last attempt)'],
  xml: ['XML autorizado', 'Authorised XML'],
  pdf: ['PDF', 'PDF'],
  openPdf: ['Abrir el PDF', 'Open the PDF'],
  saveXml: ['Descargar el XML', 'Download the XML'],
  away: [
    'En este momento no se puede obtener el archivo: el servicio no responde. Vuelva a intentarlo en unos minutos.',
    'The file is not available now: the service does not answer. Try again in a few minutes.',
  ],
  hidden: [
    'El contenido del documento lleva datos del comprador: lo ven quienes operan o configuran.',
    'The content of the document holds the buyer’s data: those who operate or configure see it.',
  ],
  mail: ['Enviar el enlace al comprador', 'Send the buyer the link'],
  revoke: ['Anular los enlaces entregados', 'Revoke the links given out'],
  orderTitle: [(name: string) => `Pedido ${name}`, (name: string) => `Order ${name}`],
  orderTotal: ['Total del pedido', 'Order total'],
  orderRead: ['Leído de la tienda', 'Read from the shop'],
  documents: ['Comprobantes', 'Documents'],
  noDocuments: ['Este pedido no tiene comprobantes.', 'This order has no documents.'],
  decisions: ['Lo que corresponde', 'Plan'],
  missing: ['No existe', 'Not found'],
  missingSays: [
    'El registro no conoce ese documento o ese pedido.',
    'The ledger knows no such document or order.',
  ],
  find: ['Ir a buscar', 'Go to the search'],
  back: ['Buscar', 'Search'],
  actions: {
    emit: ['Emitir', 'Issue'],
    wait: ['Esperar', 'Wait'],
    hold: ['Retener', 'Hold'],
    manual: ['A mano', 'By hand'],
    nothing: ['Nada que hacer', 'Nothing to do'],
  },
});
