import { type Amount, decimal, toAmount } from '../../src/domain/money.ts';
import type { Refund } from '../../src/domain/order.ts';
import { oneLine } from '../hold.ts';
import type { Balance, ItemLeft } from './balance.ts';
import type { ClaimBasis } from './claims.ts';
import type { Crediting } from './credit-of.ts';

/** How the amounts of a nota de crédito came about: plain JSON without buyers' data, stored with the document. */
export interface CreditCalculation {
  refund: string;
  /** Number of the factura it changes. */
  original: string;
  money: Amount;
  /** Its total: the money, or the nearest sum that lines and their IVA add up to. */
  document: Amount;
  /** The total with IVA summed line by line; null when it is the same. */
  byLine: Amount | null;
  /** Rounding cents still owed to the buyer (negative: credited too much), before and after this document. */
  owed: { before: Amount; after: Amount };
  /** `rest`: all that was left, copied. */
  basis: ClaimBasis | 'rest';
  /** By how much the platform says that the money differs from its parts. */
  discrepancy: Amount;
  /** Left of the factura, before and after this document. */
  left: { before: Amount; after: Amount };
  items: {
    source: string;
    name: string;
    /** Money claimed for it, taxes included; null when all that was left is taken. */
    asked: Amount | null;
    /** Its line in the document, from 1. */
    line: number;
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
  crediting: Crediting;
  money: Amount;
}

export function toCreditCalculation({ refund, original, crediting, money }: Parts): CreditCalculation {
  const { balance, number } = original;
  const { claims, credit, totales, owed } = crediting;
  const asked = (item: ItemLeft): Amount | null => {
    const at = balance.items.indexOf(item);
    return claims === null ? null : toAmount(claims.asked[at]?.gross ?? '0');
  };
  const taken = credit.items.flatMap((one) => one.folded ?? [one]);
  return {
    refund: refund.id,
    original: number,
    money,
    basis: claims?.basis ?? 'rest',
    discrepancy: refund.discrepancy,
    document: toAmount(credit.total),
    byLine: credit.byLine.equals(credit.total) ? null : toAmount(credit.byLine),
    owed: { before: toAmount(balance.owed), after: toAmount(balance.owed.plus(owed)) },
    left: { before: toAmount(balance.total), after: toAmount(balance.total.minus(credit.total)) },
    items: taken.map(({ left, base, units }) => ({
      source: left.source,
      name: oneLine(left.item.descripcion, 100),
      asked: asked(left),
      line:
        1 +
        credit.items.findIndex((one) => one.left === left || one.folded?.some((part) => part.left === left)),
      units: units.toFixed(),
      base: toAmount(base),
      leftBase: toAmount(left.base.gt(base) ? left.base.minus(base) : '0'),
    })),
    taxes: totales.map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
      codigo,
      codigo_porcentaje,
      base: toAmount(decimal(base_imponible)),
      valor: toAmount(decimal(valor)),
    })),
    notes: [
      ...(refund.linesFrom ?? []).map(
        (id) => `las líneas las registró el reembolso ${id}, que no devolvió dinero`,
      ),
      ...(refund.toBalances ?? []).map(
        ({ gateway, amount }) =>
          `${amount} volvieron a un saldo del comprador con la tienda («${gateway}»), no a su dinero`,
      ),
      ...(refund.cashRounding === undefined
        ? []
        : [
            `la caja redondeó el efectivo y devolvió ${toAmount(decimal(refund.amount ?? '0').plus(refund.cashRounding))}; se acredita lo devuelto, ${toAmount(refund.amount ?? '0')}`,
          ]),
      ...(claims?.notes ?? []),
      ...(credit.items.some(({ folded }) => folded) ? [foldedNote] : []),
    ],
  };
}

const foldedNote = 'líneas reunidas en una, para que su IVA sea el mismo sumado por línea que por tarifa';
