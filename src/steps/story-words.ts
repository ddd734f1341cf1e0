import type { AttemptOutcome } from '../core/document.ts';
import type { WorkKind } from '../core/work.ts';

/** How one sending ended, as a merchant reads it. */
export const outcomeWords: Record<AttemptOutcome, string> = {
  open: 'sin respuesta todavía',
  created: 'recibido por el servicio',
  adopted: 'reconocido como nuestro',
  authorized: 'autorizado',
  error: 'no autorizado',
  refused: 'no aceptado',
  unsent: 'no llegó a salir',
  unknown: 'se perdió la respuesta',
  reprocessed: 'se pidió procesarlo de nuevo',
};

/** What is still to be done, as a merchant reads it. */
export const workWords: Record<WorkKind, string> = {
  'sync-order': 'leer el pedido de la tienda',
  'submit-document': 'enviar el documento',
  'settle-document': 'anotar lo que avisó el servicio',
  'follow-up': 'preguntar al servicio cómo va',
  'reprocess-document': 'pedir al servicio que lo procese de nuevo',
  'verify-document': 'comparar el XML autorizado con lo enviado',
  'keep-files': 'guardar su PDF y su XML',
  'write-back': 'escribirlo en el pedido',
  'ask-buyer': 'pedir los datos al comprador',
  'buyer-cut-off': 'decidir sin los datos del comprador',
  'probe-account': 'probar si la cuenta se recuperó',
  sweep: 'revisar la tienda',
  'shop-event': 'atender un aviso de la tienda',
  'tell-alerts': 'avisar a las personas',
  announce: 'avisar a otros sistemas',
};
