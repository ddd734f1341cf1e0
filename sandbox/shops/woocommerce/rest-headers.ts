/** What every answer of the API carries beside its own headers (measured on WooCommerce 11.0.1). */
export function headersOf(home: string, url: URL): [string, string][] {
  const path = url.pathname.replace(/^.*\/wp-json\/wc\/v3\//, '').replace(/\d+/g, 'N');
  return [
    ['x-powered-by', 'PHP/8.2.35'],
    ['x-robots-tag', 'noindex'],
    ['link', `<${home}/wp-json/>; rel="https://api.w.org/"`],
    ['x-content-type-options', 'nosniff'],
    ['access-control-expose-headers', 'X-WP-Total, X-WP-TotalPages, Link'],
    [
      'access-control-allow-headers',
      'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
    ],
    ['allow', methods[path] ?? 'GET, POST'],
    ['expires', 'Wed, 11 Jan 1984 05:00:00 GMT'],
  ];
}

const methods: Readonly<Record<string, string>> = {
  'orders/N': 'GET, POST, PUT, PATCH, DELETE',
  'orders/N/refunds/N': 'GET, DELETE',
  'webhooks/N': 'GET, POST, PUT, PATCH, DELETE',
  refunds: 'GET',
};
