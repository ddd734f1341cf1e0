import type { InstallItem } from '../../../src/domain/install.ts';
import { DefinitionsAnswer } from '../answer.ts';
import type { Client } from '../client.ts';
import { definitionsQuery } from '../definitions-query.ts';
import { ensureDefinitions, metafieldKeys } from '../metafield-definitions.ts';
import type { Connection } from '../settings.ts';

const about = { code: 'definitions', what: 'Campos de la factura en el pedido' };

/** Our metafields on orders: looked at, or made and completed. */
export async function definitionsItem(
  client: Client,
  { customerAccess }: Connection,
  apply: boolean,
): Promise<InstallItem> {
  if (!apply) return look(client);
  const done = await ensureDefinitions(client, { customerAccess });
  const problems = done.flatMap(({ key, problems }) => problems.map((code) => `${key} (${code})`));
  if (problems.length > 0)
    return {
      ...about,
      state: 'warning',
      cure: `Shopify no aceptó todo: ${problems.join(', ')}. La factura se escribe igual, pero puede no verse en el pedido.`,
    };
  const changed = done.filter(({ did }) => did.some((one) => one !== 'kept'));
  return { ...about, state: 'ok', cure: null, ...(changed.length > 0 ? { done: true } : {}) };
}

async function look(client: Client): Promise<InstallItem> {
  const { metafieldDefinitions } = await client.query(
    definitionsQuery,
    {},
    DefinitionsAnswer,
    'reading metafield definitions',
  );
  const known = new Set(metafieldDefinitions.nodes.map(({ key }) => key));
  const missing = metafieldKeys.filter((key) => !known.has(key));
  if (missing.length === 0) return { ...about, state: 'ok', cure: null };
  return {
    ...about,
    state: 'missing',
    cure: `Faltan ${missing.join(', ')}; «facturapuente install» los crea.`,
  };
}
