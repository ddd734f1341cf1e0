import { resolve } from 'node:path';
import { storeOf } from '../app/installing.ts';
import { openLiveSettings } from '../app/settings.ts';
import { keptIn } from '../app/stores.ts';
import type { Config } from '../config/load.ts';
import type { Document } from '../domain/document.ts';
import { documentNumber } from '../domain/document.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import type { Platform } from '../domain/platform.ts';
import { isOf } from '../domain/privacy.ts';
import { shadowShop } from '../domain/shadow.ts';
import type { BuyerMark } from '../domain/shop-event.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { writePrivate } from '../reports/write-private.ts';
import { carryOut } from './carry-out.ts';
import {
  askedIn,
  type BuyerFlags,
  markOf,
  type PrivacyRequest,
  requestOf,
  withRequests,
} from './privacy-requests.ts';

const atOnce = 200;

/** Whose data: of a request the shop passed on, or of somebody who asked the merchant himself. */
interface Whose {
  platform: Platform;
  shop: string;
  buyer: BuyerMark;
  /** Of the file's name. */
  name: string;
}

/**
 * Writes what is held of the buyer of a request, or of one the flags name, to a file only its owner may read; answers a
 * sentence. Throws ConfigError, LedgerError `export-out`.
 */
export async function exportBuyer(
  id: string | undefined,
  flags: BuyerFlags & { out?: string },
): Promise<string> {
  return withRequests(flags, async (requests, reader, config) => {
    const whose = id === undefined ? await byFlags(flags, reader, config) : byRequest(requests, id);
    const held = await collect(reader, whose, config);
    const file = resolve(process.cwd(), flags.out ?? `datos-comprador-${whose.name}.json`);
    await writePrivate(file, `${JSON.stringify(held, null, 2)}\n`);
    const { platform, shop } = whose;
    if (id !== undefined)
      await carryOut('buyer-answered', { platform: platform.name, shop, request: id }, flags);
    return `${file}: ${held.pedidos.length} pedidos. Contiene datos personales; entréguelo al comprador y bórrelo.\n`;
  });
}

function byRequest(requests: readonly PrivacyRequest[], id: string): Whose {
  const request = requestOf(requests, id);
  const { shop, platform } = request;
  const asked = askedIn(request);
  if (asked) return { platform, shop, buyer: asked.buyer, name: id };
  throw new ConfigError(
    'request-done',
    `La solicitud ${id} ya se cumplió y no nombra a nadie.`,
    `Request ${id} was carried out; its body was replaced by the report.`,
  );
}

async function byFlags(flags: BuyerFlags, reader: LedgerReader, config: Config): Promise<Whose> {
  const buyer = markOf(flags);
  const live = await openLiveSettings(config);
  live.adopt(await keptIn(reader));
  const { platform, shop } = storeOf(live.settings, flags.store ?? '');
  return { platform, shop, buyer, name: flags.store ?? '' };
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
  const documents = [
    ...(await reader.documents.ofOrder(place)),
    // Its shadow's, of the test environment, name him as well.
    ...(await reader.documents.ofOrder({ ...place, shop: shadowShop(key.shop) })),
  ];
  const deliveries = await reader.deliveries.ofOrder(place, atOnce);
  return {
    pedido: order.name,
    comprador: order.buyer,
    nota: order.note,
    campos: order.attributes,
    lineas: order.lines.map(({ name, quantity, attributes }) => ({ name, quantity, attributes })),
    total: order.total,
    respuesta: (await reader.sealed?.questions.get(place))?.answer ?? null,
    comprobantes: await Promise.all(documents.map((document) => toDocument(reader, document))),
    avisos: deliveries.map(({ topic, receivedAt, body }) => ({
      topic,
      receivedAt,
      body: Buffer.from(body).toString('utf8'),
    })),
  };
}

async function toDocument({ sealed }: LedgerReader, document: Document) {
  const { kind, ambiente, state, accessKey, total, authorizedAt } = document;
  const attempts = (await sealed?.attempts.ofDocument(document.id)) ?? [];
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

/** What a body says of its buyer. */
function namedIn(body: string): object {
  const { comprador, informacion_adicional } = JSON.parse(body) as Record<string, unknown>;
  return { comprador, informacion_adicional };
}
