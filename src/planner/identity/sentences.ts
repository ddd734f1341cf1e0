import type { BuyerPolicy } from '../../domain/buyer-policy.ts';
import { saysFlaw } from '../../domain/identification-flaws.ts';
import { type Amount, decimal, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Choice } from './choice.ts';
import type { Found, Wrong } from './readings.ts';

const unnamedCodes = [
  'buyer-id-wrong',
  'buyer-id-missing',
  'buyer-id-contradiction',
  'final-consumer-refused',
  'buyer-name-missing',
  'buyer-company-missing',
] as const;

/** Whether a document with this code waits for what only its buyer can say. */
export const waitsForBuyer = (code: string | null): boolean =>
  (unnamedCodes as readonly (string | null)[]).includes(code);

/** Why nobody can be named: for machines, for the merchant, and for the buyer who can put it right. */
export interface Unnamed {
  code: (typeof unnamedCodes)[number];
  reason: string;
  buyerReason: string;
}

export function wrongId({ candidate, flaw, digits }: Wrong): Unnamed {
  const what = saysFlaw(flaw, digits);
  return {
    code: 'buyer-id-wrong',
    reason: `La identificación del comprador en «${candidate.source}» ${what}. Pida al comprador el número correcto y corríjalo en el pedido; si es un pasaporte o del exterior, indique ese tipo.`,
    buyerReason: `El número de identificación que escribió en su compra ${what}. Escriba de nuevo su cédula (10 dígitos) o su RUC (13 dígitos), o indique que es un pasaporte o una identificación del exterior.`,
  };
}

export function contradiction(one: Found, other: Found): Unnamed {
  return {
    code: 'buyer-id-contradiction',
    reason: `El pedido trae dos RUC distintos, en «${one.candidate.source}» y en «${other.candidate.source}». Confirme con el comprador a cuál se factura y deje solo ese en el pedido.`,
    buyerReason:
      'En su compra constan dos RUC distintos. Indique a cuál de los dos se debe emitir la factura.',
  };
}

export function finalConsumerRefused(
  choice: Extract<Choice, { kind: 'final-consumer-refused' }>,
  order: Order,
  { allowed, limit }: BuyerPolicy['finalConsumer'],
  back: Amount,
): Unnamed {
  if (order.buyer.forgotten) return notKept;
  const total = toAmount(order.total);
  const returned = decimal(back).gt(0) ? ', sin descontar lo devuelto,' : '';
  const why = allowed
    ? `el total de ${total}${returned} supera el límite de ${limit} para consumidor final`
    : 'la tienda no factura a consumidor final';
  const buyerReason = allowed
    ? `Su compra de USD ${total} supera los USD ${limit} hasta los que se puede facturar a consumidor final. Escriba su cédula, RUC o pasaporte para recibir la factura.`
    : 'Esta tienda no factura a consumidor final. Escriba su cédula, RUC o pasaporte para recibir la factura.';
  if (choice.askedIn !== null)
    return {
      code: 'final-consumer-refused',
      reason: `El comprador pidió consumidor final en «${choice.askedIn.candidate.source}», pero ${why}. Pida su cédula, RUC o pasaporte al comprador y escríbalo en el pedido.`,
      buyerReason,
    };
  const zeros = order.buyer.ids.find(({ value }) => /^\D*0[0\D]*$/.test(value));
  if (zeros)
    return {
      code: 'buyer-id-wrong',
      reason: `La identificación del comprador en «${zeros.source}» son solo ceros y ${why}. Pida al comprador su cédula, RUC o pasaporte y corríjalo en el pedido.`,
      buyerReason,
    };
  return {
    code: 'buyer-id-missing',
    reason: `El pedido no trae cédula, RUC ni pasaporte del comprador y ${why}. Pida la identificación al comprador y escríbala en el pedido.`,
    buyerReason,
  };
}

/** He may well have given it; only he can say it again. */
const notKept: Unnamed = {
  code: 'buyer-id-missing',
  reason:
    'De este pedido ya no se guarda quién compró, y la tienda tampoco lo dice. Pida la identificación al comprador y escríbala en el pedido o en el panel.',
  buyerReason:
    'Los datos de su compra ya no se guardan. Escriba su cédula, RUC o pasaporte para recibir la factura.',
};

export function nameMissing(missing: 'company' | 'name'): Unnamed {
  const company = missing === 'company';
  return {
    code: company ? 'buyer-company-missing' : 'buyer-name-missing',
    reason: company
      ? 'El pedido pide factura con el RUC de una sociedad y no trae su razón social, que exige el art. 19 del Reglamento de Comprobantes de Venta; el nombre de una persona no basta, tampoco en el campo de la empresa. Escriba la razón social en la empresa de la dirección de facturación del pedido, o en el panel.'
      : 'El pedido trae la identificación del comprador, pero no su nombre. Complete el nombre en el pedido.',
    buyerReason: company
      ? 'Pidió factura con el RUC de una empresa. Escriba la razón social de la empresa tal como consta en el RUC.'
      : 'Falta el nombre que debe constar en su factura. Escriba sus nombres y apellidos, o su razón social.',
  };
}

/** A hold nobody answered in time says so; what is to be done stays the same. */
export function unanswered(unnamed: Unnamed): Unnamed {
  return {
    ...unnamed,
    reason: `${unnamed.reason} El comprador no respondió hasta la hora límite; su enlace de identificación sigue sirviendo hasta que venza.`,
  };
}
