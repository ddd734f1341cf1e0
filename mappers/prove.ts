import { type Amount, decimal, sum } from '../src/core/money.ts';
import { type FacturaBody, facturaBody, type ItemBody } from './body.ts';
import { Hold } from './hold.ts';
import { bodyTotal } from './totales.ts';

/**
 * Nothing leaves unproven: the body must pass the service's own rules and its figures must lead to what was
 * charged, read from the body alone.
 */
export function prove(body: FacturaBody, charged: Amount): FacturaBody {
  const checked = facturaBody.safeParse(body);
  if (!checked.success) {
    const field = checked.error.issues[0]?.path.join('.') ?? '';
    throw new Hold(
      'invalid-body',
      `El documento no cumple las reglas del servicio en «${field}». Revise ese dato en el pedido o en la configuración.`,
    );
  }
  const total = bodyTotal(checked.data);
  if (!decimal(total).equals(charged)) throw mismatch(`El documento sumaría ${total}`, charged, total);
  const paid = sum(checked.data.pagos.map((pago) => decimal(pago.total)));
  if (!paid.equals(charged)) throw mismatch(`Los pagos sumarían ${paid.toFixed(2)}`, charged, total);
  const wrong = checked.data.items.find((item) => !leads(item));
  if (wrong) throw mismatch(`La línea «${wrong.descripcion}» no suma`, charged, total);
  return checked.data;
}

/** Whether round2(cantidad × precio_unitario − descuento) is the line's total; in whole numbers, halves up. */
function leads({ cantidad, precio_unitario, descuento, precio_total_sin_impuesto }: ItemBody): boolean {
  const gross = whole(cantidad, 1e6) * whole(precio_unitario, 1e6);
  const twice = 2n * (gross - whole(descuento, 100) * 10n ** 10n);
  const off = twice - 2n * whole(precio_total_sin_impuesto, 100) * 10n ** 10n;
  return off >= -(10n ** 10n) && off < 10n ** 10n;
}

/** Exact for what the schema let through: at most 15 digits. */
const whole = (value: number, units: number): bigint => BigInt(Math.round(value * units));

const mismatch = (what: string, charged: Amount, document: Amount) =>
  new Hold('total-mismatch', `${what} y se cobró ${charged}. Revise el pedido en la tienda.`, document);
