import { type Amount, decimal, toAmount } from '../../src/core/money.ts';
import type { Refund } from '../../src/core/refund.ts';
import { oneLine } from '../text.ts';
import type { Credit } from './apportion.ts';
import type { Balance, ItemLeft } from './balance.ts';
import type { ClaimBasis, Claims } from './claims.ts';

/** Why a nota de crédito takes back what it takes back; plain JSON without buyers' data, stored with the document. */
export interface CreditTrace {
  refund: string;
  /** Number of the factura it changes. */
  original: string;
  money: Amount;
  /** `rest`: all that was left, copied. */
  basis: ClaimBasis | 'rest';
  /** What the platform itself says that the money differs from its parts. */
  discrepancy: Amount;
  /** Of the factura, before and after this nota de crédito. */
  left: { before: Amount; after: Amount };
  items: {
    source: string;
    name: string;
    /** Money asked back, taxes included; null where all that was left is taken. */
    asked: Amount | null;
    units: Amount;
    base: Amount;
    leftBase: Amount;
  }[];
  taxes: { codigo: string; codigo_porcentaje: string; base: Amount; valor: Amount }[];
  notes: string[];
}

interface Parts {
  refund: Refund;
  original: { number: string; balance: Balance };
  claims: Claims | null;
  credit: Credit;
  money: Amount;
}

export function toCreditTrace({ refund, original, claims, credit, money }: Parts): CreditTrace {
  const { balance, number } = original;
  const asked = (item: ItemLeft): Amount | null => {
    const at = balance.items.indexOf(item);
    return claims === null ? null : toAmount(claims.asked[at]?.gross ?? '0');
  };
  return {
    refund: refund.id,
    original: number,
    money,
    basis: claims?.basis ?? 'rest',
    discrepancy: refund.discrepancy,
    left: { before: toAmount(balance.total), after: toAmount(balance.total.minus(money)) },
    items: credit.items.map(({ left, base, units }) => ({
      source: left.source,
      name: oneLine(left.item.descripcion, 100),
      asked: asked(left),
      units: units.toFixed(),
      base: toAmount(base),
      leftBase: toAmount(left.base.minus(base)),
    })),
    taxes: credit.totales.map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
      codigo,
      codigo_porcentaje,
      base: decimal(base_imponible).toFixed(2),
      valor: decimal(valor).toFixed(2),
    })),
    notes: claims?.notes ?? [],
  };
}
