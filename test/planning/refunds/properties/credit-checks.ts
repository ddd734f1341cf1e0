import type { NotaCreditoBody } from '../../../../mappers/body.ts';
import { notaCreditoBody } from '../../../../mappers/body.ts';
import type { Issued } from '../../../../mappers/credit/balance.ts';
import { decimal, roundCents, sum } from '../../../../src/core/money.ts';
import type { Action } from '../../../../src/planning/action.ts';

/** Everything a nota de crédito must be by itself; throws with what it is not. */
export function checkCredit({ body: sent, document, difference, charged }: Action): void {
  const body = sent as NotaCreditoBody;
  if (difference !== '0.00' || document !== charged) throw new Error(`${document} for ${charged}`);
  if (!notaCreditoBody.safeParse(body).success) throw new Error('not a body of the service');
  const bases = sum(body.items.map((item) => decimal(item.precio_total_sin_impuesto)));
  const total = bases.plus(sum(body.totales.map(({ valor }) => decimal(valor))));
  if (total.toFixed(2) !== charged) throw new Error(`adds up to ${total} for ${charged}`);
  for (const item of body.items) {
    const computed = decimal(item.cantidad).times(item.precio_unitario).minus(item.descuento);
    if (!roundCents(computed).equals(item.precio_total_sin_impuesto)) throw new Error(JSON.stringify(item));
    if (item.precio_total_sin_impuesto < 0 || item.descuento < 0) throw new Error('a negative line');
  }
  for (const { codigo, base_imponible, tarifa, valor } of body.totales) {
    const exact = decimal(base_imponible)
      .times(tarifa)
      .div(codigo === '5' ? 1 : 100);
    // A cent of ICE at 75 % has a base every 1.75 cents; the authority lets two whole cents pass (tabla 21).
    const apart = codigo === '3' ? roundCents(exact).minus(valor) : exact.minus(valor);
    if (apart.abs().gt(codigo === '3' ? '0.02' : '0.015')) {
      throw new Error(`${valor} for ${exact} of tax ${codigo} at ${tarifa} %`);
    }
  }
  rowsAndLinesAgree(body);
}

/** Every tax of a line has its row and every row a line; the bases are those of the lines. */
function rowsAndLinesAgree({ items, totales }: NotaCreditoBody): void {
  const onLines = new Set(
    items.flatMap(({ tipo_iva, tipo_ice, tipo_irbpnr }) => [
      `2/${tipo_iva}`,
      ...(tipo_ice ? [`3/${tipo_ice}`] : []),
      ...(tipo_irbpnr ? [`5/${tipo_irbpnr}`] : []),
    ]),
  );
  const rows = totales.map(({ codigo, codigo_porcentaje }) => `${codigo}/${codigo_porcentaje}`);
  const said = [...rows].sort().join();
  if (said !== [...onLines].sort().join()) throw new Error(`rows ${said} for lines of ${[...onLines]}`);
}

/** No line, row or total of a factura is credited beyond what it was; answers whether nothing is left of it. */
export function within(factura: Issued, credits: readonly Issued[]): boolean {
  let whole = true;
  const hold = (name: string, limit: number, taken: readonly number[]) => {
    const left = decimal(limit).minus(sum(taken.map(decimal)));
    if (left.isNegative()) throw new Error(`${name}: ${left.negated()} beyond ${limit}`);
    whole &&= left.isZero();
  };
  const rowsOf = ({ totales }: Issued, code: string) =>
    totales.filter(({ codigo, codigo_porcentaje }) => `${codigo}/${codigo_porcentaje}` === code);
  const basesOf = ({ items, ties }: Issued, source: string | undefined) =>
    items.filter((_, at) => ties[at]?.source === source).map((item) => item.precio_total_sin_impuesto);
  factura.items.forEach((item, at) => {
    const source = factura.ties[at]?.source;
    hold(
      source ?? 'a line',
      item.precio_total_sin_impuesto,
      credits.flatMap((one) => basesOf(one, source)),
    );
  });
  for (const { codigo, codigo_porcentaje, base_imponible, valor } of factura.totales) {
    const code = `${codigo}/${codigo_porcentaje}`;
    const taken = credits.flatMap((one) => rowsOf(one, code));
    hold(
      `base ${code}`,
      base_imponible,
      taken.map((row) => row.base_imponible),
    );
    hold(
      `valor ${code}`,
      valor,
      taken.map((row) => row.valor),
    );
  }
  return whole;
}
