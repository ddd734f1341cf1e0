import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signature first, on the raw bytes; then which order to look at. Nothing else is believed: the order is read again
 * from the shop. Must not throw.
 */
export function receive({ headers, body }, connection) {
  const refused = (status, reason) => ({ kind: 'refused', status, reason });
  if (connection === null) return refused(401, 'No store is configured at this address.');
  const given = Buffer.from(headers['x-firma'] ?? '', 'hex');
  const genuine = connection.webhookSecrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(body).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!genuine) return refused(401, 'X-Firma fits no secret of this store.');
  const { evento, pedido } = parse(body);
  if (evento === 'prueba') return { kind: 'ping' };
  if (!Number.isSafeInteger(pedido))
    return { kind: 'ignored', topic: String(evento), reason: 'No order inside.' };
  // The same delivery again has the same key; another event of the same order must not.
  const dedupeKey = createHash('sha256').update(body).digest('hex');
  return { kind: 'hint', topic: String(evento), shop: connection.url, orderId: String(pedido), dedupeKey };
}

function parse(body) {
  try {
    return Object(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    return {};
  }
}
