import { type Amount, decimal, toAmount } from '../src/core/money.ts';
import type { Order } from '../src/core/order.ts';
import { toAdditionalInfo } from './additional-info.ts';
import { type FacturaBody, facturaBody } from './body.ts';
import { toComprador } from './buyer.ts';
import type { MappingContext } from './context.ts';
import { Hold } from './hold.ts';
import { toEmisor } from './issuer.ts';
import { toEntries, toItems } from './items.ts';
import { toPagos } from './payments.ts';
import { bodyTotal, toGroups, toTotales } from './totals.ts';

export type Mapped =
  | {
      ok: true;
      body: FacturaBody;
      /** What the body adds up to; equal to what was charged. */
      total: Amount;
      /** Cents by which a group's stated IVA differs from base × rate, by IVA code; only what is not zero. */
      statedTax: Record<string, Amount>;
    }
  | { ok: false; code: string; reason: string };

/**
 * A paid order → the service's factura body (spec, "Factura (code 01) emission request"). Pure. Never throws on
 * a well-formed Order: what cannot be proven to add up to `order.total` comes back as a reason to hold.
 */
export function toFactura(order: Order, context: MappingContext): Mapped {
  try {
    const entries = toEntries(order, context);
    const groups = toGroups(entries, order.total);
    const total = toAmount(order.total);
    const body: FacturaBody = {
      emisor: toEmisor(context),
      ambiente: context.issuer.ambiente,
      tipo_emision: 1,
      comprador: toComprador(order.buyer, context),
      items: toItems(entries, groups),
      totales: toTotales(groups),
      pagos: toPagos(order, total, context),
      informacion_adicional: toAdditionalInfo(order, context),
    };
    const statedTax = groups
      .filter((group) => !group.difference.isZero())
      .map((group) => [group.code, toAmount(group.difference)]);
    return prove(body, total, Object.fromEntries(statedTax));
  } catch (error) {
    if (error instanceof Hold) return { ok: false, code: error.code, reason: error.reason };
    throw error;
  }
}

/** Nothing leaves unproven: the body must pass the service's own rules and add up to what was charged. */
function prove(body: FacturaBody, charged: Amount, statedTax: Record<string, Amount>): Mapped {
  const checked = facturaBody.safeParse(body);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    throw new Hold(
      'invalid-body',
      `El documento no cumple las reglas del servicio en «${field}». Revise ese dato en el pedido o en la configuración.`,
    );
  }
  const total = bodyTotal(checked.data);
  if (!decimal(total).equals(charged)) {
    throw new Hold(
      'total-mismatch',
      `El documento sumaría ${total} y se cobró ${charged}. Revise el pedido en la tienda.`,
    );
  }
  return { ok: true, body: checked.data, total, statedTax };
}
