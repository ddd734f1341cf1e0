/*
 * What a service makes of a body in each of the four ways of computing, without a line of the mappers' arithmetic: whole
 * numbers read from the digits that JSON writes.
 */

export const fourWays = ['totals', 'group', 'line', 'unrounded'] as const;
type Way = (typeof fourWays)[number];

interface Item {
  cantidad: number;
  precio_unitario: number;
  descuento: number;
  tipo_iva: number;
  tipo_ice?: number | undefined;
  valor_ice?: number | undefined;
  tipo_irbpnr?: number | undefined;
}

interface Body {
  items: readonly Item[];
  totales?:
    | readonly { codigo: string; codigo_porcentaje: string; tarifa: number; valor: number }[]
    | undefined;
}

/** Percent, by code (ficha técnica SRI, tabla 17). */
export const percents: Readonly<Record<number, bigint>> = {
  0: 0n,
  2: 12n,
  3: 14n,
  4: 15n,
  5: 5n,
  6: 0n,
  7: 0n,
  8: 8n,
  10: 13n,
};

/** The digits of a number as whole units of so many decimals. */
function digits(value: number, decimals: number): bigint {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:e(-?\d+))?$/.exec(String(value)) ?? [];
  const places = decimals + Number(exponent) - fraction.length;
  const all = BigInt(whole + fraction);
  if (places < 0) throw new Error(`${value} has more than ${decimals} decimals`);
  return (sign === '-' ? -1n : 1n) * all * 10n ** BigInt(places);
}

const halfUp = (a: bigint, b: bigint): bigint =>
  a < 0n ? -((-2n * a + b) / (2n * b)) : (2n * a + b) / (2n * b);
const add = (some: readonly bigint[]): bigint => some.reduce((all, one) => all + one, 0n);

/** In millionths of a millionth of a dollar. */
const unit = 10n ** 10n;
const exactNet = (item: Item): bigint =>
  digits(item.cantidad, 6) * digits(item.precio_unitario, 6) - digits(item.descuento, 2) * unit;

/** A line without taxes, in cents. */
export const netCents = (item: Item): number => Number(halfUp(exactNet(item), unit));

/** What the body comes to, in cents. ICE is what each line states, else what the rate of `totales` makes of it. */
export function comesTo({ items, totales }: Body, way: Way): number {
  const rate = (code: number) =>
    digits(
      totales?.find((row) => row.codigo === '3' && row.codigo_porcentaje === String(code))?.tarifa ?? 0,
      2,
    );
  const lines = items.map((item) => {
    const net = way === 'unrounded' ? exactNet(item) : halfUp(exactNet(item), unit) * unit;
    const computed = item.tipo_ice === undefined ? 0n : (net * rate(item.tipo_ice)) / 10_000n;
    const ice = item.valor_ice === undefined ? computed : digits(item.valor_ice, 2) * unit;
    return { item, net, ice: way === 'line' ? halfUp(ice, unit) * unit : ice };
  });
  const byIva = [...Map.groupBy(lines, ({ item }) => item.tipo_iva)];
  const nets = byIva.map(([, own]) => halfUp(add(own.map(({ net }) => net)), unit));
  if (way === 'totals' && totales)
    return Number(add(nets) + add(totales.map(({ valor }) => digits(valor, 2))));
  const ices = [...Map.groupBy(lines, ({ item }) => item.tipo_ice)].map(([, own]) =>
    halfUp(add(own.map(({ ice }) => ice)), unit),
  );
  const bottles = items.filter(({ tipo_irbpnr }) => tipo_irbpnr !== undefined);
  const irbpnr = halfUp(add(bottles.map(({ cantidad }) => digits(cantidad, 6))) * 2n, 1_000_000n);
  const ivas = byIva.map(([code, own]) => {
    const percent = percents[code] ?? 0n;
    const taxed = own.map(({ net, ice }) => net + ice);
    if (way === 'line') return add(taxed.map((one) => halfUp(halfUp(one, unit) * percent, 100n)));
    if (way === 'unrounded') return halfUp(add(taxed) * percent, 100n * unit);
    return halfUp(halfUp(add(taxed), unit) * percent, 100n);
  });
  return Number(add(nets) + add(ices) + irbpnr + add(ivas));
}

/** Whether some base and its IVA, rounded, are so many cents. */
export function hasBase(gross: number, code: number): boolean {
  const percent = percents[code] ?? 0n;
  const near = Math.floor((gross * 100) / (100 + Number(percent)));
  for (let base = near - 3; base <= near + 3; base += 1)
    if (base >= 0 && BigInt(base) + halfUp(BigInt(base) * percent, 100n) === BigInt(gross)) return true;
  return false;
}
