// Runs one paid Shopify order and one WooCommerce refund through the built package, and prints which of its files
// executed for each, as JSON. Arguments: the folder of the package, beside facturapuente-sandbox.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = pathToFileURL(join(process.argv[2], 'dist/')).href;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** They look at the clock every few seconds, or whether a day is to be closed, during an order or between two. */
const periodic = [
  'src/app/connector.js',
  'src/app/clock-check.js',
  'src/app/periodic.js',
  'src/app/working.js',
  'src/ledger/closes.js',
];

/** Product files of which a function ran since the last call. */
async function executed() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(
      ({ url, functions }) => url.startsWith(dist) && functions.some(({ ranges }) => ranges[0].count > 0),
    )
    .map(({ url }) => url.slice(dist.length))
    .filter((file) => !periodic.includes(file))
    .sort();
}

const { openConnector, parseConfig } = await import('facturapuente');
const { createSandbox } = await import('facturapuente-sandbox');
const { openShopifyShop, openWooCommerceShop } = await import('facturapuente-sandbox/shops');
const emulators = new URL('..', import.meta.resolve('facturapuente-sandbox/shops')).href;
const { taxPolicy, wooOrders } = await import(`${emulators}shops/woocommerce-orders.js`);
const { shopifyOrders } = await import(`${emulators}shops/shopify-orders.js`);
const { freePort } = await import(`${emulators}shops/loopback.js`);
const { demoIssuer } = await import(`${dist}src/cli/given.js`);

const [apiKey, webhookSecret, secret] = Array.from({ length: 3 }, () => randomBytes(32).toString('hex'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const sandbox = await createSandbox({
  allowLoopbackWebhooks: true,
  accounts: [{ apiKey, webhook: { url: `${url}/service/webhook/demo`, secret: webhookSecret } }],
});
const keys = { consumerKey: `ck_${'1'.repeat(40)}`, consumerSecret: `cs_${'2'.repeat(40)}` };
const woo = await openWooCommerceShop({ orders: wooOrders(new Date()), ...keys });
const shop = 'tienda-demo.myshopify.com';
const [order] = shopifyOrders(new Date());
const shopify = await openShopifyShop({ shop, orders: [order], accessToken: 'token' });
const folder = await mkdtemp(join(tmpdir(), 'facturapuente-executed-'));

const config = parseConfig(
  {
    publicUrl: url,
    port,
    secret,
    ledger: { directory: folder },
    accounts: { demo: { baseUrl: sandbox.url, apiKey, webhookSecrets: [webhookSecret] } },
    issuers: {
      ejemplo: { account: 'demo', ...demoIssuer.issuer },
    },
    apps: { app: { platform: 'shopify', clientId: 'app', clientSecrets: [secret] } },
    stores: {
      woo: {
        ...{ platform: 'woocommerce', issuer: 'ejemplo', invoiceFrom: '2026-01-01' },
        series: { establecimiento: '001', puntoEmision: '001' },
        policy: { tax: taxPolicy },
        connection: { url: woo.url, webhookSecrets: [secret], ...keys },
      },
      shopify: {
        ...{ platform: 'shopify', issuer: 'ejemplo', invoiceFrom: '2026-01-01' },
        series: { establecimiento: '001', puntoEmision: '002' },
        connection: { app: 'app', shop, adminUrl: shopify.url, accessToken: 'token' },
      },
    },
  },
  { file: join(folder, 'config.json'), env: {} },
);
const silent = () => {};
let shown;
let open;
let whenEnded;
/** Until the order shows what `shows` says, and the jobs that wrote it, verified the document and kept its files have ended. */
const until = (shows) =>
  new Promise((resolve, reject) => {
    const late = () => reject(new Error(`Within a minute there was no end of ${[...open].join(', ')}.`));
    const timer = setTimeout(late, 60_000);
    shown = shows;
    open = new Set(['write-back', 'verify-document', 'keep-files']);
    whenEnded = () => open.size === 0 && resolve(clearTimeout(timer));
  });
const info = ({ job, outcome }) => {
  if (outcome !== 'done') return;
  if (job === 'write-back' && !shown()) return;
  if (open?.delete(job)) whenEnded();
};
const log = { debug: silent, info, warn: silent, error: silent };
const connector = await openConnector({ config, role: 'all', log, host: '127.0.0.1' });
try {
  const deliver = (topic) => woo.deliver(`${url}/webhooks/woo`, secret, { topic, orderId: '1201' });
  const written = (key) => woo.order('1201')?.meta_data.find((one) => one.key === key)?.value;
  const authorized = until(() => written('_facturapuente_estado') === 'AUTORIZADO');
  await deliver('order.created');
  await authorized;

  await executed();
  const line = {
    id: 12_010,
    quantity: 1,
    refund_total: '12.50',
    refund_tax: [{ id: 1, refund_total: '1.88' }],
  };
  woo.refund('1201', { amount: '14.38', reason: 'Talla equivocada', api_refund: false, line_items: [line] });
  const credited = until(() => written('_facturapuente_notas_credito')?.length > 0);
  await deliver('order.updated');
  await credited;
  const refund = await executed();

  const orderId = String(order.id);
  const invoiced = until(() => shopify.metafields(orderId).estado === 'AUTORIZADO');
  await shopify.deliver(`${url}/webhooks/app`, { clientSecret: secret, topic: 'orders/paid', orderId });
  await invoiced;
  process.stdout.write(JSON.stringify({ refund, order: await executed() }));
} finally {
  await connector.close(5_000);
  await Promise.all([woo, shopify, sandbox].map((one) => one.close()));
  await rm(folder, { recursive: true, force: true });
}
