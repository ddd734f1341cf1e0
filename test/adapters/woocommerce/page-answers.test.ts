import { expect, test } from 'vitest';
import { oldestVersion } from '../../../adapters/woocommerce/errors.ts';
import { openBoth, shopError } from './shop.ts';

/** What stands where data should be: by whom, the code, whether waiting may help, and the resolution it must name. */
const pages: [
  what: string,
  answer: { status: number; headers?: Record<string, string>; body: unknown },
  ...string[],
][] = [
  [
    'maintenance of a plugin',
    { status: 200, body: '<html>En mantenimiento</html>' },
    'shop-not-json',
    'retry',
    'modo de mantenimiento',
  ],
  [
    'maintenance of WordPress',
    {
      status: 503,
      headers: { 'retry-after': '600' },
      body: '<p>Briefly unavailable for scheduled maintenance.</p>',
    },
    'shop-not-json',
    'retry',
    'modo de mantenimiento',
  ],
  ['an empty answer', { status: 200, body: '' }, 'shop-not-json', 'retry', 'página en vez de datos'],
  [
    'a firewall',
    { status: 403, headers: { server: 'Sucuri/Cloudproxy' }, body: '<html>Access Denied</html>' },
    'shop-blocked',
    'retry',
    '/wp-json/wc/v3/',
  ],
  [
    'a challenge of a CDN',
    { status: 503, headers: { server: 'cloudflare' }, body: '<title>Just a moment...</title>' },
    'shop-blocked',
    'retry',
    'firewall o CDN',
  ],
  [
    'a captcha with status 200',
    { status: 200, body: '<h1>Imunify360 bot-protection</h1>' },
    'shop-blocked',
    'retry',
    'firewall o CDN',
  ],
  [
    'a host that limits the rate',
    { status: 429, body: '<h1>Too Many Requests</h1>' },
    'shop-busy',
    'retry',
    'pida a su hosting que permita más',
  ],
  [
    'plain permalinks',
    { status: 404, body: '<html>No encontrado</html>' },
    'shop-permalinks',
    'stop',
    'Enlaces permanentes',
  ],
  [
    'a password before WordPress',
    { status: 401, headers: { 'www-authenticate': 'Basic realm="staging"' }, body: '<h1>401</h1>' },
    'shop-blocked',
    'stop',
    'Quite esa protección',
  ],
  [
    'notices of PHP',
    { status: 200, body: '<br />\n<b>Deprecated</b>: Function x{"id":29}' },
    'shop-php-output',
    'retry',
    'WP_DEBUG_DISPLAY',
  ],
  [
    'a crash',
    { status: 500, body: '<p>Ha habido un error crítico en esta web.</p>' },
    'shop-failing',
    'retry',
    'registro de errores',
  ],
  [
    'a server before PHP',
    { status: 502, body: '<h1>Bad Gateway</h1>' },
    'shop-failing',
    'retry',
    'registro de errores',
  ],
  [
    'a method the host forbids',
    { status: 405, body: '<h1>Not allowed</h1>' },
    'shop-refused',
    'stop',
    'Consulte a su hosting',
  ],
  [
    'no WooCommerce',
    { status: 404, body: { code: 'rest_no_route', message: 'x', data: { status: 404 } } },
    'shop-refused',
    'stop',
    `Active el plugin WooCommerce (versión ${oldestVersion} o posterior)`,
  ],
  [
    'a plugin that closes the API',
    { status: 401, body: { code: 'rest_not_logged_in', message: 'x', data: { status: 401 } } },
    'shop-unauthorized',
    'stop',
    'plugin de seguridad',
  ],
  [
    'a TLS proxy that does not say so',
    { status: 401, body: { code: 'woocommerce_rest_cannot_view', message: 'x', data: { status: 401 } } },
    'shop-unauthorized',
    'stop',
    'HTTPS',
  ],
];

test.each(pages)(
  '%s is told in Spanish with its resolution',
  async (_what, answer, code, then, resolution) => {
    const { stand, shop } = await openBoth();
    stand.trouble(answer);
    const error = await shopError(shop.fetchOrder('29'));
    expect([error.code, error.retryable]).toEqual([code, then === 'retry']);
    expect(error.merchant).toContain(resolution);
    expect(error.merchant).toMatch(/^[A-ZÁÉÍÓÚ].*\.$/s);
    expect(error.merchant.includes('Se intentará de nuevo.')).toBe(then === 'retry');
    // Nothing of the page itself: it may show a login, an address, a name.
    if (typeof answer.body === 'string' && answer.body !== '')
      expect(`${error.merchant} ${error.message}`).not.toContain(answer.body);
  },
);
