import { resolve } from 'node:path';
import { z } from 'zod';
import { type Document, documentNumber } from '../../domain/document.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Order } from '../../domain/order.ts';
import type { BuyerMark, BuyerRequest, Platform } from '../../domain/platform.ts';
import { isOf } from '../../domain/privacy.ts';
import { owner, storeOf } from '../../domain/settings.ts';
import { forgetIn } from '../../jobs/forget-buyer.ts';
import { buyerAlert } from '../../jobs/shop-event.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { StoredDelivery } from '../../ledger/orders.ts';
import { writePrivate } from '../../reports/write-private.ts';
import type { Carried, Context } from '../operation.ts';
import { jsonText } from '../operation.ts';

interface PrivacyRequest extends Omit<StoredDelivery, 'platform'> {
  platform: Platform;
  shop: string;
  /** Every address the body may name the shop by. */
  names: readonly string[];
}

interface NamedBuyer {
  store?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  order: string[];
}

const mostListed = 500;
const atOnce = 200;

export async function listRequests(context: Context): Promise<Carried> {
  const requests = await requestsIn(context);
  const none = 'Ningún comprador pidió nada a través de su tienda.';
  const data = { requests: requests.map(requestFacts) };
  return { done: true, message: data.requests.map(line).join('\n') || none, data };
}

/** Deletes what no tax obligation keeps. Throws FacturapuenteError. */
export async function eraseBuyer({ jobDeps, stores }: Context, asked: NamedBuyer): Promise<Carried> {
  const mark = markOf(asked);
  const { id, platform, shop } = storeOf({ stores }, asked.store ?? '');
  const { report, open } = await forgetIn(jobDeps, { platform: platform.name, shop, mark });
  const facts = { orders: report.orders.length, stays: report.stays.length, open };
  const done = report.orders.length > 0;
  return { done, message: erasedText(report, open), subject: id, about: owner.store(id), facts };
}

function erasedText(
  { orders, stays, why }: Awaited<ReturnType<typeof forgetIn>>['report'],
  open: number,
): string {
  const waits =
    open === 0
      ? ''
      : ` ${open} ${open === 1 ? 'pedido tiene' : 'pedidos tienen'} comprobantes en camino: repita mañana.`;
  if (orders.length === 0) return `No se borró nada: ningún pedido guardado es de ese comprador.${waits}`;
  const kept = stays.length === 0 ? '' : ` Se conservan ${stays.join(', ')}. ${why}`;
  return `Se borraron los datos del comprador de ${orders.length} ${orders.length === 1 ? 'pedido' : 'pedidos'}.${kept}${waits} Bórrelo también en la tienda: un pedido que allí vuelva a cambiar se lee otra vez.`;
}

interface Whose {
  platform: Platform;
  shop: string;
  buyer: BuyerMark;
  name: string;
}

/** Only its owner can read the file. It answers a request that came through the shop. Throws FacturapuenteError. */
export async function exportBuyer(
  context: Context,
  asked: NamedBuyer & { request?: string | undefined; out?: string | undefined },
): Promise<Carried> {
  const { jobDeps, stores, about } = context;
  const byName = (): Whose => {
    const buyer = markOf(asked);
    const { platform, shop } = storeOf({ stores }, asked.store ?? '');
    return { platform, shop, buyer, name: asked.store ?? '' };
  };
  const { request } = asked;
  const whose = request === undefined ? byName() : byRequest(await requestsIn(context), request);
  const held = await collect(jobDeps.ledger, whose, about.retention);
  const file = resolve(asked.out ?? `datos-comprador-${whose.name}.json`);
  await writePrivate(file, jsonText(held));
  const shop = { platform: whose.platform.name, shop: whose.shop };
  if (request !== undefined) await jobDeps.alerts.over(buyerAlert({ ...shop, request }));
  const message = `${file}: ${held.pedidos.length} pedidos. Contiene datos personales; entréguelo al comprador y bórrelo.`;
  return { done: true, message, subject: request ?? whose.name, about: owner.shop(shop) };
}

