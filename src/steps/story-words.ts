import type { AttemptOutcome } from '../core/document.ts';
import type { MoveCause } from '../core/move-note.ts';
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

/** What moved a document, as a merchant reads it. */
export const causeWords: Record<MoveCause, string> = {
  issuer: 'El SRI señaló una causa del emisor, ajena al documento.',
  authority: 'El SRI tuvo un error suyo.',
  registered: 'El SRI ya tenía registrada esa clave de acceso.',
  'number-taken': 'El SRI ya tenía registrado ese número.',
  'in-process': 'El SRI todavía procesaba esa clave de acceso.',
  date: 'Pasó el día de su fecha de emisión.',
  document: 'El SRI señaló una causa en el propio documento.',
  retry: 'Se pidió intentarlo otra vez.',
  'new number': 'Se respondió por un número nuevo.',
  reprocess: 'Se pidió reprocesarlo.',
  'key given by hand': 'Se dio su clave de acceso a mano.',
  found: 'El servicio la muestra ahora, después de haber dicho que no la conocía.',
  'not found': 'El servicio dijo que no la conoce.',
  'foreign key': 'La clave de acceso resultó ser de otro documento.',
  'foreseen key':
    'Se perdió la respuesta; el servicio mostró el documento con la clave de acceso que se había previsto.',
  'unexpected key': 'El servicio respondió con una clave de acceso que no se esperaba.',
  'no webhook told the key': 'Ningún aviso del servicio trajo su clave de acceso.',
  'no final state': 'En más de un día el servicio no dijo cómo terminó.',
  'known unsent': 'Se supo que ese envío no dejó nada en el servicio.',
  'known not authorised': 'Se supo que no fue autorizada.',
  'leaves anew with today’s date': 'Sale otra vez con la fecha de hoy y su mismo número.',
  reprocessed: 'El servicio la procesa de nuevo.',
  'not reprocessed': 'El servicio no la procesó de nuevo.',
  'the process that sent it died': 'El programa se detuvo mientras la enviaba.',
};
