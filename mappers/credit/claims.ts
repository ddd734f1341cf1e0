import { Decimal, decimal, roundingOf, sum, toAmount } from '../../src/domain/money.ts';
import type { Refund, RefundPart } from '../../src/domain/order.ts';
import { Hold } from '../hold.ts';

export interface Claimable {
  source: string;
  code: number;
  gross: Decimal;
  units: Decimal;
  /** The shop may state a taxed thing higher by this, because `gross` is its share of a tax rounded for several. */
  rounding?: Decimal;
}

export type ClaimBasis = 'parts' | 'parts-reduced' | 'parts-and-rest' | 'amount';

export interface Claims {
  /** One per claimable, in its order; exact, and adds up to `money`. */
  asked: { gross: Decimal; units: Decimal }[];
  money: Decimal;
  basis: ClaimBasis;
  notes: string[];
}

const zero = decimal(0);
/** USD that rounding may claim of a thing beyond what is left of it. */
export const fewCents = decimal('0.05');

/** @throws Hold `refund-contradiction` when money and parts differ by more than rounding and nothing explains it. */
export function claimsOf(refund: Refund, money: Decimal, left: readonly Claimable[]): Claims {
  const parts = (refund.parts ?? []).filter(movesMoney);
  if (parts.length === 0) return byAmount(refund, money, left);
  const stated = sum(parts.map(grossOf));
  const apart = money.minus(stated);
  if (isContradiction(refund, money)) throw contradiction(refund, money, stated);
  const sources = left.map(({ source }) => source);
  const notes: string[] = [];
  const lost = parts.filter(({ of }) => of === null || !sources.includes(of));
  // A discount that was given back with its line is inside the line's price on the factura.
  for (const { name } of lost) notes.push(`«${name}» no es una línea de la factura: su valor se reparte`);
  const named = namedBy(refund, money, sources);
  if (named === null) return { ...byAmount(refund, money, left), notes };
  const asked = keepWithin(named.asked, left, money, notes);
  const exact = apart.abs().lte(roundingOf(parts.length));
  const basis = !named.isAll ? 'parts-and-rest' : exact ? 'parts' : 'parts-reduced';
  return { asked, money, basis, notes };
}

export function isContradiction({ parts, discrepancy }: Refund, money: Decimal): boolean {
  const moved = (parts ?? []).filter(movesMoney);
  const apart = money.minus(sum(moved.map(grossOf))).minus(discrepancy);
  return moved.length > 0 && apart.abs().gt(roundingOf(moved.length));
}

/** A fee kept lowers every part alike. `isAll`: no money is for anything else. Null when the parts name no source. */
export function namedBy(
  refund: Refund,
  money: Decimal,
  sources: readonly string[],
): { asked: Claims['asked']; isAll: boolean } | null {
  const parts = (refund.parts ?? []).filter(movesMoney);
  const asked = sources.map((source) => {
    const own = parts.filter(({ of }) => of === source);
    return { gross: sum(own.map(grossOf)), units: sum(own.map(({ quantity }) => quantity)) };
  });
  const due = sum(asked.map(({ gross }) => gross));
  if (due.lte(0)) return null;
  const isAll = money.lte(due) || money.minus(due).lte(roundingOf(parts.length));
  if (!isAll) return { asked, isAll };
  return { asked: asked.map((one) => ({ ...one, gross: one.gross.times(money).div(due) })), isAll };
}

function byAmount(refund: Refund, money: Decimal, left: readonly Claimable[]): Claims {
  const units = (source: string) =>
    sum((refund.parts ?? []).filter(({ of }) => of === source).map(({ quantity }) => quantity));
  const none = left.map(({ source }) => ({ gross: zero, units: units(source) }));
  // Units without money, from a shop that restocks and types the amount, show where the money belongs.
  const named = left.map((one, at) => {
    const asked = none[at]?.units ?? zero;
    return asked.isZero() || one.units.isZero() ? zero : one.gross.times(asked).div(one.units);
  });
  const all = sum(named);
  const first = all.gte(money)
    ? none.map((one, at) => ({ ...one, gross: (named[at] ?? zero).times(money).div(all) }))
    : none.map((one) => ({ ...one, units: zero }));
  return { asked: keepWithin(first, left, money, []), money, basis: 'amount', notes: [] };
}

