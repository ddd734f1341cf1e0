import { alerts, alertTexts } from './alerts.ts';

/** What states, outcomes, causes and jobs are called in panel, terminal and reports. */
export const stateWords = {
  held: 'Retenida',
  ready: 'Lista para enviar',
  sending: 'Enviándose',
  processing: 'En proceso',
  uncertain: 'Por confirmar',
  authorized: 'Autorizada',
  rejected: 'Rechazada',
  manual: 'Por decidir',
  cancelled: 'Descartada',
} as const;

export const outcomeWords = {
  open: 'sin respuesta todavía',
  created: 'recibido por el servicio',
  adopted: 'reconocido como nuestro',
  authorized: 'autorizado',
  error: 'no autorizado',
  refused: 'no aceptado',
  unsent: 'no llegó a salir',
  unknown: 'se perdió la respuesta',
  reprocessed: 'se pidió procesarlo de nuevo',
} as const;

export const jobWords = {
  'sync-order': 'leer el pedido de la tienda',
  'submit-document': 'enviar el documento',
  'settle-document': 'anotar lo que avisó el servicio',
  'follow-up': 'preguntar al servicio cómo va',
  'reprocess-document': 'pedir al servicio que lo procese de nuevo',
  'catch-up': 'buscar en el servicio lo que el registro perdió',
  'verify-document': 'comparar el XML autorizado con lo enviado',
  'keep-files': 'guardar su PDF y su XML',
  'write-back': 'escribirlo en el pedido',
  'ask-buyer': 'pedir los datos al comprador',
  'buyer-cut-off': 'decidir sin los datos del comprador',
  'probe-account': 'probar si la cuenta se recuperó',
  reconciliation: 'revisar la tienda',
  'shop-event': 'atender un aviso de la tienda',
  'deliver-alerts': 'avisar a las personas',
  announce: 'avisar a otros sistemas',
} as const;

export const causeWords = {
  issuer: 'El SRI señaló una causa del emisor, ajena al documento.',
  authority: 'El SRI tuvo un error suyo.',
  registered: 'El SRI ya tenía registrada esa clave de acceso.',
  'number-taken': 'El SRI ya tenía registrado ese número.',
  'in-process': 'El SRI todavía procesaba esa clave de acceso.',
  date: 'Pasó el día de su fecha de emisión.',
  document: 'El SRI señaló una causa en el propio documento.',
  retry: 'Se pidió intentarlo otra vez.',
  'new number': 'Se autorizó otro número.',
  reprocess: 'Se pidió reprocesarlo.',
  accepted: 'Una persona aceptó lo que dice la tienda ahora.',
  'key given by hand': 'Se ingresó su clave de acceso a mano.',
  found: 'El servicio la muestra ahora, después de haber dicho que no la conocía.',
  'not found': 'El servicio dijo que no la conoce.',
  'unknown key': 'La clave de acceso resultó ser de otro documento.',
  'foreseen key':
    'Se perdió la respuesta; el servicio mostró el documento con la clave de acceso que se había previsto.',
  'unexpected key': 'El servicio respondió con una clave de acceso que no se esperaba.',
  'no webhook with the key': 'Ningún aviso del servicio trajo su clave de acceso.',
  'no final state': 'En más de un día el servicio no dijo cómo terminó.',
  'known unsent': 'Se supo que ese envío no dejó nada en el servicio.',
  'known not authorised': 'Se supo que no fue autorizada.',
  'sent again with today’s date': 'Sale otra vez con la fecha de hoy y su mismo número.',
  reprocessed: 'El servicio la procesa de nuevo.',
  'not reprocessed': 'El servicio no la procesó de nuevo.',
  'lost by the ledger': 'El registro lo había perdido; el servicio lo conserva.',
  'written again': 'El pedido ya no llevaba su clave de acceso; se escribe otra vez en él.',
  'the process that sent it died': 'El programa se detuvo mientras la enviaba.',
} as const;

