import type { z } from 'zod';
import { type Amount, decimal } from '../src/core/money.ts';
import {
  type FacturaBody,
  facturaBody,
  type ItemBody,
  type NotaCreditoBody,
  notaCreditoBody,
} from './body.ts';
import { Hold } from './hold.ts';

/**
 * Nothing leaves unproven: the body must pass the service's own rules and its figures must lead to what was
 * charged, read from the body alone.
 */
export function prove(body: FacturaBody, charged: Amount): FacturaBody {
  const checked = accepted(facturaBody, body);
  const total = proveLines(checked, charged);
  const paid = sumCents(checked.pagos.map((pago) => pago.total));
  if (paid !== total) throw mismatch('Los pagos sumarían', paid, total, total);
  return checked;
}

/** The same for a nota de crédito and what went back; it has no payments. */
export function proveCredit(body: NotaCreditoBody, refunded: Amount): NotaCreditoBody {
  const checked = accepted(notaCreditoBody, body);
  proveLines(checked, refunded);
  return checked;
}

function accepted<Body>(schema: { safeParse(value: unknown): z.ZodSafeParseResult<Body> }, body: Body): Body {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new Hold(
    'invalid-body',
    `El dato «${field}» del documento ${flaws[issue?.code ?? ''] ?? 'no cumple las reglas del servicio'}. Corrija ese dato en el pedido o en la configuración.`,
  );
}

/** Items and taxes add up to `due`, and each item to its own total. Answers the sum in cents. */
function proveLines({ items, totales }: Pick<FacturaBody, 'items' | 'totales'>, charged: Amount): bigint {
  const due = cents(Number(charged));
  const bases = sumCents(items.map((item) => item.precio_total_sin_impuesto));
  const total = bases + sumCents(totales.map((row) => row.valor));
  if (total !== due) throw mismatch('El documento sumaría', total, due, total);
  const wrong = items.find((item) => !leads(item));
  if (!wrong) return total;
  const { descripcion, cantidad, precio_unitario, descuento, precio_total_sin_impuesto } = wrong;
  throw new Hold(
    'total-mismatch',
    `La línea «${descripcion}» no suma: ${cantidad} × ${precio_unitario} − ${descuento} no es ${precio_total_sin_impuesto}. ${byHand}`,
    written(total),
  );
}

/** What zod finds, in the merchant's words; the value itself is never told. */
const flaws: Readonly<Record<string, string>> = {
  too_small: 'está vacío o es menor de lo que admite el servicio',
  too_big: 'es más largo o mayor de lo que admite el servicio',
  invalid_format: 'no tiene la forma que pide el servicio',
};

/** Whether round2(cantidad × precio_unitario − descuento) is the line's total; in whole numbers, halves up. */
function leads({ cantidad, precio_unitario, descuento, precio_total_sin_impuesto }: ItemBody): boolean {
  const gross = whole(cantidad, 1e6) * whole(precio_unitario, 1e6);
  const off = 2n * (gross - (cents(descuento) + cents(precio_total_sin_impuesto)) * cent);
  return off >= -cent && off < cent;
}

/** A cent in millionths of millionths, as quantity × price comes out. */
const cent = 10n ** 10n;

/** Exact for what the schema let through: at most 15 digits. */
const whole = (value: number, units: number): bigint => BigInt(Math.round(value * units));
const cents = (value: number): bigint => whole(value, 100);
const sumCents = (values: readonly number[]): bigint =>
  values.reduce((total, value) => total + cents(value), 0n);
const written = (amount: bigint): Amount => decimal(amount.toString()).div(100).toFixed(2);

/** None of these can come of an order: the mapper itself is wrong, and nothing is sent. */
const byHand = 'Emita este documento a mano y avise a quien mantiene facturapuente.';

const mismatch = (what: string, sum: bigint, due: bigint, total: bigint) =>
  new Hold(
    'total-mismatch',
    `${what} ${written(sum)} y son ${written(due)}, una diferencia de ${written(sum > due ? sum - due : due - sum)}. ${byHand}`,
    written(total),
  );
