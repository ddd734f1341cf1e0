import { createHmac } from 'node:crypto';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedgerReader } from '../../src/ledger/read.ts';
import type { Product } from './product.ts';
import type { Moment, RecordedOrder } from './woocommerce-moments.ts';

/** The secret of the shop's webhooks. */
export const shopSecret = 'whsec_tienda_quito_2026_de_32_caracteres';
const installedTopics = ['order.created', 'order.updated', 'order.deleted', 'order.restored'];

/**
 * Makes the shop what it was then. What is ours on the order stays, and its time goes on from our last write, as in a
 * shop; what no webhook told of did not move it. An order that is null is taken away.
 */
export function set(
  { shop }: Product,
  { orderId, order, refunds, deliveries }: Moment,
  changes: object = {},
): void {
  if (orderId === null) return;
  if (order === null) {
    shop.remove(orderId);
    return;
  }
  const there = shop.order(orderId);
  const ours = (there?.meta_data ?? []).filter(({ key }) => key.startsWith('_facturapuente_'));
  const { meta_data, ...rest } = { ...order, ...changes };
  const times =
    deliveries.length > 0
      ? { date_modified_gmt: new Date().toISOString().slice(0, 19) }
      : { date_modified_gmt: there?.date_modified_gmt };
  shop.put({ ...rest, ...(there && times), meta_data: [...meta_data, ...ours] }, refunds);
}

/** The buyer's cédula, where the recorded order names nobody. */
export function identified(order: RecordedOrder | null): object {
  const named = order?.meta_data.some(({ key }) => /cedula|ruc|identificacion/.test(key));
  if (order === null || named) return {};
  return { meta_data: [...order.meta_data, { key: '_billing_cedula', value: '1710034065' }] };
}

/** Sends what the shop sent, byte for byte, signed with its secret of today. Answers the statuses. */
export async function replay(product: Product, deliveries: Moment['deliveries']): Promise<number[]> {
  const statuses: number[] = [];
  for (const { headers, body } of deliveries) {
    const answer = await fetch(`${product.url}/webhooks/tienda`, {
      method: 'POST',
      headers: {
        ...headers,
        'x-wc-webhook-signature': createHmac('sha256', shopSecret).update(body).digest('base64'),
      },
      body: new Uint8Array(body),
    });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

/** What became of an order: its documents that count, as "factura authorized 33.75", and the notes on it. */
interface Outcome {
  documents: string[];
  customerNotes: number;
  privateNotes: number;
}

/** The outcome of every order that has one, by its id. */
export async function outcomes(
  product: Product,
  orderIds: readonly string[],
): Promise<Record<string, Outcome>> {
  const reader = openLedgerReader(product.ledger, silentLog);
  const all = await reader.documents.list({ limit: 1_000 });
  await reader.close();
  const found: Record<string, Outcome> = {};
  for (const id of orderIds) {
    const documents = all.filter(({ orderId, state }) => orderId === id && state !== 'cancelled');
    const notes = product.shop.notes(id).filter(({ note }) => !note.startsWith('Email '));
    const customerNotes = notes.filter((note) => note.customer_note).length;
    found[id] = {
      documents: documents.map((one) => describe(product, one)).toSorted(),
      customerNotes,
      privateNotes: notes.length - customerNotes,
    };
  }
  return found;
}

function describe(
  { sandbox }: Product,
  {
    kind,
    state,
    code,
    accessKey,
  }: { kind: string; state: string; code: string | null; accessKey: string | null },
): string {
  if (state !== 'authorized') return `${kind} ${state} ${code}`;
  const stored = sandbox.documents().find((one) => one.claveacceso === accessKey);
  return `${kind} ${state} ${stored?.figures?.importeTotal}`;
}

/** Makes the webhooks an installed shop has, so that it tells of what we write ourselves. */
export async function installWebhooks(product: Product): Promise<void> {
  for (const topic of installedTopics)
    await product.shop.addWebhook({
      name: 'facturapuente',
      topic,
      delivery_url: `${product.url}/webhooks/tienda`,
      secret: shopSecret,
    });
}