/** Why a job waits, by the reason its handler gives (test/jobs/timeline-words.test.ts knows them all). */
const waits: Readonly<Record<string, string>> = {
  'the process that ran it died or took too long':
    'El programa se detuvo mientras lo hacía, o tardó demasiado.',
  'the process died twice while it ran it':
    'El programa se detuvo dos veces mientras lo hacía: queda detenido hasta que una persona lo libere, como dice su aviso job-held.',
  'the files cannot be read yet': 'Sus archivos todavía no se pueden leer.',
  'the order is being written onto by another run': 'El pedido se está escribiendo en este momento.',
  'alerts last; their channel is notified again': 'El aviso dura y se repite.',
  'its state changed': 'Cambió su estado; se mira otra vez.',
  'the document has no final state yet': 'El servicio todavía no dice cómo terminó.',
  'an older API key was revoked': 'Se revocó una clave API anterior; sigue con la vigente.',
  'waiting for the webhook of a lost answer': 'Se perdió la respuesta y se espera el aviso del servicio.',
  'another sending of it may still come true':
    'Se pregunta primero por otro envío suyo, que aún puede autorizarse.',
  'waiting for every retry of a webhook': 'Se esperan todos los reintentos del aviso del servicio.',
  'the first document of its series is on its way':
    'Se espera a que el primer documento de la serie desde el último inicio sea autorizado.',
  'waiting for the service to state the lost answer':
    'Se perdió la respuesta y el servicio debe decir qué fue de ella.',
  'the shop gave an older time of the order than before':
    'La tienda dio una hora de cambio anterior a la conocida; el pedido se lee otra vez.',
  'what the shop answers about the order is older than what is known of it':
    'La API de la tienda no muestra el pedido, o lo muestra como era antes de lo que la tienda avisó: se lee otra vez.',
  'the shop will hide the order, which has something open':
    'Tiene algo pendiente, y la tienda lo ocultará por su antigüedad: se lee otra vez antes.',
  'the order it was split from is read first': 'Se lee primero el pedido del que salió.',
  'other shops are being reconciled': 'Se están revisando otras tiendas.',
  'its account is paused': 'La cuenta del servicio descansa; sigue sola cuando vuelva.',
  'the service asks to slow down': 'El servicio pide ir más despacio.',
  'the day in Ecuador changed': 'Cambió el día en el Ecuador: sale con la fecha nueva.',
  'the service refused the date of today':
    'El servicio rechazó la fecha, que es la de hoy; se envía otra vez en unos minutos.',
  'the day changes at the service and here some moments apart':
    'El día cambia en el servicio y aquí con unos momentos de diferencia.',
  'the service does not state yet all that the ledger lost':
    'El servicio todavía no dice todo lo que el registro perdió: se le pregunta otra vez.',
  'nobody answers at the service': 'El servicio no responde.',
  'the buyer still has time to answer': 'El comprador todavía puede responder.',
  'the authorised XML cannot be read yet': 'El XML autorizado todavía no se puede leer.',
  'the rest of the order is not paid yet': 'El resto del pedido todavía no está pagado.',
  'a refund’s money is still on its way': 'El dinero de un reembolso todavía está en camino.',
};

export function waitWords(reason: string): string {
  const known = waits[reason];
  if (known) return known;
  const [, cause = ''] = /^the account is (?:still )?paused: ([\w-]+)$/.exec(reason) ?? [];
  const pause = `account-${cause}`;
  if (isAlert(pause)) return alertTexts(pause).what;
  if (/^its [\w -]+ is not known here$/.test(reason))
    return 'La configuración de este programa no lo conoce: espera a que alguno lo conozca.';
  if (/^\d+ orders have documents on their way$/.test(reason))
    return 'El comprador tiene pedidos con documentos en camino.';
  return /^\w*Error: /.test(reason)
    ? `Falló por un error del programa, que quien lo mantiene debe ver: ${reason}`
    : reason;
}

const isAlert = (code: string): code is keyof typeof alerts.entries => Object.hasOwn(alerts.entries, code);
