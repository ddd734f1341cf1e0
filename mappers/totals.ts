import {
  type Amount,
  type Decimal,
  decimal,
  roundCents,
  splitCents,
  sum,
  toAmount,
} from '../src/core/money.ts';
import type { IvaCode } from '../src/core/settings.ts';
import type { FacturaBody, TotalBody } from './body.ts';
import { Hold } from './hold.ts';
import { ivaRate } from './tax.ts';

/** A line or charge on its way into the document: exact figures of the platform and its IVA code. */
export interface Part {
  code: IvaCode;
  /** Without tax, after discounts; as precise as the platform states it. */
  net: Decimal;
  tax: Decimal;
}

/** One IVA group of the document: `base + valor` is exactly what the buyer paid for its parts. */
export interface Group {
  code: IvaCode;
  base: Decimal;
  valor: Decimal;
  /** `valor` minus base × rate, rounded: not zero only where no base reaches the charged total. */
  difference: Decimal;
}

const cent = decimal('0.01');

/** What rounding may explain between a shop's total and the sum of its lines: half a cent a line. */
function roundingAllowance(count: number): Decimal {
  const allowance = decimal('0.005').times(count);
  return allowance.lt(cent) ? cent : allowance.gt('0.05') ? decimal('0.05') : allowance;
}

/**
 * Splits what was charged into IVA groups and finds each group's base and IVA (ficha técnica SRI, tabla 21). The sum of the
 * groups is the charged total to the cent; what rounding cannot explain is held with both figures.
 */
export function toGroups(parts: readonly Part[], charged: Amount): Group[] {
  const codes = [...new Set(parts.map((part) => part.code))].sort((a, b) => a - b);
  const grosses = codes.map((code) =>
    sum(parts.filter((part) => part.code === code).map((part) => part.net.plus(part.tax))),
  );
  const stated = sum(grosses);
  const gap = decimal(charged).minus(stated);
  if (gap.abs().gt(roundingAllowance(parts.length))) {
    throw new Hold(
      'total-mismatch',
      `Las líneas del pedido suman ${toAmount(stated)} y se cobró ${toAmount(charged)}; la diferencia de ${toAmount(gap)} no se explica por redondeo. Revise el pedido en la tienda.`,
    );
  }
  const totals = splitCents(decimal(charged), grosses);
  return codes.map((code, at) =>
    solve(
      code,
      totals[at] ?? decimal(0),
      parts.filter((part) => part.code === code),
    ),
  );
}

/**
 * The base nearest to the platform's own whose IVA, rounded half-up, completes the charged total. 13 % of
 * tax-inclusive totals have none at 15 %; there the IVA is stated, one cent off at the most.
 */
function solve(code: IvaCode, total: Decimal, parts: readonly Part[]): Group {
  const rate = decimal(ivaRate(code)).div(100);
  const net = sum(parts.map((part) => part.net));
  const centre = roundCents(total.div(rate.plus(1)));
  const bases = [0, 1, -1].map((step) => centre.plus(cent.times(step)));
  const exact = bases
    .filter((base) => base.gte(0) && base.plus(roundCents(base.times(rate))).equals(total))
    .sort((a, b) => a.minus(net).abs().comparedTo(b.minus(net).abs()))[0];
  const base = exact ?? centre;
  const valor = total.minus(base);
  const difference = valor.minus(roundCents(base.times(rate)));
  if (difference.abs().gt(cent) || base.minus(net).abs().gt(roundingAllowance(parts.length).plus(cent))) {
    throw new Hold(
      'tax-contradiction',
      `El impuesto cobrado no corresponde al ${ivaRate(code)} %: la tienda cobró ${toAmount(total.minus(net))} sobre ${toAmount(net)}. Revise los impuestos del pedido.`,
    );
  }
  return { code, base, valor, difference };
}

/** The `totales` block, always stated: the service's own computation is not shown (spec, tax total block). */
export function toTotales(groups: readonly Group[]): TotalBody[] {
  return groups.map((group) => ({
    codigo: '2' as const,
    codigo_porcentaje: String(group.code),
    base_imponible: group.base.toNumber(),
    tarifa: Number(ivaRate(group.code)),
    valor: group.valor.toNumber(),
  }));
}

/** What the finished body adds up to, from the body alone: line totals plus the stated IVA. */
export function bodyTotal(body: Pick<FacturaBody, 'items' | 'totales'>): Amount {
  const bases = sum(body.items.map((item) => decimal(item.precio_total_sin_impuesto)));
  return toAmount(bases.plus(sum(body.totales.map((group) => decimal(group.valor)))));
}
