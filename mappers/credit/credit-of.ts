import { type Amount, type Decimal, decimal, sum, toAmount } from '../../src/domain/money.ts';
import type { IvaCode } from '../../src/domain/money-policy.ts';
import type { LineReference, Refund } from '../../src/domain/order.ts';
import { type CreditItemBody, type TotalBody, totalRow } from '../body.ts';
import { oneLine } from '../hold.ts';
import { counted, isExact, type UnitPrice, unitPrice } from '../items.ts';
import { irbpnrRate } from '../tables/taxes.ts';
import { ivaFraction } from '../tax.ts';
import { netOf, totalBy } from '../tax-computation.ts';
import { apportion, type Credit, type CreditedItem, everythingLeft, type Statement } from './apportion.ts';
import { type Balance, bottlesWorth, type Issued, type ItemLeft } from './balance.ts';
import { type Claimable, type Claims, claimsOf } from './claims.ts';

export interface Crediting extends Issued {
  items: CreditItemBody[];
  totales: TotalBody[];
  lineReferences: LineReference[];
  owed: Amount;
  credit: Credit;
  /** Null when all that was left is taken. */
  claims: Claims | null;
}

/** `money` in USD went back for things of the factura; with the cents owed it is at most what is left. @throws Hold. */
export function creditOf(balance: Balance, refund: Refund, money: Amount, statement: Statement): Crediting {
  const whole = balance.owed.plus(money).gte(balance.total);
  const claims = whole ? null : claimsOf(refund, decimal(money), balance.items.map(claimable));
  const credit = claims === null ? everythingLeft(balance, statement) : apportion(balance, claims, statement);
  return {
    ...asIssued(balance, credit, statement),
    claims,
    owed: toAmount(decimal(money).minus(credit.total)),
  };
}

export function restOf(balance: Balance): Omit<Crediting, 'claims' | 'owed'> {
  return asIssued(balance, everythingLeft(balance, 'stated', true), 'stated');
}

const cent = decimal('0.01');

function claimable(item: ItemLeft): Claimable {
  const gross = item.gross.plus(bottlesWorth(item, item.units));
  const isTaxed = !ivaFraction(item.item.tipo_iva as IvaCode).isZero();
  // Shops round the tax per line, a factura per rate: a taxed line may be a cent above its share.
  return {
    source: item.source,
    code: item.item.tipo_iva,
    gross,
    units: item.units,
    ...(isTaxed && gross.gt(0) ? { rounding: cent } : {}),
  };
}

function asIssued(balance: Balance, credit: Credit, statement: Statement) {
  const lines = linesOf(credit, statement);
  const items = lines.map(({ item }) => withPrice(item, statement));
  return {
    items,
    lineReferences: lines.map(({ reference }) => reference),
    totales: totalesOf(balance, credit, items),
    credit,
  };
}

/** With stated taxes a line has the fields of a factura's; else those of the public description (A21). */
function withPrice(item: CreditItemBody, statement: Statement): CreditItemBody {
  const { valor_ice, precio_total_sin_impuesto, ...rest } = item;
  if (statement === 'stated') return { ...rest, precio_total_sin_impuesto: netOf(item).toNumber() };
  return { ...rest, ...(valor_ice === undefined ? {} : { valor_ice }) };
}

function linesOf({ items }: Credit, statement: Statement): CreditLine[] {
  const lines = items.map((one) => toCreditLine(one, false));
  const body = { items: lines.map(({ item }) => item) };
  if (statement === 'stated' || totalBy(body, 'unrounded').equals(totalBy(body, 'group'))) return lines;
  return items.map((one) => toCreditLine(one, true));
}

