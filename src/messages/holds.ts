import type { Group } from './message.ts';

/** Documents that wait for a person; planned again with every change of their order. */
export const holds = {
  title: 'Documentos que esperan a una persona',
  seen: 'En el pedido (nota o metafield `motivo`), en el panel, en `documents`, `explain`, `plan` y `rehearse`, con una frase que trae los datos del caso. Corregida la causa en la tienda o en la configuración, siguen solos; lo que dice «a mano» no puede hacerlo ningún programa.',
  entries: {
    'buyer-id-missing': [
      'Falta cédula, RUC o pasaporte y el total no permite consumidor final.',
      'Pida la identificación al comprador (identification-link da un enlace) y escríbala en el pedido.',
    ],
    'buyer-id-wrong': [
      'La identificación del pedido no es un número válido.',
      'Corríjala en el pedido; si es pasaporte o del exterior, indique ese tipo.',
    ],
    'buyer-id-contradiction': [
      'El pedido trae dos RUC distintos.',
      'Confirme con el comprador cuál es y deje solo ese en el pedido.',
    ],
    'buyer-name-missing': [
      'Hay identificación y no hay nombre.',
      'Complete el nombre en la dirección de facturación.',
    ],
    'buyer-company-missing': [
      'El RUC es de una sociedad y el pedido no trae su razón social.',
      'Escríbala en la empresa de la dirección de facturación o en el panel; policy.buyer.registry la consulta, y companyNameMissing: warn factura con el nombre de la persona.',
    ],
    'final-consumer-refused': [
      'El comprador pidió consumidor final y la política no lo permite para ese total.',
      'Pida su identificación, o cambie policy.finalConsumer.',
    ],
    'unmapped-tax': [
      'Un impuesto de la tienda no tiene código del SRI, o una línea sin impuesto no tiene regla.',
      'Escriba una regla en policy.tax (docs/config.md); si es una tarjeta de regalo o una propina, una con then: { kind }.',
    ],
    'several-taxes': [
      'Una línea lleva varios impuestos y solo cabe un IVA.',
      'Si uno es ICE o IRBPNR, dígalo en policy.tax.rules; si no, quítelo en la tienda.',
    ],
    'tax-contradiction': [
      'El impuesto cobrado no es el que corresponde a su tarifa, o una regla dice otra cosa.',
      'Corrija el impuesto en la tienda, o la regla en policy.tax.',
    ],
    'rate-not-in-force': [
      'La tarifa de IVA que cobró la tienda, o que da una regla, no rige hoy.',
      'Corrija la tarifa en la tienda y en el pedido, o quite ese código de la regla.',
    ],
    'rate-not-decreed': [
      'El IVA 8 % solo rige en los días que fija un decreto, y hoy no es uno.',
      'Corrija el impuesto en la tienda o emita a mano; si hay un decreto nuevo, actualice facturapuente.',
    ],
    'foreign-tax': [
      'El impuesto cobrado lleva el nombre, o es la tarifa, de otro país.',
      'Corrija el impuesto en la tienda; si es IVA con otro nombre, dígalo con una regla (title) en policy.tax.rules.',
    ],
    'sale-abroad': [
      'La venta es fuera del Ecuador y ninguna regla dice qué IVA lleva.',
      'Consulte a su contador; luego escriba una regla con abroad: true en policy.tax.rules, o emita a mano.',
    ],
    'held-by-rule': [
      'Una regla de policy.tax retiene este artículo.',
      'Haga lo que dice la regla, o cámbiela.',
    ],
    'total-mismatch': [
      'Las líneas no suman lo que se cobró, más allá del redondeo.',
      'Busque en la tienda el cargo o descuento que falta en las líneas; si no lo hay, emita a mano.',
    ],
    'negative-line': ['Una línea vale menos que cero.', 'Regístrela como descuento en la tienda.'],
    'negative-fee': ['Un cargo negativo rebaja más de lo que hay.', 'Corrija el descuento en la tienda.'],
    'no-lines': ['Se cobró y no hay nada que facturar.', 'Agregue en la tienda lo vendido, o emita a mano.'],
    'invalid-body': [
      'Un dato no cumple las reglas del servicio.',
      'Corrija en el pedido o en la configuración el dato que nombra la frase.',
    ],
    tip: ['El pedido trae una propina, que no tiene campo.', 'Emita a mano, o policy.tips: { as: line }.'],
    duties: ['El pedido cobra aranceles.', 'Emita a mano, o policy.duties: { as: line }.'],
    'gift-card-sold': [
      'Vende una tarjeta de regalo junto con otras cosas, con impuesto, o una que la tienda descuenta antes del impuesto.',
      'Quite el impuesto de la tarjeta y devuélvalo, decida en policy.giftCardsSold, o facture el resto a mano.',
    ],
    'ice-rounding': [
      'El ICE no se puede declarar en centavos.',
      'Emita el pedido a mano en varias facturas.',
    ],
    'ice-per-unit': [
      'Un artículo lleva ICE por unidad (fundas plásticas, licores), y el servicio solo lo admite en porcentaje.',
      'Emita el pedido a mano; si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules.',
    ],
    'ice-unknown': [
      'Una regla da un código de ICE que no está en la tabla de facturapuente.',
      'Búsquelo en la tabla 18 de la ficha técnica; si existe, escriba su nombre en la regla (ice.nombre).',
    ],
    'irbpnr-quantity': [
      'Se paga IRBPNR por botella y la cantidad no es entera.',
      'Corrija la cantidad en la tienda.',
    ],
    currency: ['El pedido no cobró en dólares.', 'Venda en USD, o emita a mano por su valor en dólares.'],
    'unknown-access-key': [
      'El pedido ya lleva una clave de acceso que este registro no conoce.',
      'Si es la factura de esta venta, no facture nada más; si es de otra, «retry DOCUMENTO --accept».',
    ],
    'order-id-reused': [
      'La tienda dio a otro pedido el id de uno que este registro ya conoce (restauración de una copia, tienda reinstalada).',
      'Compruebe qué pedidos son. Si es otra venta, «retry DOCUMENTO --accept»; si no, emita a mano.',
    ],
    'refund-id-reused': [
      'El id del reembolso ya es de otro reembolso, que tiene su nota de crédito.',
      'Si es otra devolución, «retry DOCUMENTO --accept»; si no, emita la nota de crédito a mano.',
    ],
    'order-replaced': [
      'La tienda ya no tiene este pedido: su id es de otra venta, que una persona aceptó.',
      'Si la venta existió, emita el documento a mano.',
    ],
    'changed-after-payment': [
      'El total del pedido no es el que tenía cuando se pagó.',
      'Si se cobró el total de ahora, «retry DOCUMENTO --accept»; si no, devuelva el pedido a lo cobrado y registre lo devuelto como reembolso. policy.changedAfterPayment: current lo factura siempre.',
    ],
    'cancelled-kept': [
      'Está cancelado, o se le quitó todo al editarlo, y queda dinero cobrado, antes o después de la factura.',
      'Devuelva el dinero en la tienda, o decida en policy.cancelledOrders si lo cobrado se factura o no lleva documento; si ya se facturó, solo invoice lo deja en pie.',
    ],
    'status-not-accepted': [
      'Está pagado, en un estado que no está en paidStatuses.',
      'Agregue ese estado a paidStatuses en la conexión de la tienda, o cambie el estado del pedido. Uno de pedidos sin pagar (on-hold, pending, failed), o que dice que se pagó una parte, no se agrega.',
    ],
    'payment-date-missing': [
      'Está en un estado de pagado y la tienda no registra la fecha del pago (contra entrega).',
      'Si está pagado, páselo a pendiente de pago y después a Completado; o agregue la forma de pago a invoiceUnpaidMethods en la conexión.',
    ],
    'refund-missing': [
      'Figura como reembolsado, entero o en parte, y sus reembolsos no lo dicen.',
      'Registre el reembolso que falta, o devuélvale su estado de pagado.',
    ],
    'refund-without-lines': [
      'El reembolso es un monto sin líneas y lo que queda tiene varias tarifas: nadie sabe qué IVA vuelve.',
      'Registre en la tienda las líneas con un reembolso sin dinero (en WooCommerce, con monto 0.00) por la misma suma, o policy.creditNotes.amountOnly: prorate.',
    ],
    'refund-gift-card': [
      'El reembolso es un monto sin líneas, que puede ser de una tarjeta de regalo fuera de la factura.',
      'Registre en la tienda las líneas con un reembolso sin dinero (en WooCommerce, con monto 0.00) por la misma suma, o emita a mano.',
    ],
    'refund-wallet': [
      'Parte del pedido se pagó con un saldo (monedero, tarjeta de regalo, crédito) y la tienda no dice si ese saldo volvió.',
      'Compruebe el saldo en la tienda y emita a mano por lo que se devolvió.',
    ],
    'refund-amount-unknown': [
      'La tienda no dice cuánto devolvió.',
      'Revise el reembolso en la tienda, o emita la nota de crédito a mano.',
    ],
    'refund-detail-missing': [
      'Solo se sabe el monto devuelto y el pedido tiene varias tarifas.',
      'Dé a la tienda acceso a su API.',
    ],
    'refund-contradiction': [
      'El dinero devuelto y las líneas del reembolso se contradicen, o las líneas valen más de lo que queda de ellas.',
      'Corrija el reembolso en la tienda, o emita la nota de crédito a mano.',
    ],
    'credit-rounding': [
      'Ninguna base en centavos da el dinero devuelto con su IVA, y la política pide que lo decida una persona.',
      'Emita la nota de crédito a mano, o permita en policy.creditNotes.roundingDifference que salga con un centavo de diferencia.',
    ],
    'final-consumer': [
      'A mano: desde 2026 el SRI no admite nota de crédito para una factura de consumidor final.',
      'Regístrelo con su contador, y pida la identificación en las próximas ventas.',
    ],
    'over-credit': [
      'A mano: se devolvió más de lo que queda de la factura.',
      'Emita una nota de crédito por lo que queda y revise el resto con su contador.',
    ],
    'factura-annulled': [
      'La factura figura ANULADA en el portal del SRI; no se acredita.',
      'Si una parte de la venta sigue en pie, emita a mano otra factura por ella.',
    ],
    'buyer-forgotten': [
      'A mano: de la factura ya no se guarda quién compró (retention.documentsYears).',
      'Si todavía procede una nota de crédito, emítala a mano con los datos de la factura autorizada.',
    ],
    'invoiced-elsewhere': [
      'A mano: el pedido se facturó en otro sistema, o antes de invoiceFrom.',
      'Emita la nota de crédito donde se emitió la factura.',
    ],
    'other-issuer': [
      'El número del documento, o la factura de un reembolso, es de otro RUC o de otro ambiente que el de la tienda ahora.',
      'Devuelva ese emisor a la configuración, o emita a mano con él.',
    ],
    'refund-deleted': [
      'El reembolso se borró o falló en la tienda; a mano, si su nota de crédito ya salió.',
      'Si el dinero no se devolvió, anule la nota de crédito en el portal del SRI.',
    ],
    'netted-refund-deleted': [
      'A mano: se borró un reembolso que la factura ya descontó.',
      'Si el dinero no se devolvió, emita a mano una factura complementaria.',
    ],
    'sub-orders': [
      'Otro pedido, del que sale o que salió de él, vende lo mismo.',
      'Decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children). Solo si su total no es parte del otro ni lo incluye, «retry DOCUMENTO --accept».',
    ],
    'refund-of-split-order': [
      'A mano: el reembolso es de líneas que se facturaron con otro pedido.',
      'Si no está también en el pedido de aquella factura, registre allí el reembolso, sin devolver otra vez el dinero.',
    ],
    'unpaid-after-invoice': [
      'A mano: el pedido dejó de figurar pagado después de su factura.',
      'Si el dinero se cobró, devuelva el pedido a un estado de pagado o agregue el suyo a paidStatuses; si no, registre su reembolso en la tienda.',
    ],
    'reduced-after-invoice': [
      'A mano: el pedido se editó después de su factura y suma menos que ella.',
      'Devuelva el pedido a lo que se cobró, y registre lo devuelto como reembolso.',
    ],
    'exchanged-after-invoice': [
      'A mano: el pedido cambió, después de su factura, algo por otra cosa con otra tarifa de IVA, o su tarifa.',
      'Emita a mano la nota de crédito y la factura, por los montos que dice su motivo.',
    ],
    'added-after-invoice': [
      'A mano: el pedido creció después de su factura.',
      'Emita a mano una factura complementaria por lo que se agregó, cuando esté cobrado.',
    ],
    'refund-not-invoiced': [
      'A mano: se devolvió algo que se agregó al pedido después de su factura y no está en ella.',
      'Emita a mano la nota de crédito de la factura que su motivo dice; si lo agregado no se facturó ni reemplazó nada, no lleva documento.',
    ],
    unplanned: [
      'La tienda tiene el pedido y el registro todavía no lo planificó.',
      'Espere a la próxima búsqueda, o ejecute «facturapuente sync».',
    ],
  },
} satisfies Group;
