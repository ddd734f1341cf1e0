import type { Log } from '../../src/domain/log.ts';
import { metafieldNamespace } from './access-keys.ts';
import { DefinitionsAnswer } from './answer.ts';
import type { Client } from './client.ts';
import { createDefinition, definitionsQuery, updateDefinition } from './definitions-query.ts';

/**
 * What stands on the order, in the order the merchant sees it. `forBuyer` says what a customer account may show;
 * a hold's reason is the merchant's. Types: Shopify’s metafields and limits; a 49-digit key is text, never a number.
 */
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
export type MetafieldKey = keyof typeof metafields;
export const metafieldKeys = Object.keys(metafields) as MetafieldKey[];

/** What was done about one definition; "kept" alone where nothing had to be. */
export interface DefinitionDone {
  key: MetafieldKey;
  did: ('created' | 'pinned' | 'granted' | 'withdrawn' | 'kept')[];
  /** Shopify's own words for what it refused; values are then written all the same, only hidden. */
  problems: string[];
}

type Known = ReturnType<typeof DefinitionsAnswer.parse>['metafieldDefinitions']['nodes'][number];

/**
 * Makes our metafields visible to the merchant (read-only), pinned on the order page, and with `customerAccess`
 * readable by customer accounts; without a definition app-owned metafields are private. Repeatable: what exists is
 * kept and only completed. Throws ShopError when Shopify cannot be asked.
 */
export async function ensureDefinitions(
  client: Client,
  { customerAccess }: { customerAccess: boolean },
): Promise<DefinitionDone[]> {
  const doing = 'reading metafield definitions';
  const { metafieldDefinitions } = await client.query(definitionsQuery, {}, DefinitionsAnswer, doing);
  const known = new Map(metafieldDefinitions.nodes.map((node) => [node.key, node]));
  const done: DefinitionDone[] = [];
  for (const key of metafieldKeys) {
    const access = customerAccess && metafields[key].forBuyer ? 'READ' : 'NONE';
    const there = known.get(key);
    done.push(there ? await complete(client, key, there, access) : await create(client, key, access));
  }
  return done;
}

/** The same before the first write of a process: what Shopify refuses is logged, and the write goes on. */
export async function defineMetafields(client: Client, customerAccess: boolean, log: Log): Promise<void> {
  for (const { key, problems } of await ensureDefinitions(client, { customerAccess }))
    if (problems.length > 0)
      log.warn({ key, codes: problems }, 'Shopify refused something of a metafield definition');
}

type CustomerAccess = 'READ' | 'NONE';
const identity = (key: MetafieldKey) => ({ key, namespace: metafieldNamespace, ownerType: 'ORDER' });

async function create(client: Client, key: MetafieldKey, access: CustomerAccess): Promise<DefinitionDone> {
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
  // A merchant may have pinned 20 of his own; the definition itself matters more.
  const problems = first.includes(pinsFull) ? [pinsFull, ...(await run(false))] : first;
  // Another process was quicker.
  if (problems.includes('TAKEN')) return { key, did: ['kept'], problems: [] };
  const created = problems.every((code) => code === pinsFull);
  const pinned: DefinitionDone['did'] = created && problems.length === 0 ? ['pinned'] : [];
  const granted: DefinitionDone['did'] = created && access === 'READ' ? ['granted'] : [];
  return { key, did: created ? ['created', ...pinned, ...granted] : [], problems };
}

const pinsFull = 'PINNED_LIMIT_REACHED';

async function complete(
  client: Client,
  key: MetafieldKey,
  there: Known,
  access: CustomerAccess,
): Promise<DefinitionDone> {
  const done: DefinitionDone = { key, did: [], problems: [] };
  const { type } = metafields[key];
  if (there.type.name !== type) done.problems.push(`type is ${there.type.name}, not ${type}`);
  const change = async (input: object, what: DefinitionDone['did'][number]) => {
    const definition = { ...identity(key), ...input };
    const refused = codes(
      await client.mutate(updateDefinition, { definition }, `completing metafield definition ${key}`),
    );
    if (refused.length === 0) done.did.push(what);
    done.problems.push(...refused);
  };
  if (there.pinnedPosition === null) await change({ pin: true }, 'pinned');
  if (there.access.customerAccount !== access)
    await change({ access: { customerAccount: access } }, access === 'READ' ? 'granted' : 'withdrawn');
  return done.did.length > 0 ? done : { ...done, did: ['kept'] };
}

function codes(errors: Awaited<ReturnType<Client['mutate']>>): string[] {
  return errors.map((error) => error.code ?? error.message);
}
