import { isDeepStrictEqual } from 'node:util';
import { countingFactura } from '../../src/domain/document.ts';
import { ShopError } from '../../src/domain/errors.ts';
import { tryReadJson } from '../../src/domain/loose.ts';
import {
  needsPerson,
  type WriteGuards,
  type WrittenDocument,
  writtenStates,
} from '../../src/domain/platform.ts';
import type { Log } from '../../src/domain/ports.ts';
import type { Client } from './client.ts';
import {
  addTags,
  createDefinition,
  DefinitionsAnswer,
  definitionsQuery,
  deleteMetafields,
  removeTags,
  setMetafields,
  type UserError,
  updateDefinition,
  WrittenAnswer,
  writtenQuery,
} from './queries.ts';
import { globalId, metafieldNamespace } from './sale.ts';

const authorizedTag = 'factura-autorizada';
const heldTag = 'factura-retenida';

/**
 * Writes only what differs, because every write fires orders/updated. Never the address (Shopify recalculates taxes
 * since 2026-10), nor the note or attributes (overwritten as a whole).
 */
export async function writeBack(
  client: Client,
  orderId: string,
  documents: readonly WrittenDocument[],
  { mayWrite, isKnownKey }: WriteGuards = {},
): Promise<void> {
  const id = globalId(orderId);
  const doing = `writing to order ${orderId}`;
  const { order } = await client.query(writtenQuery, { id }, WrittenAnswer, doing);
  if (order === null) return;
  const written = new Map(order.metafields.nodes.map((field) => [field.key, field.value]));
  const factura = countingFactura(documents.filter(({ state }) => state in writtenStates));
  // A dropped document matters only where its state was written before.
  const isUnknown = factura?.state === 'cancelled' && !written.has('estado');
  const key = written.get('estado') === writtenStates.authorized ? written.get('clave_acceso') : undefined;
  // An AUTORIZADO of a key that the ledger does not have: the ledger may be older than the order.
  const isOlder = key !== undefined && factura?.state !== 'authorized' && (await isKnownKey?.(key)) === false;
  const shown = isUnknown || isOlder ? undefined : factura;
  const wanted = toMetafields(shown, documents, written.has('notas_credito'));
  const changed = metafieldKeys.flatMap((key) => {
    const value = wanted[key];
    if (value === undefined || isSame(key, written.get(key), value)) return [];
    return [{ ownerId: id, namespace: metafieldNamespace, key, type: metafields[key].type, value }];
  });
  const stale = metafieldKeys.filter(
    (key) => wanted[key] === undefined && written.has(key) && (shown !== undefined || key === 'motivo'),
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
  const tags = toTags(shown?.state, documents, order.tags);
  if (tags.add.length > 0) await run(addTags, { id, tags: tags.add });
  if (tags.remove.length > 0) await run(removeTags, { id, tags: tags.remove });
}

function toMetafields(
  factura: WrittenDocument | undefined,
  documents: readonly WrittenDocument[],
  listed: boolean,
): Partial<Record<MetafieldKey, string>> {
  const notes = documents.filter(
    ({ kind, state }) => kind === 'nota-credito' && state in writtenStates && state !== 'cancelled',
  );
  const list = notes.map((note) => ({ reembolso: note.sourceId, ...toFields(note) }));
  const sales = documents.filter(({ kind, state }) => kind === 'factura' && needsPerson(state));
  const reasons = [
    ...sales.flatMap(({ reason }) => reason ?? []),
    ...sales.flatMap(({ identificationUrl }) =>
      identificationUrl ? `Enlace para que el comprador escriba su identificación: ${identificationUrl}` : [],
    ),
    ...notes.flatMap(({ sourceId, reason }) => (reason ? [`Reembolso ${sourceId}: ${reason}`] : [])),
  ];
  return {
    ...(factura ? toFields(factura) : {}),
    // Reasons are for the merchant, and buyers may be allowed to read the list.
    ...(reasons.length > 0 ? { motivo: reasons.join('\n') } : {}),
    ...(notes.length > 0 || listed ? { notas_credito: JSON.stringify(list) } : {}),
  };
}

function toFields(document: WrittenDocument): Partial<Record<MetafieldKey, string>> {
  const fields: Partial<Record<MetafieldKey, string | null>> = {
    estado: writtenStates[document.state] ?? null,
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
  const isHeld = documents.some((document) => needsPerson(document.state));
  const has = (tag: string) => present.some((one) => one.toLowerCase() === tag);
  return {
    add: [
      ...(state === 'authorized' && !has(authorizedTag) ? [authorizedTag] : []),
      ...(isHeld && !has(heldTag) ? [heldTag] : []),
    ],
    remove: documents.length > 0 && !isHeld && has(heldTag) ? [heldTag] : [],
  };
}

/** userErrors come with HTTP 200 and never throw by themselves. */
function refuse(errors: readonly UserError[], doing: string): void {
  if (errors.length === 0) return;
  const what = errors.map(({ field, message, code }) => `${code ?? 'error'} at ${String(field)}: ${message}`);
  throw new ShopError(
    'shop-refused',
    { why: 'write', platform: 'Shopify', call: doing, reason: what.join('; ') },
    { retryable: false },
  );
}

/** Shopify answers with instants as +00:00 and JSON in its own spacing and order of keys. */
function isSame(key: MetafieldKey, written: string | undefined, wanted: string): boolean {
  if (written === undefined || written === wanted) return written === wanted;
  const type = metafields[key].type;
  if (type === 'date_time') return Date.parse(zoned(written)) === Date.parse(zoned(wanted));
  return type === 'json' && isDeepStrictEqual(tryReadJson(written), tryReadJson(wanted));
}

/** A date_time without a zone is GMT for Shopify. */
function zoned(text: string): string {
  return /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
}

function seconds(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}

/** `forBuyer`: a customer account may show it. An access key is text, because its 49 digits exceed a number. */
export const metafields = {
  estado: { name: 'Factura: estado', type: 'single_line_text_field', forBuyer: true },
  numero: { name: 'Factura: número', type: 'single_line_text_field', forBuyer: true },
  clave_acceso: { name: 'Factura: clave de acceso', type: 'single_line_text_field', forBuyer: true },
  pdf: { name: 'Factura: PDF', type: 'url', forBuyer: true },
  xml: { name: 'Factura: XML', type: 'url', forBuyer: true },
  autorizado_en: { name: 'Factura: autorizada el', type: 'date_time', forBuyer: true },
  motivo: { name: 'Factura: motivo', type: 'multi_line_text_field', forBuyer: false },
  notas_credito: { name: 'Notas de crédito', type: 'json', forBuyer: true },
} as const;
type MetafieldKey = keyof typeof metafields;
export const metafieldKeys = Object.keys(metafields) as MetafieldKey[];

interface DefinitionResult {
  key: MetafieldKey;
  changes: ('created' | 'pinned' | 'granted' | 'withdrawn')[];
  problems: string[];
}

type Known = ReturnType<typeof DefinitionsAnswer.parse>['metafieldDefinitions']['nodes'][number];

/** Without a definition metafields of an app are hidden from the merchant. Throws ShopError. */
export async function ensureDefinitions(
  client: Client,
  { customerAccess }: { customerAccess: boolean },
): Promise<DefinitionResult[]> {
  const doing = 'reading metafield definitions';
  const { metafieldDefinitions } = await client.query(definitionsQuery, {}, DefinitionsAnswer, doing);
  const known = new Map(metafieldDefinitions.nodes.map((node) => [node.key, node]));
  const results: DefinitionResult[] = [];
  for (const key of metafieldKeys) {
    const access = customerAccess && metafields[key].forBuyer ? 'READ' : 'NONE';
    const existing = known.get(key);
    results.push(
      existing ? await complete(client, key, existing, access) : await create(client, key, access),
    );
  }
  return results;
}

export async function defineMetafields(client: Client, customerAccess: boolean, log: Log): Promise<void> {
  for (const { key, problems } of await ensureDefinitions(client, { customerAccess }))
    if (problems.length > 0)
      log.warn({ key, codes: problems }, 'Shopify refused part of a metafield definition');
}

type CustomerAccess = 'READ' | 'NONE';
const identity = (key: MetafieldKey) => ({ key, namespace: metafieldNamespace, ownerType: 'ORDER' });

async function create(client: Client, key: MetafieldKey, access: CustomerAccess): Promise<DefinitionResult> {
  const { name, type } = metafields[key];
  const run = async (pin: boolean) => {
    const definition = {
      ...identity(key),
      name,
      type,
      pin,
      access: { admin: 'MERCHANT_READ', customerAccount: access },
    };
    return codes(await client.mutate(createDefinition, { definition }, `defining metafield ${key}`));
  };
  const first = await run(true);
  // The merchant may have pinned 20 metafields of his own.
  const problems = first.includes(pinsFull) ? [pinsFull, ...(await run(false))] : first;
  if (problems.includes('TAKEN')) return { key, changes: [], problems: [] };
  if (problems.some((code) => code !== pinsFull)) return { key, changes: [], problems };
  const changes: DefinitionResult['changes'] = ['created'];
  if (problems.length === 0) changes.push('pinned');
  if (access === 'READ') changes.push('granted');
  return { key, changes, problems };
}

const pinsFull = 'PINNED_LIMIT_REACHED';

async function complete(
  client: Client,
  key: MetafieldKey,
  existing: Known,
  access: CustomerAccess,
): Promise<DefinitionResult> {
  const result: DefinitionResult = { key, changes: [], problems: [] };
  const { type } = metafields[key];
  if (existing.type.name !== type) result.problems.push(`type is ${existing.type.name}, not ${type}`);
  const change = async (input: object, what: DefinitionResult['changes'][number]) => {
    const definition = { ...identity(key), ...input };
    const refused = codes(
      await client.mutate(updateDefinition, { definition }, `completing metafield definition ${key}`),
    );
    if (refused.length === 0) result.changes.push(what);
    result.problems.push(...refused);
  };
  if (existing.pinnedPosition === null) await change({ pin: true }, 'pinned');
  if (existing.access.customerAccount !== access)
    await change({ access: { customerAccount: access } }, access === 'READ' ? 'granted' : 'withdrawn');
  return result;
}

function codes(errors: Awaited<ReturnType<Client['mutate']>>): string[] {
  return errors.map((error) => error.code ?? error.message);
}
