import { woocommerce } from '../../adapters/woocommerce/index.ts';
import { ivaRates } from '../../mappers/index.ts';
import { taxPolicy } from '../../sandbox/shops/woocommerce-orders.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { parseConfig } from '../../src/config/load.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import type { Platform } from '../../src/domain/platform.ts';
import type { Settings, Store } from '../../src/domain/settings.ts';

/** The settings of one WooCommerce store before one account of the tax service, read from a config as `start` would. */
export function jobSettings(parts: {
  serviceUrl: string;
  shopUrl: string;
  shopKeys: { consumerKey: string; consumerSecret: string };
  /** The newest first. */
  apiKeys: string[];
  /** What the account is called. */
  account?: string | undefined;
  ambiente: 1 | 2 | undefined;
  policy: Record<string, unknown> | undefined;
  writeBack?: 'off' | undefined;
}): { settings: Settings; store: Store } {
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const { account = 'cuenta' } = parts;
  const config = parseConfig(
    {
      publicUrl: 'http://127.0.0.1:1',
      accounts: { [account]: { baseUrl: parts.serviceUrl, apiKeys: parts.apiKeys } },
      issuers: { ejemplo: { account, ambiente: parts.ambiente ?? ambiente, ...issuer } },
      stores: {
        tienda: {
          platform: 'woocommerce',
          issuer: 'ejemplo',
          series: { establecimiento: '001', puntoEmision: '001' },
          policy: { tax: taxPolicy, ...parts.policy },
          writeBack: parts.writeBack,
          connection: {
            url: parts.shopUrl,
            webhookSecrets: ['secreto-de-mi-tienda-0123456789abcdef'],
            ...parts.shopKeys,
          },
        },
      },
    },
    { file: '/tmp/facturapuente-steps/config.yaml', env: {} },
  );
  const settings = resolveSettings(config, [woocommerce as unknown as Platform], ivaRates);
  const [store] = settings.stores.values();
  if (!store) throw new Error('The test store is missing.');
  return { settings, store };
}
