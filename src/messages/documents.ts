import { final, type Group, goesOn } from './message.ts';

/** Documents under way, and documents that are not made. */
export const documents = {
  title: 'Documentos en camino, terminados o que no hacen falta',
  seen: 'Los mismos lugares.',
  entries: {
    paid: ['El pedido está pagado y se factura.', goesOn],
    'paid-less-refunds': ['Se factura por lo que queda después de los reembolsos.', goesOn],
    refunded: ['El reembolso lleva su nota de crédito.', goesOn],
    unpaid: ['El pedido aún no está pagado.', goesOn],
    'partially-paid': [
      'El pedido está pagado en parte; después de una semana queda retenido.',
      'Sale solo cuando se cobre el resto; si no se va a cobrar, quítelo del pedido en la tienda.',
    ],
    'in-process': ['Está enviado y espera la autorización del SRI.', goesOn],
    uncertain: ['Se perdió una respuesta y se averigua si fue recibido.', goesOn],
    'answer-lost': ['Se perdió la respuesta del servicio; se pregunta, o se repite el mismo número.', goesOn],
    'key-unexpected': [
      'El servicio respondió con una clave de acceso que no se esperaba; se pregunta por ella antes de darla por buena.',
      goesOn,
    ],
    'refund-pending': ['El dinero del reembolso todavía está en camino.', goesOn],
    'factura-in-process': ['La nota de crédito espera a que su factura esté autorizada.', goesOn],
    'factura-unsettled': [
      'La factura necesita una corrección antes que su nota de crédito.',
      'Resuelva la factura.',
    ],
    'factura-content-unknown': [
      'La factura se conoce solo por su clave: no se sabe qué contenido corregiría la nota de crédito.',
      'Emita la nota de crédito a mano, salvo que la factura ya no incluya ese reembolso.',
    ],
    reprocess: [
      'El SRI devolvió un error ajeno al documento; se vuelve a procesar.',
      'Corrija lo que diga la frase; si no dice nada, espere.',
    ],
    refused: [
      'El servicio no aceptó el documento, con sus propias palabras.',
      'Corrija el dato que nombra y use retry, o cambie el pedido.',
    ],
    rejected: [
      'El servicio lo rechazó sin dar un motivo.',
      'Revise los datos del pedido y del emisor, y use retry.',
    ],
    'not-authorised': [
      'El SRI no autorizó el documento.',
      'Vea su código más abajo (SRI); corregida la causa, retry.',
    ],
    'number-registered': [
      'El SRI o el servicio ya tiene ese número y no se sabe con qué clave.',
      'Búsquelo en el portal del SRI y use adopt DOCUMENTO CLAVE; si la venta no tiene comprobante, retry DOCUMENTO --new-number.',
    ],
    'key-unknown': [
      'Ningún aviso trajo la clave de acceso de un envío que pudo autorizarse, o el servicio responde que no la conoce.',
      'Búsquelo por su número y use adopt DOCUMENTO CLAVE; si la venta no tiene comprobante, retry DOCUMENTO --new-number.',
    ],
    'key-gone': [
      'La clave API con la que se envió ya no está en la configuración.',
      'Añádala otra vez en apiKeys.',
    ],
    unconfirmed: [
      'Desde hace un día el servicio no dice si fue autorizado; se sigue preguntando.',
      'Búsquelo en el portal del SRI; si está autorizado, adopt DOCUMENTO CLAVE.',
    ],
    'rounding-difference': [
      'El servicio redondeó el IVA a su manera: el documento se autorizó por un centavo más o menos.',
      goesOn,
    ],
    'stored-differs': [
      'El servicio tiene autorizado un documento de esta misma venta con otro comprador u otro total.',
      'Compárelos; si es el correcto, dé su clave con adopt y --unverified. No se emite otro.',
    ],
    'ledger-older': [
      'Su número es de otro documento de la tienda, que el registro había perdido.',
      'Espere: toma el suyo, si ya lo tenía, o un número nuevo cuando la serie siga.',
    ],
    'number-conflict': [
      'Otro sistema usó ese número.',
      'Resuelva «series-stopped»; después retry le da un número nuevo. Si pudo ser suyo, adopt CLAVE, o retry --new-number si comprobó que la venta no tiene comprobante.',
    ],
    'series-stopped': [
      'La serie está detenida porque otro sistema usó un número suyo.',
      'Elija un punto de emisión propio, o suba series.first más allá de lo usado y reinicie.',
    ],
    'series-exhausted': [
      'La serie dio su último número, 999999999.',
      'Abra otro punto de emisión en el SRI, escríbalo en la configuración y reinicie.',
    ],
    'document-annulled': [
      'Alguien lo anuló en el portal del SRI; no se acredita.',
      'Si la venta sigue en pie, emita a mano otro documento.',
    ],
    manual: [
      'Necesita una decisión y no se sabe más.',
      'Compruebe en el servicio si fue autorizado; adopt o retry.',
    ],
    replaced: ['Otro documento ocupa su lugar; su número queda como hueco explicado.', final],
    'already-invoiced': ['La factura ya está autorizada.', final],
    'already-credited': ['La nota de crédito ya está autorizada.', final],
    netted: ['El reembolso ya se descontó de la factura.', final],
    'before-invoice': ['El reembolso llegó antes que la factura, que sale por lo que queda.', final],
    'before-start': ['El pedido es anterior a invoiceFrom.', 'Nada: es historia.'],
    'fully-refunded': ['Todo se devolvió antes de facturar.', final],
    'no-money': ['El reembolso no devolvió dinero.', final],
    'invoiced-with-parent': ['Se factura con el pedido del que sale (policy.subOrders).', final],
    'invoiced-with-children': ['Se factura con los pedidos que salieron de él (policy.subOrders).', final],
    'overpaid-returned': [
      'El reembolso devolvió lo que sobraba después de editar el pedido, que la factura no incluye.',
      final,
    ],
    'money-in-another-record': [
      'El reembolso solo registró las líneas: su dinero volvió en otro registro, que lleva la nota de crédito.',
      final,
    ],
    'not-invoiced': ['El pedido no lleva factura, así que tampoco nota de crédito.', final],
    'outside-factura': ['Se devolvieron tarjetas de regalo, que la factura no incluye.', final],
    'only-gift-cards': ['Solo vende tarjetas de regalo, que son un anticipo.', final],
    'test-order': ['Es un pedido de prueba y el emisor está en producción.', final],
    draft: ['Es un borrador.', final],
    cancelled: ['El pedido está cancelado.', final],
    free: ['No cobró nada y por política no se factura.', 'Nada, o policy.freeOrders: emit.'],
    'refund-deleted': ['El reembolso se borró antes de emitir su nota de crédito.', final],
    'buyer-mailed': ['Se envió al comprador el enlace para dar su identificación.', goesOn],
    'buyer-mail-refused': [
      'El correo con el enlace del comprador no se pudo entregar.',
      'Envíele el enlace por otro medio (identification-link, o el panel).',
    ],
    'buyer-answered': ['Se dio la identificación del comprador.', goesOn],
  },
} satisfies Group;
