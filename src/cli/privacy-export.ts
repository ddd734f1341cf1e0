import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Document } from '../core/document.ts';
import { documentNumber } from '../core/document.ts';
import { ConfigError } from '../core/errors.ts';
import type { Order } from '../core/order.ts';
import { isOf } from '../core/privacy.ts';
import type { BuyerMark } from '../core/shop-event.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { carryOut } from './carry-out.ts';
import type { PrivacyFlags, PrivacyRequest } from './privacy-requests.ts';
import { requestOf, withRequests } from './privacy-requests.ts';

const atOnce = 200;

/** Writes what is held of the buyer of a request to a file only its owner may read; answers a sentence. */
export async function exportBuyer(id: string, flags: PrivacyFlags & { out?: string }): Promise<string> {
  return withRequests(flags, async (requests, reader) => {
    const request = requestOf(requests, id);
    const { topic, shop, body, platform } = request;
    const asked = platform.buyerRequests?.read({ topic, shop, body });
    if (!asked)
      throw new ConfigError(
        'request-done',
        `La solicitud ${id} ya se cumplió y no nombra a nadie.`,
        `Request ${id} was carried out; its body was replaced by the report.`,
      );
    const held = await collect(reader, request, asked.buyer);
    const file = resolve(process.cwd(), flags.out ?? `datos-comprador-${id}.json`);
    await writeFile(file, `${JSON.stringify(held, null, 2)}\n`, { mode: 0o600 });
    const about = { platform: platform.name, shop, request: id };
    await carryOut('buyer-answered', about, flags);
    return `${file}: ${held.pedidos.length} pedidos. Contiene datos personales; entréguelo al comprador y bórrelo.\n`;
  });
}

async function collect(reader: LedgerReader, { platform, shop }: PrivacyRequest, buyer: BuyerMark) {
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
  return {
    tienda: shop,
    plataforma: platform.title,
    pedidos,
    conservacion:
      'Las facturas y notas de crédito se conservan siete años por obligación tributaria; los avisos recibidos, 30 días.',
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
    comprobantes: documents.map(toDocument),
    avisos: deliveries.map(({ topic, receivedAt, body }) => ({
      topic,
      receivedAt,
      body: Buffer.from(body).toString('utf8'),
    })),
  };
}

function toDocument(document: Document) {
  const { kind, state, accessKey, total, authorizedAt } = document;
  return {
    tipo: kind,
    numero: documentNumber(document),
    estado: state,
    claveAcceso: accessKey,
    total,
    authorizedAt,
  };
}
