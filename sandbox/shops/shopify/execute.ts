import {
  buildSchema,
  execute,
  type GraphQLSchema,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Points } from './bucket.ts';
import { answerCost, queryCost } from './cost.ts';
import type { Bag, GraphqlAnswer, GraphqlError, Operation } from './graphql-types.ts';
import { walk } from './walk.ts';

/** The Admin schema from its SDL; building takes a second or two, so build once for several shops. */
export function buildAdminSchema(sdl: string): GraphQLSchema {
  return buildSchema(sdl, { assumeValidSDL: true });
}

/**
 * Runs one GraphQL request against the object tree `root`; with a schema, as strictly as Shopify or more. What it
 * could cost is taken from `points`, and what it did not cost given back; where they are too few it is refused with
 * HTTP 200 and the figures to wait by.
 */
export async function answerGraphql(
  schema: GraphQLSchema | null,
  query: string,
  variables: Bag,
  root: Bag,
  points: Points,
): Promise<GraphqlAnswer> {
  const read = readOperation(query, variables);
  if ('errors' in read) return read;
  if (schema !== null) {
    const problems = validate(schema, read.document, [...specifiedRules, NoDeprecatedCustomRule]);
    if (problems.length > 0) return { errors: problems.map(({ message }) => ({ message })) };
  }
  const cost = queryCost(read.document, read.operation, variables);
  if (cost > 1_000)
    return failure(
      'MAX_COST_EXCEEDED',
      `Query cost is ${cost}, which exceeds the single query max cost limit (1000).`,
    );
  if (!points.take(cost)) return { ...failure('THROTTLED', 'Throttled'), ...costNote(cost, null, points) };
  const answer = schema === null ? walk(read, root) : await run(schema, read, root);
  const taken = Math.min(cost, answerCost(read.operation, answer.data));
  points.giveBack(cost - taken);
  return { ...answer, ...costNote(cost, taken, points) };
}

function readOperation(query: string, variables: Bag): Operation | { errors: GraphqlError[] } {
  try {
    const document = parse(query);
    const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operation?.kind !== Kind.OPERATION_DEFINITION)
      return failure('undefinedOperation', 'No operation provided');
    return { document, operation, variables };
  } catch (error) {
    return { errors: [{ message: String((error as Error).message) }] };
  }
}

async function run(
  schema: GraphQLSchema,
  { document, variables }: Operation,
  root: Bag,
): Promise<GraphqlAnswer> {
  const { data, errors } = await execute({ schema, document, rootValue: root, variableValues: variables });
  if (!errors) return { data };
  const noted = errors.map(({ message, path }) => ({
    message,
    path,
    extensions: { code: message.startsWith('Access denied') ? 'ACCESS_DENIED' : 'INTERNAL_SERVER_ERROR' },
  }));
  return { data, errors: noted };
}

function failure(code: string, message: string): { errors: GraphqlError[] } {
  return { errors: [{ message, extensions: { code } }] };
}

function costNote(
  requestedQueryCost: number,
  actualQueryCost: number | null,
  points: Points,
): { extensions: Bag } {
  const { maximum: maximumAvailable, restoreRate } = points;
  const throttleStatus = { maximumAvailable, currentlyAvailable: points.available(), restoreRate };
  return { extensions: { cost: { requestedQueryCost, actualQueryCost, throttleStatus } } };
}
