import { type Decimal, decimal, roundCents, toAmount } from '../src/core/money.ts';
import type { Entry } from './entries.ts';
import { Hold } from './hold.ts';
import { ivaFraction } from './tax.ts';

/** USD a bottle (IRBPNR, ficha técnica SRI, tabla 16). */
export const irbpnrRate = '0.02';

/**
 * An entry with its ICE and IRBPNR. Where the platform states them as taxes of their own, those amounts count;
 * where a rule says the price contains them, they are taken out of it, so that the buyer's total stays. ICE is
 * part of the base of IVA, IRBPNR is not (ficha técnica SRI, tabla 21).
 */
export function withExcise(entry: Entry): Entry {
  const { ice, irbpnr } = entry.decision;
  return ice || irbpnr ? withIce(withIrbpnr(entry)) : entry;
}

function withIrbpnr(entry: Entry): Entry {
  const { irbpnr, iva } = entry.decision;
  if (!irbpnr) return entry;
  const { quantity, item } = entry;
  if (!quantity.isInteger()) {
    throw new Hold(
      'irbpnr-quantity',
      `«${item.name}» paga IRBPNR por botella y el pedido trae la cantidad ${quantity.toFixed()}. Corrija la cantidad en la tienda.`,
    );
  }
  const amount = quantity.times(irbpnrRate);
  if (irbpnr.tax) {
    if (roundCents(decimal(irbpnr.tax.amount)).equals(amount)) return { ...entry, irbpnr: amount };
    throw new Hold(
      'tax-contradiction',
      `La tienda cobró ${toAmount(irbpnr.tax.amount)} de IRBPNR por «${item.name}» y por ${quantity.toFixed()} botellas serían ${toAmount(amount)}. Corrija el impuesto en la tienda.`,
    );
  }
  if (entry.net.isZero()) return { ...entry, irbpnr: decimal(0) };
  // The shop taxed the deposit too; what the buyer paid is split anew, with the IVA on the rest only.
  const rest = entry.net.plus(entry.iva).minus(amount);
  if (rest.lte(0)) throw tooCheap(entry, amount);
  const net = rest.div(ivaFraction(iva).plus(1));
  return { ...entry, ...scaled(entry, net), iva: rest.minus(net), irbpnr: amount };
}

function withIce(entry: Entry): Entry {
  const { ice } = entry.decision;
  if (!ice) return entry;
  const { codigo, tarifa } = ice.meaning;
  const rate = decimal(tarifa).div(100);
  if (!ice.tax) {
    const net = entry.net.div(rate.plus(1));
    return { ...entry, ...scaled(entry, net), ice: { codigo, tarifa, amount: entry.net.minus(net) } };
  }
  const amount = decimal(ice.tax.amount);
  const due = entry.net.times(rate);
  if (amount.minus(due).abs().gt('0.02')) {
    throw new Hold(
      'tax-contradiction',
      `La tienda cobró ${toAmount(amount)} de ICE por «${entry.item.name}» y al ${tarifa} % serían ${toAmount(due)}. Corrija el impuesto o la regla.`,
    );
  }
  return { ...entry, ice: { codigo, tarifa, amount } };
}

/** The discount keeps its share of the price. */
function scaled({ subtotal, net }: Entry, newNet: Decimal): Pick<Entry, 'subtotal' | 'net'> {
  return { net: newNet, subtotal: net.isZero() ? subtotal : subtotal.times(newNet).div(net) };
}

const tooCheap = ({ item }: Entry, amount: Decimal) =>
  new Hold(
    'tax-contradiction',
    `«${item.name}» costó menos que su IRBPNR de ${toAmount(amount)}. Corrija el precio o la regla.`,
  );
