import { PayloadError } from '../../src/domain/errors.ts';
import { decimal, sum } from '../../src/domain/money.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Platform, RawDelivery } from '../../src/domain/platform.ts';

/** Recorded bytes of the platform; invented ones prove nothing. */
export interface PlatformSamples<Connection, App> {
  connection: Connection;
  app: App | null;
  /** The platform's JSON of a paid order without refunds. */
  paidOrder: unknown;
  /** A webhook about that order, with its true signature. */
  delivery: RawDelivery;
}

/**
 * Answers one sentence per broken rule, [] when it is right; runs in any test framework:
 * `expect(await checkPlatform(mine, samples)).toEqual([])`.
 */
export async function checkPlatform<Connection, App>(
  platform: Platform<Connection, App>,
  samples: PlatformSamples<Connection, App>,
): Promise<string[]> {
  const broken: string[] = [];
  const rule = (holds: boolean, sentence: string) => {
    if (!holds) broken.push(sentence);
  };
  const order = platform.readOrder(samples.paidOrder, samples.connection);
  const address = platform.shopOf(samples.connection);
  rule(
    /^\S+$/.test(address) && !address.endsWith('/') && address === platform.shopOf(samples.connection),
    'shopOf must write an address the same way each time, as one word without a slash at its end.',
  );
  checkOrder(order, address, rule);
  rule(
    refuses(() => platform.readOrder({ hello: 1 }, samples.connection)),
    'readOrder must throw PayloadError for what is no order.',
  );
  rule(
    refuses(() => platform.readOrder(null, samples.connection)),
    'readOrder must throw PayloadError for null.',
  );
  rule(
    refuses(() => platform.readRefunds('nothing', samples.paidOrder)),
    'readRefunds must throw PayloadError for what are no refunds.',
  );

  const endpoint = { app: samples.app, connection: samples.app === null ? samples.connection : null };
  const receipt = await platform.receive(samples.delivery, endpoint);
  rule(
    receipt.kind === 'hint' && receipt.orderId === order.id,
    'receive must answer a hint with the order of a genuine delivery.',
  );
  const nowhere = await platform.receive(samples.delivery, { app: null, connection: null }).catch(() => null);
  rule(
    nowhere?.kind === 'refused' && nowhere.status === 401,
    'receive must refuse with 401, without throwing, a delivery to an address without app and connection.',
  );
  const again = await platform.receive(samples.delivery, endpoint);
  rule(
    receipt.kind === 'hint' && again.kind === 'hint' && receipt.dedupeKey === again.dedupeKey,
    'The same delivery must give the same dedupeKey.',
  );
  for (const forged of forgeries(samples.delivery)) {
    const answer = await platform.receive(forged, endpoint).catch(() => null);
    rule(
      answer?.kind === 'refused',
      'receive must refuse, without throwing, a delivery whose bytes or signature were changed.',
    );
  }
  return [...new Set(broken)];
}

function checkOrder(order: Order, shop: string, rule: (holds: boolean, sentence: string) => void): void {
  rule(order.shop === shop, 'Order.shop must be the identity shopOf gives.');
  rule(/^\d+$|^[\w-]+$/.test(order.id), 'Order.id must be the platform’s id as text.');
  rule(
    order.settlement === 'paid' && order.paidAt !== null,
    'A paid order must read as paid, with its instant.',
  );
  const parts = [...order.lines, ...order.charges];
  const total = sum(parts.map((part) => decimal(part.net).plus(part.tax)));
  rule(
    total.minus(order.total).abs().lte('0.05'),
    `Lines and charges (${total.toFixed(2)}) must explain the total (${order.total}).`,
  );
  for (const part of parts) {
    rule(
      sum(part.taxes.map((tax) => tax.amount))
        .minus(part.tax)
        .abs()
        .lte('0.01'),
      'A part’s tax must be the sum of its taxes.',
    );
  }
  rule(
    order.lines.every((line) => decimal(line.quantity).gt(0)),
    'Quantities must be above zero; removed lines are left out.',
  );
  rule(
    JSON.stringify(JSON.parse(JSON.stringify(order))) === JSON.stringify(order),
    'An Order must survive JSON.',
  );
}

function refuses(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (error) {
    return error instanceof PayloadError && error.merchant.length > 10;
  }
}

function forgeries(delivery: RawDelivery): RawDelivery[] {
  const flipped = Uint8Array.from(delivery.body);
  const at = Math.floor(flipped.length / 2);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return [
    { ...delivery, body: flipped },
    { ...delivery, body: new Uint8Array() },
    { headers: { 'content-type': 'application/json' }, body: delivery.body },
  ];
}
