import { z } from 'zod';
import { tryReadJson } from '../../src/domain/loose.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { FormerAddress, ShopIdentity } from '../../src/domain/shop-identity.ts';
import { word } from '../../src/domain/text.ts';
import type { Api } from './api.ts';
import { getPublic } from './probe.ts';
import type { Connection } from './settings.ts';

/** The id stays when the shop moves, and a copy of the database has it too (measured on WooCommerce 11.0.1). */
export async function readIdentity(api: Pick<Api, 'identity'>): Promise<ShopIdentity> {
  const { store_id, home_url, site_url } = await api.identity();
  return { id: store_id || null, addresses: [...new Set([home_url, site_url].map(withoutSlash))] };
}

const wordPressIndex = z.object({ home: word, url: word });

export async function standsAt(
  address: string,
  { timeoutMs }: Pick<Connection, 'timeoutMs'>,
  context: Pick<ShopContext, 'userAgent' | 'outbound'>,
): Promise<FormerAddress> {
  const answer = await getPublic(`${address}/wp-json/?_fields=home,url`, timeoutMs, context);
  // A domain that no longer exists is final; any other network failure may pass.
  if (typeof answer === 'string') return answer === 'ENOTFOUND' ? 'left' : 'unknown';
  const { status, location, text } = answer;
  if (status >= 300 && status < 400) return hostOf(location) === hostOf(address) ? 'unknown' : 'left';
  if (status === 401 || status === 403 || status === 429 || status >= 500) return 'unknown';
  const index = wordPressIndex.safeParse(tryReadJson(text)).data;
  return index && [index.home, index.url].some((url) => placeOf(url) === placeOf(address))
    ? 'stands'
    : 'left';
}

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
/** Without the scheme: behind a proxy that ends TLS a shop calls itself http. */
const placeOf = (url: string): string =>
  withoutSlash(url)
    .replace(/^https?:/, '')
    .toLowerCase();
const hostOf = (url = ''): string | null => (URL.canParse(url) ? new URL(url).host : null);