/** Throws ConfigError `input-invalid`. */
function markOf({ email = '', phone = '', order }: NamedBuyer): BuyerMark {
  if (email === '' && phone === '' && order.length === 0)
    throw new ConfigError('input-invalid', { why: 'buyer' });
  return { email: email || null, phone: phone || null, orders: order };
}

async function requestsIn({
  jobDeps: { ledger },
  platforms,
}: Pick<Context, 'jobDeps' | 'platforms'>): Promise<PrivacyRequest[]> {
  const requests: PrivacyRequest[] = [];
  const addresses = await ledger.shops.addresses();
  for (const platform of platforms) {
    const topics = platform.buyerRequests?.topics ?? [];
    if (topics.length === 0) continue;
    for (const found of await ledger.deliveries.ofTopics(topics, mostListed)) {
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

function askedIn({ topic, names, platform, body }: PrivacyRequest): BuyerRequest | null {
  const read = names.map((shop) => platform.buyerRequests?.read({ topic, shop, body }) ?? null);
  return read.find((asked) => asked !== null) ?? null;
}

function requestFacts(request: PrivacyRequest) {
  const { id, shop, receivedAt, body } = request;
  const asked = askedIn(request);
  const what = asked ? (asked.wants === 'data' ? 'pide sus datos' : 'pide que se borren') : report(body);
  return { id, receivedAt, shop, what };
}

const line = ({ id, receivedAt, shop, what }: ReturnType<typeof requestFacts>): string =>
  `${id}  ${receivedAt.slice(0, 10)}  ${shop}  ${what}`;

const Report = z.object({ orders: z.array(z.string().max(300)), stays: z.array(z.string().max(300)) });

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

async function collect(
  ledger: Ledger,
  { platform, shop, buyer }: Whose,
  { deliveriesDays, ordersDays, documentsYears }: Context['about']['retention'],
) {
  const pedidos: object[] = [];
  const key = { platform: platform.name, shop };
  let after = '';
  while (true) {
    const page = await ledger.orders.ofShop(key, after, atOnce);
    for (const order of page.filter((one) => isOf(one, buyer)))
      pedidos.push(await toRecord(ledger, key, order));
    after = page.at(-1)?.id ?? '';
    if (page.length < atOnce) break;
  }
  return {
    tienda: shop,
    plataforma: platform.title,
    pedidos,
    conservacion: `Los avisos recibidos se borran a los ${deliveriesDays} días; los datos del pedido, a los ${ordersDays} días de su último cambio; las facturas y notas de crédito, con lo que dicen del comprador, se conservan ${documentsYears} años después del año de su emisión, por obligación tributaria.`,
  };
}

async function toRecord(ledger: Ledger, key: { platform: string; shop: string }, order: Order) {
  const place = { ...key, orderId: order.id };
  const documents = await ledger.documents.ofOrder(place);
  const deliveries = await ledger.deliveries.ofOrder(place, atOnce);
  return {
    pedido: order.name,
    comprador: order.buyer,
    nota: order.note,
    campos: order.attributes,
    lineas: order.lines.map(({ name, quantity, attributes }) => ({ name, quantity, attributes })),
    total: order.total,
    respuesta: (await ledger.questions.get(place))?.answer ?? null,
    comprobantes: await Promise.all(documents.map((document) => toDocument(ledger, document))),
    avisos: deliveries.map(({ topic, receivedAt, body }) => ({
      topic,
      receivedAt,
      body: Buffer.from(body).toString('utf8'),
    })),
  };
}

async function toDocument({ attempts: sent }: Pick<Ledger, 'attempts'>, document: Document) {
  const { kind, ambiente, state, accessKey, total, authorizedAt } = document;
  const attempts = await sent.ofDocument(document.id);
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

function namedIn(body: string): object {
  const { comprador, informacion_adicional } = JSON.parse(body) as Record<string, unknown>;
  return { comprador, informacion_adicional };
}
