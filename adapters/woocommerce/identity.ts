import { z } from 'zod';
import { readJson } from '../../src/domain/json.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { FormerAddress, ShopIdentity } from '../../src/domain/shop-identity.ts';
import { word } from '../../src/domain/text.ts';
import type { Api } from './api.ts';
import { askOpenly } from './install/probe.ts';
import type { Connection } from './settings.ts';

/**
 * The id WooCommerce gave itself when it was installed: it stays when the shop moves and when its database is restored,
 * and a copy of the database has it too (measured on WooCommerce 11.0.1). A shop that lost the option tells none.
 */
export async function readIdentity(api: Pick<Api, 'environment'>): Promise<ShopIdentity> {
  const { store_id, home_url, site_url } = await api.environment();
  return { id: store_id || null, addresses: [...new Set([home_url, site_url].map(addressOf))] };
}

const index = z.object({ home: word, url: word });

/** By the index of WordPress, which is public and says where the site is. */
export async function standsAt(
  address: string,
  { timeoutMs }: Pick<Connection, 'timeoutMs'>,
  context: Pick<ShopContext, 'userAgent' | 'outbound'>,
): Promise<FormerAddress> {
  const answer = await askOpenly(`${address}/wp-json/?_fields=home,url`, timeoutMs, context);
  // A domain that is gone leads nowhere; whatever else keeps us from an answer may pass.
  if (typeof answer === 'string') return answer === 'ENOTFOUND' ? 'left' : 'unknown';
  const { status, location, text } = answer;
  if (status >= 300 && status < 400) return hostOf(location) === hostOf(address) ? 'unknown' : 'left';
  if (status === 401 || status === 403 || status === 429 || status >= 500) return 'unknown';
  const said = index.safeParse(parse(text)).data;
  return said && [said.home, said.url].some((url) => placeOf(url) === placeOf(address)) ? 'stands' : 'left';
}

const addressOf = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
/** A proxy may end TLS before the shop, which then says http of itself. */
const placeOf = (url: string): string =>
  addressOf(url)
    .replace(/^https?:/, '')
    .toLowerCase();
const hostOf = (url = ''): string | null => (URL.canParse(url) ? new URL(url).host : null);

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
