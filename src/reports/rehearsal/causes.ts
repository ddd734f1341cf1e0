import { ivaTable } from '../../../mappers/tables/taxes.ts';
import { kindByName } from '../../../mappers/tax.ts';
import { decimal } from '../../domain/money.ts';
import type { IvaCode } from '../../domain/money-policy.ts';
import type { Line } from '../../domain/order.ts';

/**
 * Why documents are not issued automatically, by the planner's codes, for the owner's report. The error catalogue says how
 * to resolve one order; these texts say how to prevent many.
 */
export interface Cause {
  title: string;
  resolution: string;
  about: 'buyer' | 'tax' | 'order' | 'refund';
}

const buyer = (title: string, resolution: string): Cause => ({ title, resolution, about: 'buyer' });
const tax = (title: string, resolution: string): Cause => ({ title, resolution, about: 'tax' });
const order = (title: string, resolution: string): Cause => ({ title, resolution, about: 'order' });
const refund = (title: string, resolution: string): Cause => ({ title, resolution, about: 'refund' });

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
    'Se vendió una tarjeta de regalo con otras cosas, con impuesto o como descuento futuro',
    'Quite el impuesto de las tarjetas de regalo, y decida en policy.giftCardsSold qué se hace con ellas.',
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
    'Cancelados o vaciados con dinero cobrado',
    'Devuelva el dinero al cancelar, o decida en policy.cancelledOrders qué se hace con lo que queda cobrado.',
  ),
  'status-not-accepted': order(
    'Pagados en un estado que no está en paidStatuses',
    'Agregue ese estado a paidStatuses en la conexión de la tienda, salvo que sea de pedidos sin pagar o diga que se pagó solo una parte.',
  ),
  'payment-date-missing': order(
    'Sin fecha de pago',
    'Si está pagado, páselo a pendiente de pago y después a Completado; o agregue la forma de pago a invoiceUnpaidMethods en la conexión.',
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

/** Null for other codes, of which the planner's reason is shown. */
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
  'invoiced-with-parent': 'Pedidos que se facturan con el pedido del que salen',
  'invoiced-with-children': 'Pedidos que se facturan con los que salieron de ellos',
  'overpaid-returned': 'Reembolsos de lo que sobraba de un pedido editado',
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

/** A tax rule of the config; the merchant decides the IVA code. */
export interface RuleHint {
  when: Readonly<Record<string, string | boolean | readonly string[]>>;
  then: { iva: IvaCode };
}

interface Hint {
  /** Products with the same key need one rule. */
  key: string;
  hint: RuleHint;
  /** The rule for the earlier products and this one. */
  joined(before: RuleHint): RuleHint;
}

/** IVA 0 %; the text beside it names the other codes. */
const then: RuleHint['then'] = { iva: 0 };

/** The rule a product lacks: by its tax or tax class, else by SKU or name. */
export function ruleFor(code: string, line: Line): Hint | null {
  const { taxes, taxClass, sku, name } = line;
  if (code !== 'unmapped-tax') return null;
  const [tax] = taxes;
  // The sentence of the hold has the rule of a gift card, which bears no IVA.
  if (!tax && kindByName(line) !== null) return null;
  // A charged percentage can only be declared by the code of that percentage.
  if (tax?.rate) return ofRate(tax.rate);
  if (tax?.rateId) return one(`rateId ${tax.rateId}`, { rateId: tax.rateId });
  if (tax) return one(`title ${tax.title}`, { title: tax.title });
  if (taxClass) return one(`taxClass ${taxClass}`, { taxClass, untaxed: true });
  return sku === null ? list('name', name) : list('sku', sku);
}

function ofRate(rate: string): Hint | null {
  const row = ivaTable.find(({ only, rate: percent }) => only !== null && decimal(percent).equals(rate));
  if (!row) return null;
  return one(`rate ${row.rate}`, { rate: row.rate }, { iva: row.code });
}

const one = (key: string, when: RuleHint['when'], means = then): Hint => ({
  key,
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  hint: { when, then: means },
  joined: (before) => before,
});

/** A `*` in a name acts as a pattern, which matches the name too. */
const list = (by: 'sku' | 'name', value: string): Hint => ({
  key: by,
  hint: { when: { [by]: [value], untaxed: true }, then },
  joined({ when }) {
    const known = when[by];
    const all = new Set([...(Array.isArray(known) ? known : []), value]);
    return { when: { ...when, [by]: [...all] }, then };
  },
});
