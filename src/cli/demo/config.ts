import { demoIssuer } from '../demo-issuer.ts';
import { taxPolicy } from './woocommerce-sales.ts';

export interface DemoPlaces {
  port: number;
  service: { url: string; apiKey: string; webhookSecret: string };
  woocommerce: { url: string; webhookSecret: string; consumerKey: string; consumerSecret: string };
  shopify: { shop: string; adminUrl: string; clientId: string; clientSecret: string; accessToken: string };
  /** Set when the demo runs on servers. */
  servers: { databaseUrl: string; schema: string; redisUrl: string; redisPrefix: string } | null;
  secret: string;
}

/** The config the demo's processes run on: what a merchant with two stores would write. */
export function demoConfig(places: DemoPlaces): Record<string, unknown> {
  const { service, woocommerce, shopify, servers } = places;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  return {
    publicUrl: `http://127.0.0.1:${places.port}`,
    port: places.port,
    secret: places.secret,
    ledger: servers ? { url: servers.databaseUrl, schema: servers.schema } : { directory: 'ledger' },
    ...(servers ? { redis: { url: servers.redisUrl, prefix: servers.redisPrefix } } : {}),
    accounts: {
      demo: { baseUrl: service.url, apiKey: service.apiKey, webhookSecrets: [service.webhookSecret] },
    },
    issuers: { ejemplo: { account: 'demo', ambiente, ...issuer } },
    apps: {
      'app-demo': { platform: 'shopify', clientId: shopify.clientId, clientSecrets: [shopify.clientSecret] },
    },
    stores: {
      'tienda-woo': {
        platform: 'woocommerce',
        issuer: 'ejemplo',
        series: { establecimiento: '001', puntoEmision: '001' },
        invoiceFrom: '2026-01-01',
        policy: { tax: taxPolicy },
        connection: {
          url: woocommerce.url,
          webhookSecrets: [woocommerce.webhookSecret],
          consumerKey: woocommerce.consumerKey,
          consumerSecret: woocommerce.consumerSecret,
        },
      },
      'tienda-shopify': {
        platform: 'shopify',
        issuer: 'ejemplo',
        series: { establecimiento: '001', puntoEmision: '002' },
        invoiceFrom: '2026-01-01',
        connection: {
          app: 'app-demo',
          shop: shopify.shop,
          adminUrl: shopify.adminUrl,
          accessToken: shopify.accessToken,
        },
      },
    },
  };
}
