import { z } from 'zod';
import { builtInPlatforms } from '../app/platforms.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { ConfigError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import type { Platform } from '../domain/platform.ts';
import type { BuyerMark, BuyerRequest } from '../domain/shop-event.ts';
import { type LedgerReader, openLedgerReader } from '../ledger/read.ts';
import type { StoredDelivery } from '../ledger/shop-tables.ts';

export interface PrivacyFlags {
  config?: string;
}

export interface PrivacyRequest extends StoredDelivery {
  platform: Platform;
  shop: string;
  /** By what the shop may be called in the body. */
  names: readonly string[];
}

const mostListed = 500;

/** A table of what buyers asked; names none of them. */
export async function listRequests(flags: PrivacyFlags): Promise<string> {
  return withRequests(flags, async (requests) => {
    if (requests.length === 0) return 'Ningún comprador pidió nada a través de su tienda.\n';
    return requests.map((request) => `${line(request)}\n`).join('');
  });
}

/** What a buyer is known by where no shop asked for him. */
export interface BuyerFlags extends PrivacyFlags {
  store?: string;
  email?: string;
  phone?: string;
  order?: string[];
}

/** Throws ConfigError `buyer-missing`. */
export function markOf({ email = '', phone = '', order = [] }: BuyerFlags): BuyerMark {
  if (email === '' && phone === '' && order.length === 0)
    throw new ConfigError(
      'buyer-missing',
      'Diga de quién: --email, --phone o --order.',
      'Name the buyer by --email, --phone or --order.',
    );
  return { email: email || null, phone: phone || null, orders: order };
}

/** Opens the ledger for looking and hands over the requests it has, the newest first. */
export async function withRequests<T>(
  { config: path }: PrivacyFlags,
  use: (requests: PrivacyRequest[], reader: LedgerReader, config: Config) => Promise<T>,
): Promise<T> {
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const { seal } = await openSecrets(config);
  const reader = openLedgerReader({ ...config.ledger, sealKey: seal }, silentLog);
  try {
    const requests: PrivacyRequest[] = [];
    const addresses = await reader.shops.addresses();
    for (const platform of builtInPlatforms) {
      const topics = platform.buyerRequests?.topics ?? [];
      if (topics.length === 0) continue;
      for (const found of await reader.deliveries.ofTopics(topics, mostListed))
        if (found.platform === platform.name && found.shop !== null)
          requests.push({
            ...found,
            platform,
            shop: found.shop,
            // A body names the shop by where it was when it was sent.
            names: [
              found.shop,
              ...addresses.filter(({ shop }) => shop === found.shop).map(({ address }) => address),
            ],
          });
    }
    return await use(requests, reader, config);
  } finally {
    await reader.close();
  }
}

/** Throws ConfigError `unknown-request`. */
export function requestOf(requests: readonly PrivacyRequest[], id: string): PrivacyRequest {
  const found = requests.find((request) => request.id === id);
  if (found) return found;
  throw new ConfigError(
    'unknown-request',
    `No hay ninguna solicitud ${id}: mire «facturapuente privacy list».`,
    `No kept delivery ${id} is a buyer's request.`,
  );
}

/** What is asked; null where it was carried out, or is no such request. */
export function askedIn({ topic, names, platform, body }: PrivacyRequest): BuyerRequest | null {
  const read = names.map((shop) => platform.buyerRequests?.read({ topic, shop, body }) ?? null);
  return read.find((asked) => asked !== null) ?? null;
}

function line(request: PrivacyRequest): string {
  const { id, shop, receivedAt, body } = request;
  const asked = askedIn(request);
  const what = asked ? (asked.wants === 'data' ? 'pide sus datos' : 'pide que se borren') : report(body);
  return `${id}  ${receivedAt.slice(0, 10)}  ${shop}  ${what}`;
}

const Report = z.object({ orders: z.array(z.string()), stays: z.array(z.string()) });

/** What stands in the place of a request that was carried out (src/jobs/forget-buyer.ts). */
function report(body: Uint8Array): string {
  if (body.length === 0) return 'borrado con toda la tienda';
  const done = readReport(body);
  if (!done) return 'en curso: se borra lo que la ley no obliga a guardar';
  const { orders, stays } = done;
  const kept = stays.length === 0 ? 'No queda ningún comprobante' : `Se conservan ${stays.join(', ')}`;
  return `borrado: ${orders.length} pedidos. ${kept}.`;
}

function readReport(body: Uint8Array): z.output<typeof Report> | null {
  try {
    return Report.parse(JSON.parse(Buffer.from(body).toString()));
  } catch {
    return null;
  }
}
