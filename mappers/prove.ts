import type { z } from 'zod';
import { type Amount, decimal } from '../src/domain/money.ts';
import { type FacturaBody, facturaBody, type NotaCreditoBody, notaCreditoBody } from './body.ts';
import { Hold } from './hold.ts';
import { exactly, netOf, type PricedBody, totalBy, type Way, ways } from './ways.ts';

/**
 * Nothing leaves unproven: the body must pass the service's own rules and its figures must lead to what was
 * charged, read from the body alone.
 */
export function prove(body: FacturaBody, charged: Amount): FacturaBody {
  const checked = accepted(facturaBody, body);
  refuseWrongLines(checked);
  const due = cents(Number(charged));
  const total = BigInt(totalBy(checked, 'totals'));
  if (total !== due) throw mismatch('El documento sumaría', total, due, total);
  const paid = sumCents(checked.pagos.map((pago) => pago.total));
  if (paid !== total) throw mismatch('Los pagos sumarían', paid, total, total);
  return checked;
}

/** Money that went back, what the document is to say of it, and by how much earlier ones said too little. */
interface CreditFigures {
  money: Amount;
  total: Amount;
  owedBefore: Amount;
  /** What it comes to where IVA is summed line by line: `total`, unless lines with ICE stand in the way (apportion.ts). */
  byLine: Amount;
}

/**
 * The same for a nota de crédito: whichever way the service computes its taxes (ways.ts), it comes to the planned
 * total, and that is the money with what earlier ones left out, give or take the cents no lines add up to.
 */
export function proveCredit(
  body: NotaCreditoBody,
  { money, total, owedBefore, byLine }: CreditFigures,
): NotaCreditoBody {
  const checked = accepted(notaCreditoBody, body);
  refuseWrongLines(checked);
  const due = cents(Number(total));
  const counting: readonly Way[] = checked.totales ? ['totals'] : ways;
  for (const way of counting) {
    const sum = BigInt(totalBy(checked, way));
    const planned = way === 'line' ? cents(Number(byLine)) : due;
    if (sum !== planned) throw mismatch('El documento sumaría', sum, planned, sum);
  }
  const wanted = cents(Number(money)) + BigInt(Math.round(Number(owedBefore) * 100));
  const apart = wanted > due ? wanted - due : due - wanted;
  if (apart > (checked.totales ? 0n : mostRounding)) throw mismatch('El documento sumaría', due, wanted, due);
  return checked;
}

/** Cents: at 15 % every amount has a base within one; two only where several rates need one each. */
const mostRounding = 2n;

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

/** Each item comes to its own total. */
function refuseWrongLines(body: PricedBody): void {
  const wrong = body.items.find(
    ({ precio_total_sin_impuesto: total, ...item }) => total !== undefined && !netOf(item).equals(total),
  );
  if (!wrong) return;
  const { descripcion, cantidad, precio_unitario, descuento, precio_total_sin_impuesto } = wrong;
  throw new Hold(
    'total-mismatch',
    `La línea «${descripcion}» no suma: ${cantidad} × ${precio_unitario} − ${descuento} no es ${precio_total_sin_impuesto}. ${byHand}`,
    written(BigInt(totalBy(body, 'totals'))),
  );
}

/** What zod finds, in the merchant's words; the value itself is never told. */
const flaws: Readonly<Record<string, string>> = {
  too_small: 'está vacío o es menor de lo que admite el servicio',
  too_big: 'es más largo o mayor de lo que admite el servicio',
  invalid_format: 'no tiene la forma que pide el servicio',
};

const cents = (value: number): bigint => exactly(value, 100);
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
