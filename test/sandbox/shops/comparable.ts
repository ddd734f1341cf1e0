/**
 * An answer without what cannot be alike: ids the shop gave are numbered as they come, the host is left out, and
 * so is the time of the last change, which may be a second later than the refund.
 */
export function comparable(json: unknown, order: unknown): unknown {
  const sold = new Set([...JSON.stringify(order).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id)));
  const given = new Map<number, string>();
  const name = (id: number) => {
    if (sold.has(id)) return id;
    if (!given.has(id)) given.set(id, `given ${given.size + 1}`);
    return given.get(id);
  };
  return JSON.parse(JSON.stringify(json), (key, value) => {
    if (key === 'id' && typeof value === 'number') return name(value);
    if (key.startsWith('date_modified')) return 'changed';
    if (key !== 'href') return value;
    return String(value)
      .replace(/^http:\/\/[^/]+/, '')
      .replace(/refunds\/\d+$/, 'refunds/…');
  });
}

/** When the shop made what it answered: the newest refund, or the order itself. */
export function timeOf(json: unknown): string | undefined {
  const first = (Array.isArray(json) ? json[0] : json) as Record<string, string> | undefined;
  return first?.date_modified_gmt ?? first?.date_created_gmt;
}

/** Of the connection, not of the shop. */
const ofTheWire = ['host', 'connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length'];

/** The headers by which an answer can be compared: without host, signature and the shop's ids. */
export function comparableHeaders(headers: Headers | Record<string, string>): Record<string, string> {
  const all = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    all
      .filter(([name]) => !ofTheWire.includes(name))
      .map(([name, value]) => [
        name,
        value
          .replace(/http:\/\/[^/]+/g, '')
          // Of a link's query only the page it leads to: the shop adds its defaults, and the caller's signature.
          .replace(/\?[^>]*?\b(?<!per_)(page=\d+)[^>]*/g, '?$1')
          .replace(/\/\d+$/, '/…'),
      ]),
  );
}
