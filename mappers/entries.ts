import { type Amount, type Decimal, decimal, toAmount } from '../src/domain/money.ts';
import type { IvaCode, SpecialItem } from '../src/domain/money-policy.ts';
import type { Charge, Line, Order } from '../src/domain/order.ts';
import type { MappingContext } from './context.ts';
import { type Destination, destinationOf } from './destination.ts';
import { spreadDiscounts } from './discounts.ts';
import { withContainedExcise, withStatedExcise } from './excise.ts';
import { Hold, wouldBe } from './hold.ts';
import { refuseOutOfForce } from './in-force.ts';
import { factsOf } from './rules.ts';
import { decideTax, ivaFraction, ivaRate, type TaxDecision } from './tax.ts';

/** A line or charge with its tax code, before the cents are settled. Amounts are exact, not rounded. */
export interface Entry {
  item: Line | Charge;
  decision: TaxDecision;
  quantity: Decimal;
  /** Without any tax, before and after discounts. */
  subtotal: Decimal;
  net: Decimal;
  iva: Decimal;
  ice: { codigo: number; tarifa: Amount; amount: Decimal } | null;
  /** USD; always whole cents. */
  irbpnr: Decimal | null;
  /** For the trace. */
  notes: string[];
}

export interface Entries {
  entries: Entry[];
  destination: Destination;
  /** What the buyer paid that is no part of this document: gift cards, by policy. */
  outside: { name: string; amount: Amount }[];
}

/** Everything the buyer paid for, as document lines to be; what a document line cannot say is held. */
export function toEntries(order: Order, context: MappingContext): Entries {
  const destination = destinationOf(order);
  const entries: Entry[] = [];
  const discounts: Charge[] = [];
  const outside: Entries['outside'] = [];
  for (const item of [...order.lines, ...order.charges]) {
    const net = decimal(item.net);
    const below = net.isNegative() && !net.isZero();
    if (!('quantity' in item) && below) discounts.push(item);
    else if ('quantity' in item || !net.isZero() || !decimal(item.subtotal).isZero()) {
      if (below) throw negative(item);
      const isDeposit = item.kind === 'gift-card' && decimal(item.tax).isZero();
      if (isDeposit && context.policy.giftCardsSold.as === 'exclude') {
        outside.push({ name: item.name, amount: toAmount(net) });
      } else entries.push(toEntry(item, net, destination, context));
    }
  }
  if (entries.length === 0) {
    throw new Hold(
      'no-lines',
      `El pedido cobró ${toAmount(order.total)} y no tiene nada que facturar: ninguna línea, envío ni cargo. Agregue en la tienda lo que se vendió o emita esta factura a mano.`,
      '0.00',
    );
  }
  const reduced = spreadDiscounts(entries, discounts, destination, context);
  return { entries: reduced.map(withContainedExcise), destination, outside };
}

function toEntry(
  item: Line | Charge,
  net: Decimal,
  destination: Destination,
  context: MappingContext,
): Entry {
  const below = item.taxes.find(({ amount }) => /^-.*[1-9]/.test(amount));
  if (below) {
    throw new Hold(
      'tax-contradiction',
      `«${item.name}» lleva el impuesto «${below.title}» de ${below.amount}, menor que cero. Corrija los impuestos de esa línea en la tienda.`,
    );
  }
  const fallback = specialIva(item, context);
  const moves = () => !net.isZero() || !decimal(item.tax).isZero();
  const decision: TaxDecision =
    fallback !== null && item.taxes.length === 0
      ? {
          iva: fallback,
          by: `política de ${words[item.kind]}`,
          stated: null,
          ice: null,
          irbpnr: null,
          tipo: null,
          unidad: null,
        }
      : decideTax(factsOf(item, destination), moves, context);
  const entry: Entry = {
    item,
    decision,
    quantity: 'quantity' in item && item.quantity !== '1' ? decimal(item.quantity) : one,
    subtotal: item.subtotal === item.net ? net : decimal(item.subtotal),
    net,
    iva: decimal(decision.stated?.amount ?? 0),
    ice: null,
    irbpnr: null,
    notes: [],
  };
  return agreed(withStatedExcise(entry));
}

