import type { Log } from '../../src/core/log.ts';
import { metafieldNamespace } from './access-keys.ts';
import { DefinitionsAnswer } from './answer.ts';
import type { Client } from './client.ts';
import { createDefinition, definitionsQuery } from './graphql.ts';

/** What stands on the order, in the order the merchant sees it. Types: Shopify’s metafields and limits. */
export const metafields = {
  estado: { name: 'Factura: estado', type: 'single_line_text_field' },
  numero: { name: 'Factura: número', type: 'single_line_text_field' },
  clave_acceso: { name: 'Factura: clave de acceso', type: 'single_line_text_field' },
  pdf: { name: 'Factura: PDF', type: 'url' },
  xml: { name: 'Factura: XML', type: 'url' },
  autorizado_en: { name: 'Factura: autorizada el', type: 'date_time' },
  motivo: { name: 'Factura: motivo', type: 'multi_line_text_field' },
  notas_credito: { name: 'Notas de crédito', type: 'json' },
} as const;
export type MetafieldKey = keyof typeof metafields;

/**
 * Makes our metafields visible to the merchant (read-only) and pinned on the order page; without a definition
 * app-owned metafields are private. Repeatable. A definition that cannot be made hides values but loses none,
 * so it is logged and the write goes on.
 */
export async function defineMetafields(client: Client, log: Log): Promise<void> {
  const doing = 'reading metafield definitions';
  const { metafieldDefinitions } = await client.query(definitionsQuery, {}, DefinitionsAnswer, doing);
  const known = new Set(metafieldDefinitions.nodes.map(({ key }) => key));
  for (const key of Object.keys(metafields) as MetafieldKey[]) {
    if (known.has(key)) continue;
    const first = await define(client, key, true);
    const problems = first.includes('PINNED_LIMIT_REACHED') ? await define(client, key, false) : first;
    const unsolved = problems.filter((code) => code !== 'TAKEN');
    if (unsolved.length > 0) log.warn({ key, codes: unsolved }, 'Shopify refused a metafield definition');
  }
}

async function define(client: Client, key: MetafieldKey, pin: boolean): Promise<string[]> {
  const definition = {
    ...metafields[key],
    key,
    namespace: metafieldNamespace,
    ownerType: 'ORDER',
    pin,
    access: { admin: 'MERCHANT_READ' },
  };
  const errors = await client.mutate(createDefinition, { definition }, `defining metafield ${key}`);
  return errors.map((error) => error.code ?? error.message);
}
