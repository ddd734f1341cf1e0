import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedgerReader } from '../../src/ledger/read.ts';
import { untilIdle } from '../support/idle.ts';
import { openProduct, type Product } from '../support/product.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

interface Recording {
  file: string;
  topic: string;
  headers: Record<string, string>;
  signatureValid: boolean | null;
  rawBodyBase64: string;
  rawBodyText: string;
}

/** The recorded shop had a shorter one than a config accepts; its signatures stand in test/adapters/woocommerce/receive.test.ts. */
const secret = 'whsec_tienda_quito_2026_de_32_caracteres';
const folder = sharedPath('data/woocommerce/recordings/webhooks');

describe.skipIf(!hasShared)('the recorded webhooks of a real WooCommerce shop, byte for byte', () => {
  let product: Product;
  const recordings: Recording[] = hasShared
    ? readdirSync(folder)
        .sort()
        .map((file) => ({ file, ...JSON.parse(readFileSync(join(folder, file), 'utf8')) }))
    : [];
  beforeAll(async () => {
    const connection = { url: 'http://127.0.0.1:8081', webhookSecrets: [secret], apiAccess: false };
    product = await openProduct({ engine: 'sqlite', connection });
    await product.start();
  });
  afterAll(() => product?.close());

  async function replay(
    recording: Recording,
    body = Buffer.from(recording.rawBodyBase64, 'base64'),
  ): Promise<number> {
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = recording.headers;
    const recorded = Buffer.from(recording.rawBodyBase64, 'base64');
    const signature = createHmac('sha256', secret).update(recorded).digest('base64');
    const headers = { ...others, ...(recording.signatureValid && { 'x-wc-webhook-signature': signature }) };
    const answer = await fetch(`${product.url}/webhooks/tienda`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  it('answers all 168 verifying deliveries with 2xx and every ping with exactly 200', async () => {
    const signed = recordings.filter((recording) => recording.signatureValid === true);
    const statuses: number[] = [];
    for (const recording of signed) statuses.push(await replay(recording));
    expect(signed).toHaveLength(168);
    expect(statuses.filter((status) => status < 200 || status > 299)).toEqual([]);
    const pings = recordings.filter((recording) => recording.topic === 'ping');
    expect(pings).toHaveLength(13);
    for (const ping of pings) expect(await replay(ping)).toBe(200);
  });

  it('refuses one flipped byte with 401', async () => {
    const recording = recordings.find((one) => one.signatureValid === true) as Recording;
    const body = Buffer.from(recording.rawBodyBase64, 'base64');
    body[40] = (body[40] ?? 0) ^ 1;
    expect(await replay(recording, body)).toBe(401);
  });

  it('gives every paid order exactly one factura or a hold with a reason, and every refund at most one nota de crédito', async () => {
    await untilIdle(product);
    await product.stop();
    const reader = openLedgerReader({ directory: join(product.folder, 'ledger') }, silentLog);
    const documents = (await reader.documents.list({ limit: 1_000 })).filter(
      (one) => one.state !== 'cancelled',
    );
    await reader.close();
    const facturas = documents.filter(({ kind }) => kind === 'factura');
    const byOrder = Map.groupBy(facturas, (document) => document.orderId);
    for (const [id, { status, total }] of lastStates(recordings)) {
      const found = byOrder.get(id) ?? [];
      // A free order is nothing by policy; one that was refunded or cancelled meanwhile may or may not have left.
      const due = ['processing', 'completed'].includes(status) && total !== '0.00' ? 1 : found.length;
      expect([id, found.length]).toEqual([id, due]);
      expect(found.length).toBeLessThan(2);
      for (const { state, reason } of found) {
        expect(state === 'authorized' || (state === 'held' && (reason ?? '').length > 20)).toBe(true);
      }
    }
    const credits = documents.filter(({ kind }) => kind === 'nota-credito');
    expect(new Set(credits.map(({ sourceId }) => sourceId)).size).toBe(credits.length);
    for (const { state, reason } of credits) {
      expect(state === 'authorized' || (reason ?? '').length > 20).toBe(true);
    }
    expect(facturas.length).toBeGreaterThan(25);
    const issued = documents.filter((row) => row.state === 'authorized').length;
    expect(product.sandbox.documents()).toHaveLength(issued);
  });
});

/** The newest recorded state of every order that was ever paid: date_paid set and a paid status. */
function lastStates(recordings: readonly Recording[]): Map<string, { status: string; total: string }> {
  const paid = new Map<string, { status: string; total: string }>();
  for (const { topic, rawBodyText } of recordings) {
    if (!topic.startsWith('order.')) continue;
    const body = JSON.parse(rawBodyText);
    if (!body.id || !body.date_paid) continue;
    paid.set(String(body.id), { status: body.status, total: body.total });
  }
  return paid;
}
