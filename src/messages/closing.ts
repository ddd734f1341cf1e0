import type { Group } from './message.ts';

/** Differences that a day's close reports. */
export const closing = {
  title: 'Diferencias del cierre del día',
  seen: 'En `close` y en la página del cierre, para quien lleva las cuentas. La frase nombra pedido y número.',
  entries: {
    'order-without-document': [
      'Un pedido pagado no tiene factura ni motivo para no tenerla.',
      'explain PEDIDO; sync si el registro no lo conoce.',
    ],
    'refund-without-document': ['Un reembolso no tiene nota de crédito ni motivo.', 'explain PEDIDO.'],
    'document-without-order': [
      'Una factura es de un pedido que la tienda ya no tiene, o que está cancelado.',
      'Recupere el pedido o registre su reembolso; si la venta no existió, emita la nota de crédito.',
    ],
    'document-without-refund': [
      'Una nota de crédito es de un reembolso que ya no está.',
      'Averigüe en la tienda si se borró, y decida con su contador.',
    ],
    'document-removed': [
      'Falta en el registro un documento que el servicio tiene.',
      'Alguien cambió el registro: restaure un respaldo (docs/upgrade.md).',
    ],
    'missing-at-service': [
      'El registro la da por autorizada y el servicio no la tiene.',
      'Compruebe su clave de acceso en el portal del SRI.',
    ],
    'state-differs': [
      'El registro y el servicio dicen estados distintos.',
      'Compruebe su clave de acceso en el portal del SRI; si está autorizada, adopt.',
    ],
    'document-annulled': [
      'Alguien anuló el documento en el portal del SRI y la tienda todavía cuenta la venta.',
      'Registre en la tienda la devolución o la cancelación, o emita a mano otro documento.',
    ],
    'amount-differs': [
      'Los montos no son iguales.',
      'Compare los tres; avise al soporte técnico con support-bundle.',
    ],
    'unknown-in-series': [
      'El servicio tiene en esta serie un documento que no es de aquí.',
      'Busque qué otro sistema usa el punto de emisión.',
    ],
    'unknown-on-order': [
      'El servicio tiene un documento con la referencia de un pedido que aquí no consta.',
      'adopt, o restaure un respaldo.',
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
      'Escriba en la configuración invoiceFrom con ese día, y sync --since con el mismo.',
    ],
    'credits-differ': [
      'Los créditos que gastó la cuenta no son los documentos que se autorizaron en producción.',
      'Vea su historial en el panel del servicio: otro sistema puede emitir con la misma cuenta.',
    ],
    'rounding-difference': [
      'El servicio autorizó el documento por un centavo más o menos: redondeó el IVA a su manera.',
      'Nada: vale lo autorizado. No hace que el día no cuadre.',
    ],
    'number-gap': [
      'Falta un número y no hay un motivo registrado.',
      'Búsquelo en el servicio y en el portal del SRI.',
    ],
  },
} satisfies Group;
