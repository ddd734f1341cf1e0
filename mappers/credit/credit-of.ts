import { type Amount, decimal } from '../../src/core/money.ts';
import type { Refund, Tie } from '../../src/core/refund.ts';
import type { ItemBody, TotalBody } from '../body.ts';
import { apportion, type Credit, everythingLeft } from './apportion.ts';
import type { Balance, Issued } from './balance.ts';
import { type Claims, claimsOf } from './claims.ts';
import { grossesLeft } from './groups.ts';
import { toCreditItem } from './lines.ts';

/** What a refund takes of a factura: the lines and taxes that say so, and how they came about. */
export interface Crediting extends Issued {
  items: ItemBody[];
  totales: TotalBody[];
  ties: Tie[];
  credit: Credit;
  /** null where all that was left is taken, cent for cent. */
  claims: Claims | null;
}

/**
 * Lays the money of a refund upon what is left of a factura. `money` is what went back for things on it, in USD,
 * and must not exceed what is left. Pure.
 * @throws Hold where the refund contradicts itself, or no line of what is left can say it.
 */
export function creditOf(balance: Balance, refund: Refund, money: Amount): Crediting {
  const whole = decimal(money).equals(balance.total);
  const claims = whole ? null : claimsOf(refund, decimal(money), grossesLeft(balance));
  return asIssued(claims === null ? everythingLeft(balance) : apportion(balance, claims), claims);
}

/** All that is left of a factura, as lines and taxes. */
export const restOf = (balance: Balance): Crediting => asIssued(everythingLeft(balance), null);

function asIssued(credit: Credit, claims: Claims | null): Crediting {
  const lines = credit.items.map(toCreditItem);
  return {
    items: lines.map(({ item }) => item),
    ties: lines.map(({ tie }) => tie),
    totales: credit.totales,
    credit,
    claims,
  };
}