/** A row without a line, or a line without its row, is refused (error 52). */
function totalesOf(balance: Balance, { groups, items, bottles }: Credit, lines: readonly CreditItemBody[]) {
  const has = (code: keyof CreditItemBody, value: string) =>
    lines.some((line) => String(line[code]) === value);
  const ivas = groups
    .filter(({ group }) => has('tipo_iva', group.row.codigo_porcentaje))
    .map(({ group, base, iva }) => ({
      ...group.row,
      base_imponible: base.toNumber(),
      valor: iva.toNumber(),
    }));
  const ices = [...balance.iceRates].flatMap(([code, rate]) => {
    const own = items.filter(({ left }) => left.item.tipo_ice === code);
    const [base, ice] = [sum(own.map((one) => one.base)), sum(own.map((one) => one.ice))];
    return own.length === 0 ? [] : [totalRow('3', code, rate, base, ice)];
  });
  const irbpnr = bottles.isZero()
    ? []
    : [totalRow('5', 5001, irbpnrRate, bottles, bottles.times(irbpnrRate))];
  return [...ivas, ...ices, ...irbpnr];
}

interface CreditLine {
  item: CreditItemBody;
  reference: LineReference;
}

/** `exact`: in whole cents, even at the cost of its unit price. */
export function toCreditLine(credited: CreditedItem, exact: boolean): CreditLine {
  const { left, base, ice, units, folded } = credited;
  const { item, source, sold } = left;
  const taxes = ice.gt(0) || item.tipo_ice !== undefined ? { valor_ice: ice.toNumber() } : {};
  if (folded) return foldedLine(credited, folded, taxes);
  const reference = { source, units: units.toFixed() };
  const paid = base.equals(netOf(item));
  // Refunded whole: copied. Bottles (IRBPNR) count only when they came back.
  if (paid && (units.equals(sold) || item.tipo_irbpnr === undefined) && (!exact || isExact(pricedAs(item))))
    return { item: { ...item, ...taxes }, reference };
  // A factura that sold "three for 10.00" as one line has no unit price to copy; millionths are its smallest unit.
  const isCounted = decimal(item.cantidad).equals(sold) && units.gt(0) && units.decimalPlaces() <= 6;
  const priced = (isCounted ? byUnit(credited, exact) : null) ?? once(base);
  const { tipo_irbpnr, ...rest } = item;
  return {
    item: {
      ...rest,
      ...written(priced),
      precio_total_sin_impuesto: base.toNumber(),
      ...(tipo_irbpnr !== undefined && isCounted ? { tipo_irbpnr } : {}),
      ...taxes,
    },
    reference,
  };
}

function byUnit({ left: { item }, base, units }: CreditedItem, exact: boolean): UnitPrice | null {
  const unit = decimal(item.precio_unitario);
  const over = units.times(unit).minus(base);
  // A rounding cent is not a discount.
  const discounted = over.gt(0) && (item.descuento > 0 || over.gt('0.01'));
  const found = unitPrice({ quantity: units, unit, base, discounted });
  if (found && (!exact || isExact(found))) return found;
  return item.tipo_irbpnr === undefined ? null : counted(units, base);
}

function foldedLine(
  { left, base }: CreditedItem,
  folded: readonly CreditedItem[],
  taxes: Pick<CreditItemBody, 'valor_ice'>,
): CreditLine {
  const {
    codigo_auxiliar: _auxiliar,
    detalles_adicionales: _details,
    unidad_medida: _unit,
    ...item
  } = left.item;
  const names = folded.map(({ left: { item: one }, units }) =>
    units.gt(0) ? `${units.toFixed()} × ${one.descripcion}` : one.descripcion,
  );
  return {
    item: {
      ...item,
      descripcion: oneLine(names.join(' + '), 300),
      ...written(once(base)),
      precio_total_sin_impuesto: base.toNumber(),
      ...taxes,
    },
    reference: {
      source: left.source,
      units: sum(folded.filter((one) => one.left === left).map(({ units }) => units)).toFixed(),
      folded: folded.map((one) => ({
        source: one.left.source,
        units: one.units.toFixed(),
        base: toAmount(one.base),
      })),
    },
  };
}

const once = (base: Decimal): UnitPrice => ({ quantity: decimal(1), unit: base, discount: decimal(0) });

const pricedAs = ({ cantidad, precio_unitario, descuento }: CreditItemBody): UnitPrice => ({
  quantity: decimal(cantidad),
  unit: decimal(precio_unitario),
  discount: decimal(descuento),
});

const written = ({ quantity, unit, discount }: UnitPrice) => ({
  cantidad: quantity.toNumber(),
  precio_unitario: unit.toNumber(),
  descuento: discount.toNumber(),
});
