import type { RestAnswer } from './rest.ts';
import type { Storage } from './rest-lists.ts';

/** What a shop says of itself. */
export interface ShopSystem {
  version: string;
  currency: string;
  /** Whether WordPress runs its own tasks at visits (no DISABLE_WP_CRON). */
  wpCron: boolean;
  storage: Storage;
}

export const defaultSystem: ShopSystem = {
  version: '11.0.1',
  currency: 'USD',
  wpCron: true,
  storage: 'hpos',
};

/** `system_status?_fields=…`, as far as an installation asks (measured on WooCommerce 11.0.1). */
export function systemStatus(home: string, url: URL, { version, currency, wpCron }: ShopSystem): RestAnswer {
  const parts: Record<string, unknown> = {
    environment: {
      home_url: home,
      site_url: home,
      version,
      wp_version: '7.1',
      wp_multisite: false,
      wp_cron: wpCron,
      php_version: '8.2.35',
      default_timezone: 'UTC',
    },
    settings: {
      api_enabled: false,
      force_ssl: false,
      currency,
      currency_symbol: '&#36;',
      thousand_separator: ',',
      decimal_separator: '.',
      number_of_decimals: 2,
      HPOS_enabled: true,
    },
  };
  const asked = (url.searchParams.get('_fields') ?? 'environment,settings').split(',');
  return { status: 200, body: Object.fromEntries(asked.map((name) => [name, parts[name]])) };
}

/** The index of the API's routes, which is public; of the routes only that there are some. */
export const apiIndex: RestAnswer = {
  status: 200,
  body: { namespace: 'wc/v3', routes: { '/wc/v3': { namespace: 'wc/v3', methods: ['GET'] } } },
};
