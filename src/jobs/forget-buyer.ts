import { documentNumber, statesUnderWay } from '../domain/document.ts';
import { done, type JobOutcome } from '../domain/job.ts';
import type { Order } from '../domain/order.ts';
import type { BuyerMark } from '../domain/platform.ts';
import { isOf, withoutBuyer } from '../domain/privacy.ts';
import type { StoredDelivery } from '../ledger/orders.ts';
import type { OrderRow } from '../ledger/schema.ts';
import { again, type JobDeps } from './deps.ts';

const restMs = 24 * 3_600_000;
const atOnce = 200;

/** Replaces the request that named the buyer, and names nobody. */
interface ForgetReport {
  orders: string[];
  removed: string;
  stays: string[];
  why: string;
}

interface Whom {
  platform: string;
  shop: string;
  /** Null: everybody in the shop. */
  mark: BuyerMark | null;
}

/** `mark` null: all buyers of the shop. Orders with documents under way are tried again the next day. */
export async function forgetBuyer(
  deps: Pick<JobDeps, 'clock' | 'ledger' | 'log'>,
  asked: Whom & { delivery: StoredDelivery },
): Promise<JobOutcome> {
  const { platform, shop, delivery, mark } = asked;
  const { report, open } = await forgetIn(deps, asked);
  if (open > 0) {
    return again(deps.clock, restMs, `${open} orders have documents on their way`);
  }
  // Also webhooks of orders that were never read, and other requests.
  if (mark === null) await deps.ledger.deliveries.forgetShop({ platform, shop });
  await deps.ledger.deliveries.replaceBody(delivery.id, Buffer.from(JSON.stringify(report)));
  return done;
}

/** What was sent is kept seven years (Reglamento de Comprobantes de Venta, art. 41). `open`: orders left as they are. */
export async function forgetIn(
  deps: Pick<JobDeps, 'ledger' | 'log'>,
  { platform, shop, mark }: Whom,
): Promise<{ report: ForgetReport; open: number }> {
  const report: ForgetReport = {
    orders: [],
    removed:
      'Los avisos recibidos, y del pedido: nombre, correo, teléfonos, dirección, identificaciones, nota y campos.',
    stays: [],
    why: 'Las facturas y notas de crédito se conservan al menos siete años por obligación tributaria, con lo que dicen del comprador.',
  };
  let open = 0;
  for await (const order of ordersOf(deps, { platform, shop }, mark)) {
    const key = { platform, shop, orderId: order.id };
    // Read before the documents: a run that makes one saves the order first, and then the rewrite is refused.
    const row = await deps.ledger.orders.get(key);
    const own = await deps.ledger.documents.ofOrder(key);
    // Those under way are made from the stored order; all others have ended, or read it again first.
    const isUnderWay = own.some(({ state }) => statesUnderWay.includes(state));
    if (!row || isUnderWay || !(await forgetRead(deps, row))) {
      open += 1;
      continue;
    }
    report.orders.push(order.id);
    report.stays.push(...own.flatMap((document) => documentNumber(document) ?? []));
  }
  for (const orderId of mark?.orders ?? [])
    if (!(await deps.ledger.orders.get({ platform, shop, orderId })))
      await deps.ledger.deliveries.forgetOrder({ platform, shop, orderId });
  const { orders, stays } = report;
  deps.log.info(
    { shop, orders: orders.length, stays: stays.length, open },
    'The data of a buyer was removed, but for what the tax law keeps',
  );
  return { report, open };
}

/** False when the order changed meanwhile. */
function forgetRead({ ledger }: Pick<JobDeps, 'ledger'>, row: OrderRow): Promise<boolean> {
  return ledger.transaction(async (tables) => {
    if (!(await tables.orders.rewrite(row, withoutBuyer(row.snapshot as Order)))) return false;
    await tables.deliveries.forgetOrder(row);
    await tables.questions.forget(row);
    return true;
  });
}

async function* ordersOf(
  { ledger }: Pick<JobDeps, 'ledger'>,
  shop: { platform: string; shop: string },
  mark: BuyerMark | null,
): AsyncGenerator<Order> {
  let after = '';
  while (true) {
    const page = await ledger.orders.ofShop(shop, after, atOnce);
    for (const order of page) if (mark === null || isOf(order, mark)) yield order;
    after = page.at(-1)?.id ?? '';
    if (page.length < atOnce) return;
  }
}
