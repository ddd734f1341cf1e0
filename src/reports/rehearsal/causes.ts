/**
 * Why documents do not leave by themselves, by the planner's codes, as their owner reads it in a report. The catalogue
 * of codes has other words for the same: there one order is at hand and has to be mended, here many past ones stand
 * together and what would prevent them is said.
 */
export interface Cause {
  title: string;
  cure: string;
  about: 'buyer' | 'tax' | 'order' | 'refund';
}

const buyer = (title: string, cure: string): Cause => ({ title, cure, about: 'buyer' });
const tax = (title: string, cure: string): Cause => ({ title, cure, about: 'tax' });
const order = (title: string, cure: string): Cause => ({ title, cure, about: 'order' });
const refund = (title: string, cure: string): Cause => ({ title, cure, about: 'refund' });

export const causes: Readonly<Record<string, Cause>> = {
  'buyer-id-missing': buyer(
    'Falta la identificación del comprador',
    'Pida cédula, RUC o pasaporte en la compra de la tienda. Con policy.buyer.ask, que viene activado, también se le pide después por un enlace.',
  ),
  'buyer-id-wrong': buyer(
    'La identificación del comprador tiene un error',
    'Haga que la tienda revise el número al comprar, o pida al comprador el correcto.',
  ),
  'buyer-id-contradiction': buyer(
    'El pedido trae dos RUC distintos',
    'Deje en la compra un solo lugar donde se escribe el RUC.',
  ),
  'final-consumer-refused': buyer(
    'Se pidió consumidor final sobre el límite',
    'Sobre el límite la ley exige nombrar al comprador: pida su cédula o RUC.',
  ),
  'buyer-name-missing': buyer(
    'Falta el nombre del comprador',
    'Haga obligatorio el nombre en la compra de la tienda.',
  ),
  'buyer-company-missing': buyer(
    'Un RUC de sociedad con el nombre de una persona',
    'Pida en la compra la empresa (razón social) a quien escribe un RUC, o active la consulta del registro (policy.buyer.registry).',
  ),
  'unmapped-tax': tax(
    'Un impuesto que ninguna regla explica',
    'Corrija el impuesto en la tienda, o diga con una regla en policy.tax.rules si es IVA 0 %, exento, no objeto u otro. «facturapuente lint-catalog» revisa todos los productos.',
  ),
  'tax-contradiction': tax(
    'El impuesto cobrado no corresponde a su tarifa',
    'Corrija los impuestos en la tienda, o la regla en policy.tax.rules.',
  ),
  'rate-not-in-force': tax(
    'Una tarifa de IVA que no estaba vigente',
    'Ponga en la tienda la tarifa de hoy, y quite de las reglas la anterior.',
  ),
  'rate-not-decreed': tax(
    'IVA 8 % fuera de los días decretados',
    'Cobre el 8 % solo en los días que fija un decreto, y emita ese mismo día.',
  ),
  'foreign-tax': tax(
    'Un impuesto de otro país',
    'Corrija el impuesto en la tienda; si es IVA con otro nombre, dígalo con una regla (title) en policy.tax.rules.',
  ),
  'sale-abroad': tax(
    'Ventas fuera del Ecuador sin una regla',
    'Consulte a su contador qué IVA llevan y escriba una regla con abroad: true en policy.tax.rules, o emítalas a mano.',
  ),
  'several-taxes': tax(
    'Varios impuestos en una línea',
    'Si uno es ICE o IRBPNR, indíquelo en policy.tax.rules; si no, deje solo el IVA en la tienda.',
  ),
  'held-by-rule': tax(
    'Retenido por una regla suya',
    'Decida sobre cada uno, o cambie la regla en policy.tax.rules.',
  ),
  'ice-rounding': tax(
    'El ICE no se puede declarar en centavos',
    'Emita esos pedidos a mano en varias facturas.',
  ),
  'ice-per-unit': tax('ICE por unidad, que el servicio no admite', 'Emita esos pedidos a mano.'),
  'ice-unknown': tax(
    'Un código de ICE que no está en la tabla',
    'Búsquelo en la tabla 18 del SRI; si existe, escriba su nombre en la regla.',
  ),
  'irbpnr-quantity': tax('IRBPNR con una cantidad que no es entera', 'Corrija la cantidad en la tienda.'),
  'total-mismatch': order(
    'Las líneas no suman lo que se cobró',
    'Busque en la tienda qué cobra fuera de las líneas (una extensión de pagos o recargos) y haga que lo registre como cargo.',
  ),
  currency: order(
    'Se cobró en otra moneda',
    'Venda en dólares de los Estados Unidos, o emita esas facturas a mano.',
  ),
  tip: order('El pedido trae una propina', 'Decida en policy.tips si va como una línea.'),
  duties: order('El pedido cobra aranceles', 'Decida en policy.duties si van como una línea.'),
  'gift-card-sold': order(
    'Se vendió una tarjeta de regalo junto con otras cosas',
    'Decida en policy.giftCardsSold si la factura la deja fuera.',
  ),
  'negative-fee': order('Un descuento mayor que lo vendido', 'Corrija el descuento en la tienda.'),
  'negative-line': order(
    'Una línea con valor negativo',
    'Registre en la tienda las rebajas como descuentos.',
  ),
  'no-lines': order('Se cobró sin nada que facturar', 'Agregue en la tienda lo que se vendió.'),
  'invalid-body': order(
    'Un dato que el servicio no acepta',
    'Corrija el dato que se nombra en el pedido o en la configuración.',
  ),
  'cancelled-kept': order(
    'Cancelados con dinero cobrado',
    'Devuelva el dinero al cancelar, o decida en policy.cancelledOrders qué se hace con lo que queda cobrado.',
  ),
  'status-not-accepted': order(
    'Pagados en un estado que no está en paidStatuses',
    'Agregue ese estado a paidStatuses en la conexión de la tienda.',
  ),
  'payment-date-missing': order(
    'Sin fecha de pago',
    'Registre el pago en la tienda, o agregue la forma de pago a invoiceUnpaidMethods en la conexión.',
  ),
  'refund-missing': order(
    'Figuran como reembolsados sin sus reembolsos',
    'Devuelva el dinero con un reembolso de la tienda, no solo cambiando el estado.',
  ),
  'refund-without-lines': refund(
    'Un monto sin líneas, con varias tarifas',
    'Indique las líneas en cada reembolso, o decida policy.creditNotes.amountOnly: prorate.',
  ),
  'refund-gift-card': refund(
    'Un monto que puede ser de una tarjeta de regalo',
    'Indique las líneas en cada reembolso.',
  ),
  'refund-wallet': refund(
    'Pagado en parte con un saldo del comprador',
    'Compruebe si el saldo volvió y emita esas notas de crédito a mano.',
  ),
  'refund-amount-unknown': refund(
    'La tienda no dice cuánto se devolvió',
    'Registre los reembolsos con su monto en dólares.',
  ),
  'refund-contradiction': refund(
    'El monto devuelto y sus líneas no coinciden',
    'Indique en cada reembolso las líneas por el mismo monto que se devuelve.',
  ),
  'refund-detail-missing': refund(
    'No se sabe qué líneas se devolvieron',
    'Indique las líneas en cada reembolso, o dé acceso a la API de la tienda.',
  ),
  'credit-rounding': refund(
    'Ninguna base en centavos da el dinero devuelto con su IVA',
    'Emita la nota de crédito a mano, o permita policy.creditNotes.roundingDifference: nearest.',
  ),
  'final-consumer': refund(
    'Devolución de una venta a consumidor final',
    'El SRI no admite nota de crédito para consumidor final: registre la devolución con su contador y pida la identificación en la compra.',
  ),
  'over-credit': refund(
    'Se devolvió más de lo que queda de la factura',
    'Revise con su contador el dinero que no cabe en la nota de crédito.',
  ),
};

