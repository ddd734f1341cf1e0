import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { GraphQLSchema } from 'graphql';
import { buildAdminSchema } from '../../sandbox/shops/shopify/execute.ts';
import { hasShared, sharedPath } from './shared.ts';

let built: GraphQLSchema | undefined;

/** Shopify's Admin schema 2026-10, built once in a test file; for tests that are skipped without the shared data. */
export function adminSchema(): GraphQLSchema {
  built ??= buildAdminSchema(
    gunzipSync(readFileSync(sharedPath('data/shopify/admin_2026-10.graphql.gz'))).toString(),
  );
  return built;
}

/** For stand-ins of journeys: where the schema is here, every call must be valid in it. */
export const strictly = (): { schema?: GraphQLSchema } => (hasShared ? { schema: adminSchema() } : {});
