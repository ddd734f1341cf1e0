import { recordedCalls, recordedWebhooks } from '../adapters/woocommerce/recordings.ts';

type Json = Record<string, unknown>;
export interface RecordedOrder extends Json {
  id: number;
  status: string;
  meta_data: { key: string; value: unknown }[];
  refunds: { id: number }[];
}

/** A time of a recorded scenario: what the shop had then, and what it sent because of it, byte for byte. */
export interface Moment {
  scenario: string;
  orderId: string | null;
  /** Null where the order is gone. */
  order: RecordedOrder | null;
  /** In full, as `orders/{id}/refunds` lists them. */
  refunds: Json[];
  deliveries: { headers: Record<string, string>; body: Buffer; topic: string }[];
}

/** Every recorded scenario, in the order in which they happened; the last moments are those no webhook told of. */
export function recordedMoments(): Moment[] {
  const refunds = knownRefunds();
  const moments: Moment[] = [];
  for (const { scenario, topic, signatureValid, delivery, text } of recordedWebhooks()) {
    if (signatureValid !== true) continue;
    const body = JSON.parse(text) as Partial<RecordedOrder> & { action?: string; arg?: number };
    const of = body.id ?? (body.action?.includes('refund_') ? orderOf(refunds, body.arg) : body.arg);
    const orderId = of === undefined ? null : String(of);
    const known = moments.findLast((one) => one.orderId === orderId);
    const last = moments.at(-1);
    const same = last?.scenario === scenario && last.orderId === orderId;
    const headers = withoutHop(delivery.headers);
    const moment: Moment = same
      ? last
      : { scenario, orderId, order: known?.order ?? null, refunds: known?.refunds ?? [], deliveries: [] };
    if (!same) moments.push(moment);
    moment.deliveries.push({ headers, body: Buffer.from(delivery.body), topic });
    if (topic === 'order.deleted' && moment.order) moment.order = { ...moment.order, status: 'trash' };
    if (body.meta_data === undefined) continue;
    moment.order = body as RecordedOrder;
    moment.refunds = moment.order.refunds.map(({ id }) => refunds.get(id) ?? unknown(id));
  }
  return [...moments, ...silent(moments)];
}

/** A deleted refund and an order deleted for ever: nothing fires. */
function silent(moments: readonly Moment[]): Moment[] {
  const refunded = recordedCalls().find(({ file }) => file.includes('r09-order-68'))?.json as RecordedOrder;
  const gone = moments.findLast(({ orderId }) => orderId === '74');
  return [
    { scenario: 'r09-delete-refund', orderId: '68', order: refunded, refunds: [], deliveries: [] },
    {
      scenario: 'd01-force-delete',
      orderId: gone?.orderId ?? null,
      order: null,
      refunds: [],
      deliveries: [],
    },
  ];
}

/** Every refund of the recordings, by its id. */
function knownRefunds(): Map<number, Json> {
  const found = new Map<number, Json>();
  for (const { request, status, json } of recordedCalls()) {
    if (status > 299 || !/^orders\/\d+\/refunds/.test(request.path)) continue;
    for (const one of Array.isArray(json) ? json : [json]) found.set((one as { id: number }).id, one as Json);
  }
  return found;
}

function orderOf(refunds: ReadonlyMap<number, Json>, id: number | undefined): number {
  const links = refunds.get(id ?? 0)?._links as { up: { href: string }[] } | undefined;
  return Number(/\d+$/.exec(links?.up[0]?.href ?? '')?.[0] ?? unknown(id));
}

function unknown(id: number | undefined): never {
  throw new Error(`The recordings have no refund ${id}.`);
}

function withoutHop(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const hop = ['host', 'connection', 'content-length', 'accept-encoding'];
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hop.includes(name) ? [] : [[name, value]],
    ),
  );
}
