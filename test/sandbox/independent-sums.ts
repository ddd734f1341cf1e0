// Holds the figures of an XML against each other in whole numbers, without a line of the sandbox's arithmetic.
// Amounts are BigInt: cents, or millionths where the schema allows six decimals.

const scaled = (text: string, decimals: number): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
};
const cents = (text: string) => scaled(text, 2);
/** Half-up division of a number that is not negative. */
const divide = (a: bigint, b: bigint) => (2n * a + b) / (2n * b);
const apart = (a: bigint, b: bigint) => (a > b ? a - b : b - a);
const sum = (values: bigint[]) => values.reduce((a, b) => a + b, 0n);

const blocks = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map((match) => match[1] ?? '');
const first = (xml: string, name: string) => blocks(xml, name)[0];
const value = (xml: string, name: string): string => {
  const found = first(xml, name);
  if (found === undefined) throw new Error(`no ${name} in ${xml}`);
  return found;
};

interface Tax {
  tax: string;
  code: string;
  rate?: bigint;
  base: bigint;
  amount: bigint;
  discount: bigint;
}
const readTax = (xml: string): Tax => {
  const rate = first(xml, 'tarifa');
  return {
    tax: value(xml, 'codigo'),
    code: value(xml, 'codigoPorcentaje'),
    ...(rate === undefined ? {} : { rate: cents(rate) }),
    base: cents(value(xml, 'baseImponible')),
    amount: cents(value(xml, 'valor')),
    discount: cents(first(xml, 'descuentoAdicional') ?? '0'),
  };
};

/** What is wrong in a factura's or nota de crédito's XML: `tolerance` in cents, 0 where all is computed. */
export function wrongSums(xml: string, tolerance: bigint): string[] {
  const wrong: string[] = [];
  const same = (name: string, found: bigint, expected: bigint, allowed = 0n) => {
    if (apart(found, expected) > allowed) wrong.push(`${name}: ${found} instead of ${expected}`);
  };
  const lines = blocks(value(xml, 'detalles'), 'detalle').map((line) => {
    const gross = scaled(value(line, 'cantidad'), 6) * scaled(value(line, 'precioUnitario'), 6);
    const discount = cents(value(line, 'descuento'));
    const total = cents(value(line, 'precioTotalSinImpuesto'));
    same('line', total, divide(gross - discount * 10n ** 10n, 10n ** 10n), tolerance);
    const taxes = blocks(value(line, 'impuestos'), 'impuesto').map(readTax);
    for (const { tax, rate = 0n, base, amount } of taxes) {
      same(`line tax ${tax}`, amount, divide(base * rate, tax === '5' ? 100n : 10_000n));
    }
    // ICE of the line in hundredths of a cent of a percent, not yet rounded.
    const ice = sum(taxes.filter(({ tax }) => tax === '3').map(({ rate = 0n }) => total * rate));
    return { discount, total, ice, quantity: scaled(value(line, 'cantidad'), 6), taxes };
  });

  const groups = blocks(value(xml, 'totalConImpuestos'), 'totalImpuesto').map(readTax);
  const key = ({ tax, code }: Tax) => `${tax}/${code}`;
  const onLines = [...new Set(lines.flatMap(({ taxes }) => taxes.map(key)))].sort();
  if (groups.map(key).sort().join() !== onLines.join())
    wrong.push(`groups ${groups.map(key)} for ${onLines}`);
  for (const group of groups) {
    const own = lines.filter(({ taxes }) => taxes.some((tax) => key(tax) === key(group)));
    const rate = own.flatMap(({ taxes }) => taxes).find((tax) => key(tax) === key(group))?.rate ?? 0n;
    const exact = {
      '2': () => divide(sum(own.map(({ total, ice }) => total * 10_000n + ice)), 10_000n),
      '3': () => sum(own.map(({ total }) => total)),
      '5': () => divide(sum(own.map(({ quantity }) => quantity)), 10_000n),
    }[group.tax as '2' | '3' | '5']();
    const base = exact - group.discount;
    same(`base ${key(group)}`, group.base, base, tolerance);
    const perUnit = group.tax === '5' ? 100n : 10_000n;
    same(`amount ${key(group)}`, group.amount, divide(base * rate, perUnit), tolerance);
    if (group.rate !== undefined) same(`rate ${key(group)}`, group.rate, rate);
  }

  const extra = sum(groups.map(({ discount }) => discount));
  const net = cents(value(xml, 'totalSinImpuestos'));
  same('totalSinImpuestos', net, sum(lines.map(({ total }) => total)) - extra);
  const discount = first(xml, 'totalDescuento');
  if (discount !== undefined) {
    same('totalDescuento', cents(discount), sum(lines.map((line) => line.discount)) + extra);
  }
  const total = cents(first(xml, 'importeTotal') ?? value(xml, 'valorModificacion'));
  same('total', total, net + sum(groups.map(({ amount }) => amount)));
  const paid = blocks(first(xml, 'pagos') ?? '', 'total').map(cents);
  if (paid.length > 0) same('pagos', sum(paid), total, tolerance);
  return wrong;
}
