import type { DocumentState } from '../domain/document.ts';
import { html, type Piece } from '../domain/text.ts';
import { jobWords, outcomeWords, stateWords } from '../jobs/timeline-words.ts';

/** `name` is for a chip, `message` for a sentence under the heading. */
const states = {
  held: {
    name: stateWords.held,
    message: 'No se ha enviado: falta algo que el sistema no puede decidir.',
  },
  ready: {
    name: stateWords.ready,
    message: 'Tiene su número y saldrá en su turno.',
  },
  sending: {
    name: stateWords.sending,
    message: 'Se está enviando al servicio.',
  },
  processing: {
    name: stateWords.processing,
    message: 'El servicio la recibió; se espera la autorización del SRI.',
  },
  uncertain: {
    name: stateWords.uncertain,
    message: 'Se perdió una respuesta: se consulta qué pasó antes de hacer nada más, y conserva su número.',
  },
  authorized: {
    name: stateWords.authorized,
    message: 'El SRI la autorizó.',
  },
  rejected: {
    name: stateWords.rejected,
    message: 'El servicio o el SRI no la aceptó; conserva su número.',
  },
  manual: {
    name: stateWords.manual,
    message: 'No hay vía automática: una persona decide qué se hace.',
  },
  cancelled: {
    name: stateWords.cancelled,
    message: 'Se descartó antes de enviarse: nunca llegó al SRI.',
  },
} satisfies Record<DocumentState, Record<'name' | 'message', string>>;

export const documentWords = {
  states,
  outcomes: outcomeWords,
  jobs: jobWords,
  noNumber: 'sin número',
  test: 'Pruebas: sin validez tributaria',
  facts: {
    order: 'Pedido',
    store: 'Tienda',
    charged: { factura: 'Cobrado', 'nota-credito': 'Devuelto' },
    total: 'Documento',
    issued: 'Fecha de emisión',
    authorized: 'Autorizada',
    key: 'Clave de acceso',
    back: 'Escrita en el pedido',
    notBack: 'todavía no',
  },
  copy: 'Copiar la clave',
  copied: 'Clave copiada.',
  differs: 'El XML autorizado no coincide con lo que se envió. Difieren:',
  annulled: (when: Piece) =>
    html`Figura ANULADO en el portal del SRI (visto ${when}): no admite nota de crédito. Si la venta sigue en pie, emita a mano otro documento.`,
  agrees: 'El XML autorizado coincide exactamente con lo que se envió.',
  rounded: (sent: Piece, authorised: Piece) =>
    html`El servicio redondeó el IVA a su manera: se envió por ${sent} y está autorizado por ${authorised}. Vale lo autorizado; no hay nada que corregir.`,
  history: 'Historial',
  by: (who: string) => `por ${who}`,
  attempts: 'Envíos',
  attempt: (n: number) => `Envío ${n}`,
  foreseen: 'Clave prevista',
  noAttempts: 'Todavía no se ha enviado nada.',
  pending: 'Tareas automáticas pendientes',
  nothingPending: 'Ninguna.',
  tried: (n: number) => `${n} ${n === 1 ? 'intento fallido' : 'intentos fallidos'}`,
  explain: 'Detalle del cálculo',
  noPlan: 'Todavía no se ha planificado.',
  body: 'Contenido enviado (último envío)',
  xml: 'XML autorizado',
  pdf: 'PDF',
  openPdf: 'Abrir el PDF',
  saveXml: 'Descargar el XML',
  away: 'En este momento no se puede obtener el archivo: el servicio no responde. Vuelva a intentarlo en unos minutos.',
  hidden: 'El contenido del documento lleva datos del comprador: lo ven quienes operan o configuran.',
  mail: 'Enviar el enlace al comprador',
  revoke: 'Anular los enlaces entregados',
  orderTitle: (name: string) => `Pedido ${name}`,
  orderTotal: 'Total del pedido',
  orderRead: 'Leído de la tienda',
  documents: 'Comprobantes',
  noDocuments: 'Este pedido no tiene comprobantes.',
  decisions: 'Lo que corresponde',
  missing: 'No existe',
  missingSays: 'El registro no conoce ese documento o ese pedido.',
  find: 'Ir a buscar',
  back: 'Buscar',
  actions: {
    emit: 'Emitir',
    wait: 'Esperar',
    hold: 'Retener',
    manual: 'A mano',
    nothing: 'Nada que hacer',
  },
};
