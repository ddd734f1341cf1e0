import { countingFactura } from '../../src/domain/document.ts';
import { ShopError } from '../../src/domain/errors.ts';
import { parseJson } from '../../src/domain/json.ts';
import type { WrittenDocument } from '../../src/domain/platform.ts';
import { metafieldNamespace } from './access-keys.ts';
import { type UserError, WrittenAnswer } from './answer.ts';
import type { Client } from './client.ts';
import { globalId } from './ids.ts';
import { type MetafieldKey, metafieldKeys, metafields } from './metafield-definitions.ts';
import { addTags, deleteMetafields, removeTags, setMetafields, writtenQuery } from './write-query.ts';

const authorizedTag = 'factura-autorizada';
const heldTag = 'factura-retenida';

/** What merchants read in `estado`; states on their way are not written. */
const stateWords: Partial<Record<WrittenDocument['state'], string>> = {
  authorized: 'AUTORIZADO',
  held: 'RETENIDO',
  manual: 'REVISIÓN MANUAL',
  rejected: 'RECHAZADO',
  cancelled: 'DESCARTADO',
};

/**
 * Writes the documents onto the order: metafields in our own namespace and two tags. Reads first and writes
 * only what differs, because every write fires orders/updated. Never touches address (recalculates taxes since
 * 2026-10), note or attributes (overwritten as a whole).
 */
export async function writeBack(
  client: Client,
  orderId: string,
  documents: readonly WrittenDocument[],
  mayWrite?: () => Promise<void>,
): Promise<void> {
  const id = globalId(orderId);
  const doing = `writing to order ${orderId}`;
  const { order } = await client.query(writtenQuery, { id }, WrittenAnswer, doing);
  if (order === null) return;
  const written = new Map(order.metafields.nodes.map((field) => [field.key, field.value]));
  const factura = countingFactura(documents.filter(({ state }) => state in stateWords));
  // Dropping a document nobody has heard of is no news.
  const isNoNews = factura?.state === 'cancelled' && !written.has('estado');
  const isOlder = factura?.besideUnknownKey === true && written.get('estado') === stateWords.authorized;
  const news = isNoNews || isOlder ? undefined : factura;
  const wanted = toMetafields(news, documents, written.has('notas_credito'));
  const changed = metafieldKeys.flatMap((key) => {
    const value = wanted[key];
    if (value === undefined || isSame(key, written.get(key), value)) return [];
    return [{ ownerId: id, namespace: metafieldNamespace, key, type: metafields[key].type, value }];
  });
  const stale = metafieldKeys.filter(
    (key) => wanted[key] === undefined && written.has(key) && (news !== undefined || key === 'motivo'),
  );
  const run = async (document: string, variables: Record<string, unknown>) => {
    await mayWrite?.();
    refuse(await client.mutate(document, variables, doing), doing);
  };

  if (changed.length > 0) await run(setMetafields, { metafields: changed });
  if (stale.length > 0)
    await run(deleteMetafields, {
      metafields: stale.map((key) => ({ ownerId: id, namespace: metafieldNamespace, key })),
    });
  const tags = toTags(news?.state, documents, order.tags);
  if (tags.add.length > 0) await run(addTags, { id, tags: tags.add });
  if (tags.remove.length > 0) await run(removeTags, { id, tags: tags.remove });
}

/** The factura's facts singly, so that themes and flows can use them; the notas de crédito as one list. */
function toMetafields(
  factura: WrittenDocument | undefined,
  documents: readonly WrittenDocument[],
  listed: boolean,
): Partial<Record<MetafieldKey, string>> {
  // One that is held or has no legal route stands there too; one that was dropped leaves.
  const notes = documents.filter(
    ({ kind, state }) => kind === 'nota-credito' && state in stateWords && state !== 'cancelled',
  );
  const list = notes.map((note) => ({ reembolso: note.sourceId, ...toFields(note) }));
  const sales = documents.filter(({ kind, state }) => kind === 'factura' && waits(state));
  const reasons = [
    ...sales.flatMap(({ reason }) => reason ?? []),
    ...sales.flatMap(({ identificationUrl }) =>
      identificationUrl ? `Enlace para que el comprador escriba su identificación: ${identificationUrl}` : [],
    ),
    ...notes.flatMap(({ sourceId, reason }) => (reason ? [`Reembolso ${sourceId}: ${reason}`] : [])),
  ];
  return {
    ...(factura ? toFields(factura) : {}),
    // Reasons are the merchant's: never in the list, which buyers may be allowed to read.
    ...(reasons.length > 0 ? { motivo: reasons.join('\n') } : {}),
    ...(notes.length > 0 || listed ? { notas_credito: JSON.stringify(list) } : {}),
  };
}

function toFields(document: WrittenDocument): Partial<Record<MetafieldKey, string>> {
  const fields: Partial<Record<MetafieldKey, string | null>> = {
    estado: stateWords[document.state] ?? null,
    numero: document.number,
    clave_acceso: document.accessKey,
    pdf: document.pdfUrl,
    xml: document.xmlUrl,
    autorizado_en: document.authorizedAt && seconds(document.authorizedAt),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
}

function toTags(
  state: WrittenDocument['state'] | undefined,
  documents: readonly WrittenDocument[],
  present: readonly string[],
) {
  const needsSomeone = documents.some((document) => waits(document.state));
  const has = (tag: string) => present.some((one) => one.toLowerCase() === tag);
  return {
    add: [
      ...(state === 'authorized' && !has(authorizedTag) ? [authorizedTag] : []),
      ...(needsSomeone && !has(heldTag) ? [heldTag] : []),
    ],
    remove: documents.length > 0 && !needsSomeone && has(heldTag) ? [heldTag] : [],
  };
}

const waits = (state: WrittenDocument['state']): boolean =>
  state === 'held' || state === 'rejected' || state === 'manual';

/** userErrors come with HTTP 200 and never throw by themselves. */
function refuse(errors: readonly UserError[], doing: string): void {
  if (errors.length === 0) return;
  const what = errors.map(({ field, message, code }) => `${code ?? 'error'} at ${String(field)}: ${message}`);
  throw new ShopError(
    'shopify-write-refused',
    'Shopify no aceptó los datos de la factura en el pedido; avise a quien mantiene facturapuente.',
    `Shopify, ${doing}: ${what.join('; ')}`,
    { retryable: false },
  );
}

/** Shopify gives instants back as +00:00 and JSON in its own spacing and order of keys. */
function isSame(key: MetafieldKey, written: string | undefined, wanted: string): boolean {
  if (written === undefined || written === wanted) return written === wanted;
  const type = metafields[key].type;
  if (type === 'date_time') return Date.parse(zoned(written)) === Date.parse(zoned(wanted));
  return type === 'json' && canonical(written) === canonical(wanted);
}

/** A date_time without a zone is GMT for Shopify. */
function zoned(text: string): string {
  return /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
}

function canonical(json: string): string {
  try {
    return JSON.stringify(parseJson(json, sortKeys));
  } catch {
    return json;
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An instant as Shopify keeps it. */
function seconds(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}
