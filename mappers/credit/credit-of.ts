import { type Amount, type Decimal, decimal, sum, toAmount } from '../../src/domain/money.ts';
import type { IvaCode } from '../../src/domain/money-policy.ts';
import type { Refund, Tie } from '../../src/domain/refund.ts';
import type { CreditItemBody, TotalBody } from '../body.ts';
import { irbpnrRate } from '../tables/excise.ts';
import { ivaFraction } from '../tax.ts';
import { netOf, totalBy } from '../ways.ts';
import { apportion, type Credit, everythingLeft, type Saying } from './apportion.ts';
import type { Balance, Issued, ItemLeft } from './balance.ts';
import { bottlesWorth } from './bottles.ts';
import { type Claimable, type Claims, claimsOf } from './claims.ts';
import { type CreditLine, toCreditLine } from './lines.ts';

/** What a refund takes of a factura: the lines and taxes that say so, and how they came about. */
export interface Crediting extends Issued {
  items: CreditItemBody[];
  /** With the cents a base cannot give where the money is stated. */
  totales: TotalBody[];
  ties: Tie[];
  owed: Amount;
  credit: Credit;
  /** null where all that was left is taken. */
  claims: Claims | null;
}

/**
 * Lays the money of a refund upon what is left of a factura. `money` is what went back for things on it, in USD;
 * with what earlier notas de crédito owe it must not exceed what is left. Pure.
 * @throws Hold where the refund contradicts itself.
 */
export function creditOf(balance: Balance, refund: Refund, money: Amount, saying: Saying): Crediting {
  const whole = balance.owed.plus(money).gte(balance.total);
  const claims = whole ? null : claimsOf(refund, decimal(money), balance.items.map(claimable));
  const credit = claims === null ? everythingLeft(balance, saying) : apportion(balance, claims, saying);
  return { ...asIssued(balance, credit, saying), claims, owed: toAmount(decimal(money).minus(credit.total)) };
}

/** All that is left of a factura, as lines and taxes. */
export function restOf(balance: Balance): Omit<Crediting, 'claims' | 'owed'> {
  return asIssued(balance, everythingLeft(balance, 'stated', true), 'stated');
}

const cent = decimal('0.01');

/** What is left of an item, taxes included: its share of its rate, and its bottles. */
function claimable(item: ItemLeft): Claimable {
  const gross = item.gross.plus(bottlesWorth(item, item.units));
  const isTaxed = !ivaFraction(item.item.tipo_iva as IvaCode).isZero();
  // Shops round the tax of each line, a factura that of each rate: a taxed line may be a cent above its share.
  return {
    source: item.source,
    code: item.item.tipo_iva,
    gross,
    units: item.units,
    ...(isTaxed && gross.gt(0) ? { rounding: cent } : {}),
  };
}

function asIssued(balance: Balance, credit: Credit, saying: Saying) {
  const lines = linesOf(credit, saying);
  const items = lines.map(({ item }) => inWords(item, saying));
  return { items, ties: lines.map(({ tie }) => tie), totales: totalesOf(balance, credit, items), credit };
}

/** Where totals state the taxes the lines have what those of a factura have; else what is described (A21). */
function inWords(item: CreditItemBody, saying: Saying): CreditItemBody {
  const { valor_ice, precio_total_sin_impuesto, ...rest } = item;
  if (saying === 'stated') return { ...rest, precio_total_sin_impuesto: netOf(item).toNumber() };
  return { ...rest, ...(valor_ice === undefined ? {} : { valor_ice }) };
}

/** Lines at the factura's unit prices; in whole cents each where their unrounded sum would come out elsewhere. */
function linesOf({ items }: Credit, saying: Saying): CreditLine[] {
  const lines = items.map((one) => toCreditLine(one, false));
  const body = { items: lines.map(({ item }) => item) };
  if (saying === 'stated' || totalBy(body, 'unrounded') === totalBy(body, 'group')) return lines;
  return items.map((one) => toCreditLine(one, true));
}

/** Every line has the rows of its taxes and every row a line: the one without the other is refused (error 52). */
function totalesOf(
  balance: Balance,
  { groups, items, bottles }: Credit,
  lines: readonly CreditItemBody[],
): TotalBody[] {
  const has = (code: keyof CreditItemBody, value: string) =>
    lines.some((line) => String(line[code]) === value);
  const ivas = groups
    .filter(({ group }) => has('tipo_iva', group.row.codigo_porcentaje))
    .map(({ group, base, iva }) => ({
      ...group.row,
      base_imponible: base.toNumber(),
      valor: iva.toNumber(),
    }));
  const ices = [...balance.iceRates].flatMap(([code, rate]): TotalBody[] => {
    const own = items.filter(({ left }) => left.item.tipo_ice === code);
    return own.length === 0 ? [] : [stated('3', code, rate, sumOf(own, 'base'), sumOf(own, 'ice'))];
  });
  const rate = decimal(irbpnrRate);
  const irbpnr = bottles.isZero() ? [] : [stated('5', 5001, rate, bottles, bottles.times(rate))];
  return [...ivas, ...ices, ...irbpnr];
}

const sumOf = (items: Credit['items'], key: 'base' | 'ice'): Decimal => sum(items.map((one) => one[key]));

function stated(
  codigo: TotalBody['codigo'],
  code: number,
  rate: Decimal,
  base: Decimal,
  valor: Decimal,
): TotalBody {
  return {
    codigo,
    codigo_porcentaje: String(code),
    base_imponible: base.toNumber(),
    tarifa: rate.toNumber(),
    valor: valor.toNumber(),
  };
}