/** Null for a code without words here: its own sentence is shown. */
export const causeOf = (code: string): Cause | null =>
  Object.hasOwn(causes, code) ? (causes[code] ?? null) : null;

/** Why something needs no document, or none yet. */
export const reasonsWithout: Readonly<Record<string, string>> = {
  unpaid: 'Pedidos que no se pagaron',
  'partially-paid': 'Pedidos pagados solo en parte',
  draft: 'Borradores',
  cancelled: 'Pedidos cancelados sin pagarse',
  free: 'Pedidos que no cobraron nada',
  'only-gift-cards': 'Pedidos solo de tarjetas de regalo',
  'test-order': 'Pedidos de prueba',
  'fully-refunded': 'Pedidos devueltos por completo antes de facturarse',
  'no-money': 'Reembolsos que no devolvieron dinero',
  'money-in-another-record': 'Registros de líneas cuyo dinero volvió en otro reembolso',
  'status-not-accepted': 'Pedidos pagados que esperan un estado de paidStatuses',
  'payment-date-missing': 'Pedidos sin fecha de pago',
  'refund-pending': 'Reembolsos cuyo dinero aún está en camino',
  'before-invoice': 'Reembolsos de pedidos cuya factura esperaría: esta saldría por lo que queda',
  'not-invoiced': 'Reembolsos de pedidos sin factura',
  'outside-factura': 'Reembolsos de tarjetas de regalo',
  'factura-unsettled': 'Reembolsos de pedidos cuya factura esperaría',
  'factura-content-unknown': 'Reembolsos de pedidos cuya factura se conoce solo por su clave',
};

export const withoutText = (code: string): string | null =>
  Object.hasOwn(reasonsWithout, code) ? (reasonsWithout[code] ?? null) : null;