function keepWithin(
  asked: Claims['asked'],
  left: readonly Claimable[],
  money: Decimal,
  notes: string[],
): Claims['asked'] {
  const within = asked.map(({ gross, units }, at) => {
    const { gross: most = zero, rounding = zero, units: unitsLeft = zero } = left[at] ?? {};
    return {
      gross: atLeastZero(Decimal.min(gross, most.plus(rounding))),
      units: Decimal.min(units, unitsLeft),
    };
  });
  const short = money.minus(sum(within.map(({ gross }) => gross)));
  if (short.isZero()) return within;
  // A part that would cost the buyer something takes nothing; the others give less.
  if (short.lt(0))
    return within.map((one) => ({ ...one, gross: one.gross.times(money).div(money.minus(short)) }));
  if (asked.some(({ gross }, at) => !gross.equals(within[at]?.gross ?? zero)))
    notes.push('se pedía más de lo que queda de una línea: el resto se reparte');
  const held = withinCodes(asked, within, left);
  const over = money.minus(sum(held.map(({ gross }) => gross)));
  const rooms = roomsFor(money, over, asked, held, left);
  const room = sum(rooms);
  if (room.isZero()) return held;
  return held.map((one, at) => ({ ...one, gross: one.gross.plus(over.times(rooms[at] ?? zero).div(room)) }));
}

/** Claimed things first. Excess cents of untaxed things stay open, because an untaxed thing keeps its base. */
function withinCodes(
  asked: Claims['asked'],
  within: Claims['asked'],
  left: readonly Claimable[],
): Claims['asked'] {
  const held = within.map((one) => ({ ...one }));
  for (const code of new Set(left.map((one) => one.code))) {
    const own = left.flatMap((one, at) => (one.code === code ? [at] : []));
    const grossAt = (some: Claims['asked'], at: number) => some[at]?.gross ?? zero;
    let over = atLeastZero(sum(own.map((at) => grossAt(asked, at).minus(grossAt(within, at)))));
    if (over.isZero() || (over.lte(fewCents) && !own.some((at) => left[at]?.rounding))) continue;
    const named = own.filter((at) => grossAt(asked, at).gt(0));
    for (const some of [named, own]) {
      const rooms = some.map((at) => {
        const { gross: most = zero, rounding = zero } = left[at] ?? {};
        return atLeastZero(most.plus(some === named ? rounding : zero).minus(grossAt(held, at)));
      });
      const room = sum(rooms);
      const taken = Decimal.min(over, room);
      if (taken.lte(0)) continue;
      some.forEach((at, index) => {
        const one = held[at];
        if (one) one.gross = one.gross.plus(taken.times(rooms[index] ?? zero).div(room));
      });
      over = over.minus(taken);
    }
  }
  return held;
}

/** Goodwill, and a part without its line, goes to all that is left. */
function roomsFor(
  money: Decimal,
  over: Decimal,
  asked: readonly { gross: Decimal }[],
  held: readonly { gross: Decimal }[],
  left: readonly Claimable[],
): Decimal[] {
  const rooms = held.map(({ gross }, at) => atLeastZero((left[at]?.gross ?? zero).minus(gross)));
  const claimed = sum(asked.map(({ gross }) => gross));
  if (claimed.plus('0.001').lt(money)) return rooms;
  const named = held.map(({ gross }, at) => {
    const { gross: most = zero, rounding = zero } = left[at] ?? {};
    return asked[at]?.gross.gt(0) ? atLeastZero(most.plus(rounding).minus(gross)) : zero;
  });
  const taxedOf = (some: readonly Decimal[]) => some.map((room, at) => (left[at]?.rounding ? room : zero));
  return [taxedOf(named), taxedOf(rooms), named].find((some) => sum(some).gte(over)) ?? rooms;
}

export const atLeastZero = (value: Decimal): Decimal => Decimal.max(value, 0);
const grossOf = ({ net, tax }: RefundPart): Decimal => decimal(net).plus(tax);
export const movesMoney = (part: RefundPart): boolean => !grossOf(part).isZero();

const contradiction = (refund: Refund, money: Decimal, stated: Decimal) =>
  new Hold(
    'refund-contradiction',
    {
      why: 'sum',
      refund: refund.id,
      money: toAmount(money),
      lines: toAmount(stated),
      apart: toAmount(money.minus(stated).abs()),
    },
    toAmount(stated),
  );
