import { cedulaOf, rucOf } from './identifications.ts';
import type { Random } from './random.ts';

/** The lines and buyer of one order of the run; each shop writes it as its platform does. */
export interface Sale {
  buyer: {
    kind: 'cedula' | 'ruc' | 'final-consumer' | 'unnamed';
    /** Absent if the order has none. */
    id?: string;
    first: string;
    last: string;
  };
  lines: { sku: string; name: string; quantity: number; price: string; rate: '15' | '0' }[];
  shipping?: string;
  percentOff: number;
  /** Prices contain their tax (Shopify only). */
  taxesIncluded: boolean;
}

/** The content of a refund. */
export type GivenBack =
  | { what: 'units'; units: number }
  | { what: 'last-line' }
  | { what: 'shipping' }
  | { what: 'all' };

const firsts = ['Lucía', 'Byron', 'Gabriela', 'Wilmer', 'María José', 'Íñigo', 'Nayeli', 'Segundo'];
const lasts = ['Cevallos', 'Chicaiza', 'Ñáñez', 'Peñafiel', 'Quishpe', 'Vélez', 'Zambrano', 'Andrade'];
const goods = ['Camiseta «Ñandú»', 'Café de altura 250 g', 'Chocolate 70% & nibs', 'Taza', 'Mochila'];

/** Product codes contain the number of their sale. */
const skuOf = (number: number, at: number): string => `V${number}-${at + 1}`;
export const numberOfSku = (code: string): number | null => {
  const [, number] = /^V(\d+)-\d+$/.exec(code) ?? [];
  return number === undefined ? null : Number(number);
};

/** The same sale under another number. */
export const saleAgain = (sale: Sale, number: number): Sale => ({
  ...sale,
  lines: sale.lines.map((line, at) => ({ ...line, sku: skuOf(number, at) })),
});

/** A random sale: most to named buyers, some below USD 50 to consumidor final, a few that must be held. */
export function drawSale(random: Random, number: number): Sale {
  const dice = random.next();
  const kind = dice < 0.72 ? 'cedula' : dice < 0.86 ? 'ruc' : dice < 0.97 ? 'final-consumer' : 'unnamed';
  const cheap = kind === 'final-consumer';
  const count = cheap ? 1 : 1 + random.below(3);
  const lines = Array.from({ length: count }, (_, at) => ({
    sku: skuOf(number, at),
    name: random.pick(goods),
    quantity: cheap ? 1 + random.below(2) : 1 + random.below(4),
    // In cents, so that many totals cannot be reached by base and rate alone.
    price: ((kind === 'unnamed' ? 9_000 : 99) + random.below(cheap ? 1_500 : 6_000)).toString(),
    rate: at > 0 && random.chance(0.3) ? ('0' as const) : ('15' as const),
  })).map((line) => ({ ...line, price: (Number(line.price) / 100).toFixed(2) }));
  const id =
    kind === 'cedula' ? cedulaOf(number * 7 + 11) : kind === 'ruc' ? rucOf(number * 7 + 11) : undefined;
  return {
    buyer: { kind, ...(id ? { id } : {}), first: random.pick(firsts), last: random.pick(lasts) },
    lines,
    ...(random.chance(0.5) ? { shipping: random.pick(['3.50', '4.35', '5.00']) } : {}),
    percentOff: random.chance(0.2) ? 10 : 0,
    taxesIncluded: random.chance(0.4),
  };
}

/** Up to two refunds of one sale, never for more than is left of it. */
export function drawRefunds(random: Random, sale: Sale): GivenBack[] {
  const first = sale.lines[0];
  if (random.chance(0.2)) return [{ what: 'all' }];
  const units: GivenBack = { what: 'units', units: 1 + random.below(first?.quantity ?? 1) };
  const second: GivenBack[] = [
    ...(sale.lines.length > 1 ? [{ what: 'last-line' } as const] : []),
    ...(sale.shipping ? [{ what: 'shipping' } as const] : []),
  ];
  return second.length > 0 && random.chance(0.3) ? [units, random.pick(second)] : [units];
}