const one = decimal(1);
const twoCents = decimal('0.02');

/** The platform's IVA must be what its rate makes of its own base, up to rounding per line or per unit. */
function agreed(entry: Entry): Entry {
  const base = entry.ice ? entry.net.plus(entry.ice.amount) : entry.net;
  const due = base.times(ivaFraction(entry.decision.iva));
  const apart = entry.iva.minus(due).abs();
  if (apart.lte(twoCents)) return entry;
  const perUnit = decimal('0.005').times(entry.quantity);
  if (apart.lte(perUnit.gt('0.25') ? '0.25' : perUnit)) return entry;
  throw new Hold(
    'tax-contradiction',
    `El impuesto cobrado por «${entry.item.name}» no corresponde al ${ivaRate(entry.decision.iva)} %: la tienda cobró ${toAmount(entry.iva)} sobre ${toAmount(base)} y ${wouldBe(entry.iva, due)}. Corrija el impuesto en la tienda o su regla en policy.tax.`,
  );
}

const words = {
  product: 'productos',
  'gift-card': 'tarjetas de regalo',
  tip: 'propinas',
  shipping: 'envíos',
  fee: 'recargos',
  duty: 'aranceles',
} as const;

/** The IVA of a special item that states none; null for ordinary ones. Held where the policy says so (ADR 8). */
function specialIva(item: Line | Charge, { policy, today }: MappingContext): IvaCode | null {
  const inForce = (iva: IvaCode): IvaCode => {
    refuseOutOfForce(iva, `política de ${words[item.kind]}`, item.name, today);
    return iva;
  };
  const choose = (special: SpecialItem, hold: () => Hold): IvaCode => {
    if (special.as === 'hold') throw hold();
    return inForce(special.iva);
  };
  switch (item.kind) {
    case 'tip':
      return choose(policy.tips, () => tip(item));
    case 'duty':
      return choose(policy.duties, () => duty(item));
    case 'gift-card':
      if (policy.giftCardsSold.as === 'line') return inForce(policy.giftCardsSold.iva);
      throw giftCard(item);
    default:
      return null;
  }
}

const paid = ({ net, tax }: Line | Charge): Amount => toAmount(decimal(net).plus(tax));

const tip = (item: Line | Charge) =>
  new Hold(
    'tip',
    `El pedido incluye una propina de ${paid(item)} («${item.name}») y el servicio de facturación no tiene un campo para declararla. Emita esta factura a mano o decida en policy.tips de la tienda que vaya como una línea.`,
  );

const duty = (item: Line | Charge) =>
  new Hold(
    'duties',
    `El pedido cobra aranceles de ${paid(item)} («${item.name}»), que no son parte de una factura local. Emita esta factura a mano o decida en policy.duties de la tienda que vayan como una línea.`,
  );

const giftCard = (item: Line | Charge) =>
  new Hold(
    'gift-card-sold',
    decimal(item.tax).isZero()
      ? `El pedido vende la tarjeta de regalo «${item.name}» por ${paid(item)}, que es un anticipo y no una venta gravada. Facture el resto a mano o decida en policy.giftCardsSold de la tienda que la factura la deje fuera.`
      : `El pedido vende la tarjeta de regalo «${item.name}» por ${paid(item)}, de los que ${toAmount(item.tax)} son impuesto, y una tarjeta de regalo es un anticipo, no una venta gravada. Quite ese impuesto en la tienda y devuélvalo al comprador, o decida en policy.giftCardsSold de la tienda que vaya como una línea.`,
  );

const negative = (item: Line | Charge) =>
  new Hold(
    'negative-line',
    `«${item.name}» tiene un valor negativo (${toAmount(item.net)}); una factura no admite líneas negativas. Regístrelo como descuento en la tienda.`,
  );
