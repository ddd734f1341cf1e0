import { type Document, type DocumentState, documentNumber } from '../domain/document.ts';
import type { Order } from '../domain/order.ts';
import { bodyWithoutBuyer, isOf, withoutBuyer } from '../domain/privacy.ts';
import { shadowShop } from '../domain/shadow.ts';
import type { BuyerMark } from '../domain/shop-event.ts';
import { done, type StepOutcome } from '../domain/work.ts';
import type { OrderRow, StoredDelivery } from '../ledger/shop-tables.ts';
import type { StepDeps } from './deps.ts';

/** How long an order rests whose documents are still on their way. */
const restMs = 24 * 3_600_000;
const atOnce = 200;

/** These are made from the order as it was read; all others are done, or read it anew before they go on. */
const underWay = new Set<DocumentState>(['ready', 'sending', 'processing', 'uncertain']);

/** What was done, in place of the request that named the buyer. Names nobody. */
export interface ForgetReport {
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

/**
 * Does what a shop asked for: forgets one buyer, or with `mark` null everybody, and the request itself. Orders whose
 * documents are on their way are looked at again the next day.
 */
export async function forgetBuyer(
  deps: StepDeps,
  asked: Whom & { delivery: StoredDelivery },
): Promise<StepOutcome> {
  const { platform, shop, delivery, mark } = asked;
  const { report, open } = await forgetIn(deps, asked);
  if (open > 0) {
    const dueAt = new Date(deps.clock.now().getTime() + restMs);
    return { kind: 'again', dueAt, reason: `${open} orders have documents on their way` };
  }
  // Also those of orders nobody ever read, and other requests.
  if (mark === null) await deps.ledger.deliveries.forgetShop({ platform, shop });
  await deps.ledger.deliveries.replaceBody(delivery.id, Buffer.from(JSON.stringify(report)));
  return done;
}

/**
 * Forgets bodies of webhooks, what the order as read says of the buyer, and what he answered. Facturas, notas de crédito
 * and what was sent for them stay for the seven years the law asks for at least (Reglamento de Comprobantes de Venta,
 * Retención y Documentos Complementarios, art. 41); a shadow's have no tax value, and what was sent for them goes.
 * `open` orders have documents on their way and were left as they are.
 */
export async function forgetIn(
  deps: Pick<StepDeps, 'ledger' | 'log'>,
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
    // Its shadow says of the buyer what the order says.
    const shadow = { ...key, shop: shadowShop(shop) };
    // Before the documents: whoever makes one saves the order first, and then it is not rewritten.
    const row = await deps.ledger.orders.get(key);
    const shadowed = await deps.ledger.orders.get(shadow);
    const own = await deps.ledger.documents.ofOrder(key);
    const trials = await deps.ledger.documents.ofOrder(shadow);
    // A shadow that was taken out of the config stays on its way for ever; without its buyer it is refused at worst.
    const isUnderWay = own.some(({ state }) => underWay.has(state));
    if (!row || isUnderWay || !(await forgetRead(deps, row, shadowed, trials))) {
      open += 1;
      continue;
    }
    report.orders.push(order.id);
    report.stays.push(...own.flatMap((document) => documentNumber(document) ?? []));
  }
  // Webhooks may have come of orders nobody ever read.
  for (const orderId of mark?.orders ?? [])
    if (!(await deps.ledger.orders.get({ platform, shop, orderId })))
      await deps.ledger.deliveries.forgetOrder({ platform, shop, orderId });
  const { orders, stays } = report;
  deps.log.info(
    { shop, orders: orders.length, stays: stays.length, open },
    'What the law does not ask to keep of a buyer was removed',
  );
  return { report, open };
}

/** False when the shop changed the order meanwhile. Its shadow first: by the order itself the buyer is found again. */
function forgetRead(
  { ledger }: Pick<StepDeps, 'ledger'>,
  row: OrderRow,
  shadowed: OrderRow | undefined,
  trials: readonly Document[],
): Promise<boolean> {
  return ledger.transaction(async (tables) => {
    for (const one of shadowed ? [shadowed, row] : [row])
      if (!(await tables.orders.rewrite(one, withoutBuyer(one.snapshot as Order)))) return false;
    await tables.deliveries.forgetOrder(row);
    await tables.questions.forget(row);
    for (const { id } of trials) await tables.retention.forgetDocument(id, bodyWithoutBuyer);
    return true;
  });
}

async function* ordersOf(
  { ledger }: Pick<StepDeps, 'ledger'>,
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
