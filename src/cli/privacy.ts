import { resolve } from 'node:path';
import { z } from 'zod';
import { builtInPlatforms } from '../app/platforms.ts';
import type { Config } from '../config/load.ts';
import { type Document, documentNumber } from '../domain/document.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import type { BuyerMark, BuyerRequest, Platform } from '../domain/platform.ts';
import { isOf } from '../domain/privacy.ts';
import { storeOf } from '../domain/settings.ts';
import type { CommandAnswer } from '../domain/storing.ts';
import type { StoredDelivery } from '../ledger/orders.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { writePrivate } from '../reports/write-private.ts';
import { carryOut } from './carry-out.ts';
import { type ConfigFlag, jsonText, withStores } from './own-ledger.ts';

/** What a buyer asked through the shop, as the ledger keeps the webhook. */
interface PrivacyRequest extends Omit<StoredDelivery, 'platform'> {
  platform: Platform;
  shop: string;
  /** Every address the body may name the shop by. */
  names: readonly string[];
}

/** How a buyer is named who asks the merchant and not the shop. */
export interface BuyerFlags extends ConfigFlag {
  store?: string;
  email?: string;
  phone?: string;
  order?: string[];
}

const mostListed = 500;
const atOnce = 200;

/** What buyers asked, a line each; names no buyer. */
export function listRequests(flags: ConfigFlag): Promise<string> {
  return withStores(flags, async ({ reader }) => {
    const requests = await requestsIn(reader);
    if (requests.length === 0) return 'Ningún comprador pidió nada a través de su tienda.\n';
    return requests.map((request) => `${line(request)}\n`).join('');
  });
}

/** Deletes what the law lets us delete of a buyer. Throws FacturapuenteError. */
export function eraseBuyer(flags: BuyerFlags): Promise<CommandAnswer> {
  return carryOut('forget-buyer', { store: flags.store ?? '', ...markOf(flags) }, flags);
}

/** Whose data: of a request that came through the shop, or of a buyer named by flags. */
interface Whose {
  platform: Platform;
  shop: string;
  buyer: BuyerMark;
  /** For the name of the file. */
  name: string;
}

/**
 * Writes what is stored of a buyer into a file that only its owner can read: of the request `id`, or of the buyer the
 * flags name. Throws FacturapuenteError.
 */
export function exportBuyer(id: string | undefined, flags: BuyerFlags & { out?: string }): Promise<string> {
  return withStores(flags, async ({ reader, config, settings }) => {
    const byFlags = (): Whose => {
      const buyer = markOf(flags);
      const { platform, shop } = storeOf(settings, flags.store ?? '');
      return { platform, shop, buyer, name: flags.store ?? '' };
    };
    const whose = id === undefined ? byFlags() : byRequest(await requestsIn(reader), id);
    const held = await collect(reader, whose, config);
    const file = resolve(process.cwd(), flags.out ?? `datos-comprador-${whose.name}.json`);
    await writePrivate(file, jsonText(held));
    const { platform, shop } = whose;
    if (id !== undefined)
      await carryOut('buyer-answered', { platform: platform.name, shop, request: id }, flags);
    return `${file}: ${held.pedidos.length} pedidos. Contiene datos personales; entréguelo al comprador y bórrelo.\n`;
  });
}

/** Throws ConfigError `input-invalid`. */
function markOf({ email = '', phone = '', order = [] }: BuyerFlags): BuyerMark {
  if (email === '' && phone === '' && order.length === 0)
    throw new ConfigError('input-invalid', { why: 'buyer' });
  return { email: email || null, phone: phone || null, orders: order };
}

/** The newest first. */
async function requestsIn(reader: LedgerReader): Promise<PrivacyRequest[]> {
  const requests: PrivacyRequest[] = [];
  const addresses = await reader.shops.addresses();
  for (const platform of builtInPlatforms) {
    const topics = platform.buyerRequests?.topics ?? [];
    if (topics.length === 0) continue;
    for (const found of await reader.deliveries.ofTopics(topics, mostListed)) {
      const { shop } = found;
      if (found.platform !== platform.name || shop === null) continue;
      // A body names the shop by its address at that time.
      const former = addresses.filter((one) => one.shop === shop).map(({ address }) => address);
      requests.push({ ...found, platform, shop, names: [shop, ...former] });
    }
  }
  return requests;
}

function byRequest(requests: readonly PrivacyRequest[], id: string): Whose {
  const request = requests.find((one) => one.id === id);
  if (!request) throw new ConfigError('not-found', { why: 'request', id });
  const { shop, platform } = request;
  const asked = askedIn(request);
  if (asked) return { platform, shop, buyer: asked.buyer, name: id };
  throw new ConfigError('nothing-to-do', { why: 'fulfilled', id });
}

/** Null where the request was carried out already. */
function askedIn({ topic, names, platform, body }: PrivacyRequest): BuyerRequest | null {
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

/** Replaces the body of a request that was carried out (jobs/forget-buyer.ts). */
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

async function collect(reader: LedgerReader, { platform, shop, buyer }: Whose, { retention }: Config) {
  const pedidos: object[] = [];
  const key = { platform: platform.name, shop };
  let after = '';
  while (true) {
    const page = await reader.orders.ofShop(key, after, atOnce);
    for (const order of page.filter((one) => isOf(one, buyer)))
      pedidos.push(await toRecord(reader, key, order));
    after = page.at(-1)?.id ?? '';
    if (page.length < atOnce) break;
  }
  const { deliveriesDays, ordersDays, documentsYears } = retention;
  return {
    tienda: shop,
    plataforma: platform.title,
    pedidos,
    conservacion: `Los avisos recibidos se borran a los ${deliveriesDays} días; los datos del pedido, a los ${ordersDays} días de su último cambio; las facturas y notas de crédito, con lo que dicen del comprador, se conservan ${documentsYears} años después del año de su emisión, por obligación tributaria.`,
  };
}

async function toRecord(reader: LedgerReader, key: { platform: string; shop: string }, order: Order) {
  const place = { ...key, orderId: order.id };
  const documents = await reader.documents.ofOrder(place);
  const deliveries = await reader.deliveries.ofOrder(place, atOnce);
  return {
    pedido: order.name,
    comprador: order.buyer,
    nota: order.note,
    campos: order.attributes,
    lineas: order.lines.map(({ name, quantity, attributes }) => ({ name, quantity, attributes })),
    total: order.total,
    respuesta: (await reader.encrypted?.questions.get(place))?.answer ?? null,
    comprobantes: await Promise.all(documents.map((document) => toDocument(reader, document))),
    avisos: deliveries.map(({ topic, receivedAt, body }) => ({
      topic,
      receivedAt,
      body: Buffer.from(body).toString('utf8'),
    })),
  };
}

async function toDocument({ encrypted }: LedgerReader, document: Document) {
  const { kind, ambiente, state, accessKey, total, authorizedAt } = document;
  const attempts = (await encrypted?.attempts.ofDocument(document.id)) ?? [];
  return {
    tipo: kind,
    ambiente,
    numero: documentNumber(document),
    estado: state,
    claveAcceso: accessKey,
    total,
    authorizedAt,
    enviado: attempts.map(({ issueDate, body }) => ({ fecha: issueDate, ...namedIn(body) })),
  };
}

/** The parts of a body that name the buyer. */
function namedIn(body: string): object {
  const { comprador, informacion_adicional } = JSON.parse(body) as Record<string, unknown>;
  return { comprador, informacion_adicional };
}
