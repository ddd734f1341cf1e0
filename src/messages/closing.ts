import { alerts } from './alerts.ts';
import { documents } from './documents.ts';
import type { Group } from './message.ts';

export const closing = {
  title: 'Diferencias del cierre del día',
  seen: 'En `close` y en la página del cierre, para quien lleva las cuentas. La frase nombra pedido y número.',
  entries: {
    'sale-without-document': [
      'Un pedido pagado no tiene factura, o un reembolso no tiene nota de crédito, ni motivo para no tenerla.',
      'Vea el pedido en el panel o con «facturapuente explain»; si el registro no lo conoce, pídalo con «facturapuente sync».',
    ],
    'document-without-sale': [
      'Una factura o nota de crédito es de un pedido o reembolso que la tienda ya no tiene, o que está cancelado.',
      'Recupere el pedido o registre su reembolso; si la venta o la devolución no existió, decida con su contador qué documento la corrige.',
    ],
    'document-removed': [
      'Falta en el registro un documento que el servicio tiene.',
      'Alguien cambió el registro: restaure un respaldo (docs/upgrade.md).',
    ],
    'state-differs': [
      'El registro y el servicio dicen estados distintos, o el servicio no tiene lo que el registro da por autorizado.',
      'Compruebe su clave de acceso en el portal del SRI; si está autorizada, dé esa clave con «facturapuente adopt DOCUMENTO CLAVE».',
    ],
    'document-differs': alerts.entries['document-differs'],
    'document-annulled': alerts.entries['document-annulled'],
    'document-unknown': [
      'El servicio o un pedido tiene un documento que no es del registro.',
      'Si lo emitió otro sistema, dele otro punto de emisión; si era de aquí, dé su clave con «facturapuente adopt DOCUMENTO CLAVE», o restaure un respaldo.',
    ],
    'authorized-twice': [
      'Una venta tiene dos documentos autorizados.',
      'Anule uno en el portal del SRI, con su contador.',
    ],
    'document-of-other-sale': [
      'El documento es anterior al pedido que hoy lleva su número: la tienda se restauró y dio el número otra vez.',
      'Vea qué venta está facturada y emita a mano la otra.',
    ],
    'key-not-on-order': [
      'El pedido ya no lleva la clave de su documento, que sigue autorizado.',
      'No emita otro: la tienda se restauró de un respaldo, o alguien quitó la clave.',
    ],
    'sale-passed-over': [
      'Un pedido se pagó cuando el registro ya trabajaba para su tienda y quedó fuera por anterior al inicio.',
      'Ponga ese día en invoiceFrom, reinicie y ejecute «facturapuente sync --since» con el mismo día.',
    ],
    'credits-differ': [
      'Los créditos que gastó la cuenta no son los documentos que se autorizaron en producción.',
      'Vea su historial en el panel del servicio: otro sistema puede emitir con la misma cuenta.',
    ],
    'rounding-difference': documents.entries['rounding-difference'],
    'number-gap': [
      'Falta un número y no hay un motivo registrado.',
      'Búsquelo en el servicio y en el portal del SRI.',
    ],
  },
} satisfies Group;
