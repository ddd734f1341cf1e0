import { type Amount, decimal, roundCents, sum } from '../src/core/money.ts';
import { type FacturaBody, facturaBody } from './body.ts';
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
  for (const item of checked.data.items) {
    const computed = decimal(item.cantidad).times(item.precio_unitario).minus(item.descuento);
    if (!roundCents(computed).equals(item.precio_total_sin_impuesto)) {
      throw mismatch(`La línea «${item.descripcion}» sumaría ${computed.toFixed(2)}`, charged, total);
    }
  }
  return checked.data;
}

const mismatch = (what: string, charged: Amount, document: Amount) =>
  new Hold('total-mismatch', `${what} y se cobró ${charged}. Revise el pedido en la tienda.`, document);
