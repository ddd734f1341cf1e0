import type { RestAnswer } from './rest.ts';
import type { Storage } from './rest-lists.ts';

/** What a shop says of itself. */
export interface ShopSystem {
  /** Option woocommerce_store_id: a copy of the database has it too; null where the option is missing. */
  storeId: string | null;
  version: string;
  currency: string;
  /** Whether WordPress runs its own tasks at visits (no DISABLE_WP_CRON). */
  wpCron: boolean;
  storage: Storage;
  /** *Ajustes → General*: whether taxes are calculated, and the decimals of prices. */
  calculatesTaxes: boolean;
  decimals: number;
}

export const defaultSystem: Omit<ShopSystem, 'storeId'> = {
  version: '11.0.1',
  currency: 'USD',
  wpCron: true,
  storage: 'hpos',
  calculatesTaxes: true,
  decimals: 2,
};

/** `system_status?_fields=…`, as far as we ask (measured on WooCommerce 11.0.1). */
export function systemStatus(
  home: string,
  url: URL,
  { version, currency, wpCron, storeId, decimals }: ShopSystem,
): RestAnswer {
  const parts: Record<string, Record<string, unknown>> = {
    environment: {
      home_url: home,
      site_url: home,
      store_id: storeId,
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
      number_of_decimals: decimals,
      HPOS_enabled: true,
    },
  };
  const body: Record<string, Record<string, unknown>> = {};
  for (const asked of (url.searchParams.get('_fields') ?? 'environment,settings').split(',')) {
    const [section = '', field] = asked.split('.');
    const whole = parts[section];
    if (whole) body[section] = field === undefined ? whole : { ...body[section], [field]: whole[field] };
  }
  return { status: 200, body };
}

/** `settings/general/woocommerce_calc_taxes` (recording 0253); its other fields nobody asks for. */
export const taxSetting = ({ calculatesTaxes }: ShopSystem): RestAnswer => ({
  status: 200,
  body: {
    id: 'woocommerce_calc_taxes',
    type: 'checkbox',
    default: 'no',
    value: calculatesTaxes ? 'yes' : 'no',
  },
});

/** The index of WordPress, which is public: where the site is, by its own word. */
export const siteIndex = (home: string): RestAnswer => ({
  status: 200,
  body: { name: 'Tienda', home, url: home, namespaces: ['wp/v2', 'wc/v3'] },
});

/** The index of the API's routes, which is public; of the routes only that there are some. */
export const apiIndex: RestAnswer = {
  status: 200,
  body: { namespace: 'wc/v3', routes: { '/wc/v3': { namespace: 'wc/v3', methods: ['GET'] } } },
};
