import { type Amount, decimal, toAmount } from '../../src/domain/money.ts';
import type { Refund } from '../../src/domain/refund.ts';
import { oneLine } from '../text.ts';
import type { Balance, ItemLeft } from './balance.ts';
import type { ClaimBasis } from './claims.ts';
import type { Crediting } from './credit-of.ts';

/** Why a nota de crédito takes back what it takes back; plain JSON without buyers' data, stored with the document. */
export interface CreditTrace {
  refund: string;
  /** Number of the factura it changes. */
  original: string;
  money: Amount;
  /** What the document says: the money, or the nearest sum that lines add up to with their IVA. */
  document: Amount;
  /** What it comes to where a service sums IVA line by line; null where that is the same. */
  byLine: Amount | null;
  /** Of cents no lines added up to: what earlier ones left out (negative: took too much), and what is still owed after this one. */
  owed: { before: Amount; after: Amount };
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
    /** Its line in the document, the first being 1. */
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

export function toCreditTrace({ refund, original, crediting, money }: Parts): CreditTrace {
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
      base: decimal(base_imponible).toFixed(2),
      valor: decimal(valor).toFixed(2),
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
