import { decimal, sum } from '../../src/domain/money.ts';
import type { Tie } from '../../src/domain/refund.ts';
import type { CreditItemBody } from '../body.ts';
import { oneLine } from '../text.ts';
import { counted, isExact, type UnitPrice, unitPrice } from '../unit-price.ts';
import { netOf } from '../ways.ts';
import type { CreditedItem } from './apportion.ts';

export interface CreditLine {
  item: CreditItemBody;
  tie: Tie;
}

/**
 * A credited item in the words of the factura's own: codes, texts and rates are the original's. `exact`: in whole cents
 * before anything is rounded, at the cost of its unit price where need be.
 */
export function toCreditLine(credited: CreditedItem, exact: boolean): CreditLine {
  const { left, base, ice, units, folded } = credited;
  const { item, source, sold } = left;
  const taxes = { ...(ice.gt(0) || item.tipo_ice !== undefined ? { valor_ice: ice.toNumber() } : {}) };
  if (folded) return foldedLine(credited, folded, taxes);
  const tie = { source, units: units.toFixed() };
  const paid = base.equals(netOf(item));
  // Paid back whole: word for word. Bottles (IRBPNR) count only where they came back.
  if (paid && (units.equals(sold) || item.tipo_irbpnr === undefined) && (!exact || isExact(pricedAs(item))))
    return { item: { ...item, ...taxes }, tie };
  // A factura that sold "three for 10.00" as one line has no price per unit to give back, and it counts in millionths.
  const isCounted = decimal(item.cantidad).equals(sold) && units.gt(0) && units.decimalPlaces() <= 6;
  const priced = (isCounted ? byUnit(credited, exact) : null) ?? {
    quantity: decimal(1),
    unit: base,
    discount: decimal(0),
  };
  const { tipo_irbpnr, ...rest } = item;
  return {
    item: {
      ...rest,
      ...written(priced),
      precio_total_sin_impuesto: base.toNumber(),
      ...(tipo_irbpnr !== undefined && isCounted ? { tipo_irbpnr } : {}),
      ...taxes,
    },
    tie,
  };
}

/** The factura's own unit price where it leads to the base, less a discount; else the price that does; else null. */
function byUnit({ left: { item }, base, units }: CreditedItem, exact: boolean): UnitPrice | null {
  const unit = decimal(item.precio_unitario);
  const over = units.times(unit).minus(base);
  // A cent of rounding is no discount anybody gave.
  const discounted = over.gt(0) && (item.descuento > 0 || over.gt('0.01'));
  const found = unitPrice({ quantity: units, unit, base, discounted });
  if (found && (!exact || isExact(found))) return found;
  return item.tipo_irbpnr === undefined ? null : counted(units, base);
}

/** Several lines of one rate in one: what they are, and the sum of their bases. */
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
  const once = { quantity: decimal(1), unit: base, discount: decimal(0) };
  const said = folded.map(({ left: { item: one }, units }) =>
    units.gt(0) ? `${units.toFixed()} × ${one.descripcion}` : one.descripcion,
  );
  return {
    item: {
      ...item,
      descripcion: oneLine(said.join(' + '), 300),
      ...written(once),
      precio_total_sin_impuesto: base.toNumber(),
      ...taxes,
    },
    tie: {
      source: left.source,
      units: sum(folded.filter((one) => one.left === left).map(({ units }) => units)).toFixed(),
      folded: folded.map((one) => ({
        source: one.left.source,
        units: one.units.toFixed(),
        base: one.base.toFixed(2),
      })),
    },
  };
}

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
