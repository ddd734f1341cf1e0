import { type Decimal, decimal, roundCents, toAmount } from '../src/domain/money.ts';
import type { IceMeaning } from '../src/domain/money-policy.ts';
import type { Tax } from '../src/domain/order.ts';
import type { Entry } from './entries.ts';
import { Hold, wouldBe } from './hold.ts';
import { iceFlaw } from './in-force.ts';
import { irbpnrRate } from './tables/excise.ts';
import { ivaFraction, type TaxDecision } from './tax.ts';

/**
 * An entry with the ICE and IRBPNR the platform states as taxes of their own. ICE is part of the base of IVA,
 * IRBPNR is not (ficha técnica SRI, tabla 21).
 */
export function withStatedExcise(entry: Entry): Entry {
  const { ice, irbpnr } = entry.decision;
  const bottled = irbpnr?.tax ? { ...entry, irbpnr: statedIrbpnr(entry, irbpnr.tax) } : entry;
  if (ice) refuseIce(entry, ice);
  return ice?.tax ? { ...bottled, ice: statedIce(entry, inPercent(ice.meaning), ice.tax) } : bottled;
}

/**
 * An entry with the ICE and IRBPNR its price contains, as a rule says: they are taken out of what the buyer
 * paid after every discount, so that his total stays.
 */
export function withContainedExcise(entry: Entry): Entry {
  const { ice, irbpnr } = entry.decision;
  const bottled = irbpnr && !irbpnr.tax ? withContainedIrbpnr(entry) : entry;
  return ice && !ice.tax ? withContainedIce(bottled, inPercent(ice.meaning)) : bottled;
}

type Ice = NonNullable<Entry['ice']>;

function bottlesTax({ quantity, item }: Entry): Decimal {
  if (!quantity.isInteger()) {
    throw new Hold(
      'irbpnr-quantity',
      `«${item.name}» paga IRBPNR por botella y el pedido trae la cantidad ${quantity.toFixed()}. Corrija la cantidad en la tienda.`,
    );
  }
  return quantity.times(irbpnrRate);
}

function statedIrbpnr(entry: Entry, tax: Tax): Decimal {
  const amount = bottlesTax(entry);
  if (roundCents(decimal(tax.amount)).equals(amount)) return amount;
  throw new Hold(
    'tax-contradiction',
    `La tienda cobró ${toAmount(tax.amount)} de IRBPNR por «${entry.item.name}» y por ${entry.quantity.toFixed()} botellas ${wouldBe(decimal(tax.amount), amount)}. Corrija el impuesto en la tienda.`,
  );
}

function withContainedIrbpnr(entry: Entry): Entry {
  const amount = bottlesTax(entry);
  if (entry.net.isZero()) return { ...entry, irbpnr: decimal(0) };
  // The shop taxed the deposit too; what the buyer paid is split anew, with the IVA on the rest only.
  const rest = entry.net.plus(entry.iva).minus(amount);
  if (rest.lte(0)) throw tooCheap(entry, amount);
  const net = rest.div(ivaFraction(entry.decision.iva).plus(1));
  return { ...entry, ...scaled(entry, net), iva: rest.minus(net), irbpnr: amount };
}

function withContainedIce(entry: Entry, { codigo, tarifa }: Omit<Ice, 'amount'>): Entry {
  const net = entry.net.div(decimal(tarifa).div(100).plus(1));
  return { ...entry, ...scaled(entry, net), ice: { codigo, tarifa, amount: entry.net.minus(net) } };
}

function statedIce(entry: Entry, { codigo, tarifa }: Omit<Ice, 'amount'>, tax: Tax): Ice {
  const amount = decimal(tax.amount);
  const due = entry.net.times(decimal(tarifa).div(100));
  if (amount.minus(due).abs().gt('0.02') || (due.isZero() && !amount.isZero())) {
    throw new Hold(
      'tax-contradiction',
      `La tienda cobró ${toAmount(amount)} de ICE por «${entry.item.name}» y al ${tarifa} % ${wouldBe(amount, due)}. Corrija el impuesto en la tienda o la regla en policy.tax.`,
    );
  }
  return { codigo, tarifa, amount };
}

/** The discount keeps its share of the price. */
function scaled({ subtotal, net }: Entry, newNet: Decimal): Pick<Entry, 'subtotal' | 'net'> {
  return { net: newNet, subtotal: net.isZero() ? subtotal : subtotal.times(newNet).div(net) };
}

const tooCheap = ({ item, net, iva }: Entry, amount: Decimal) =>
  new Hold(
    'tax-contradiction',
    `«${item.name}» costó ${toAmount(net.plus(iva))} y su IRBPNR solo ya es de ${toAmount(amount)}. Corrija el precio en la tienda o la regla en policy.tax.`,
  );

function inPercent(meaning: IceMeaning): Omit<Ice, 'amount'> {
  if ('tarifa' in meaning) return meaning;
  throw new TypeError('ICE per unit is held before it is computed.');
}

/** Of ICE by the unit a factura's line states no amount (docs/assumptions.md, A20); of a code nobody named its kind is unknown. */
function refuseIce({ item, quantity }: Entry, { meaning, rule }: NonNullable<TaxDecision['ice']>): void {
  const flaw = iceFlaw(meaning);
  if (!flaw) return;
  const { codigo } = meaning;
  if ('tarifa' in meaning && flaw.kind === 'unknown')
    throw new Hold(
      'ice-unknown',
      `La regla «${rule}» da a «${item.name}» el ICE ${codigo}, ${flaw.says}. Búsquelo en la tabla 18 de la ficha técnica del SRI; si existe y es un porcentaje, escriba su nombre en la regla: ice: { codigo: ${codigo}, tarifa: ${meaning.tarifa}, nombre: "…" }.`,
    );
  const due =
    'porUnidad' in meaning
      ? ` (${toAmount(quantity.times(meaning.porUnidad))} por ${quantity.toFixed()})`
      : ',';
  throw new Hold(
    'ice-per-unit',
    `«${item.name}» lleva ICE ${codigo} ${flaw.says}${due} y el servicio de facturación solo admite ICE en porcentaje. Emita esta factura a mano.`,
  );
}
