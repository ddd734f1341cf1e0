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
import { queryCost } from './cost.ts';
import type { Bag, GraphqlAnswer, GraphqlError, Operation } from './graphql-types.ts';
import { walk } from './walk.ts';

/** The Admin schema from its SDL; building takes a second or two, so build once for several shops. */
export function buildAdminSchema(sdl: string): GraphQLSchema {
  return buildSchema(sdl, { assumeValidSDL: true });
}

const bucket = 2_000;
const restoreRate = 100;

/** Runs one GraphQL request against the object tree `root`; with a schema, as strictly as Shopify or more. */
export async function answerGraphql(
  schema: GraphQLSchema | null,
  query: string,
  variables: Bag,
  root: Bag,
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
  const answer = schema === null ? walk(read, root) : await run(schema, read, root);
  return { ...answer, extensions: { cost: costNote(cost, bucket - cost) } };
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

/** The bucket is empty: HTTP 200 with an error, and the figures to wait by. */
export function throttled(requested: number): GraphqlAnswer {
  return { ...failure('THROTTLED', 'Throttled'), extensions: { cost: costNote(requested, 0) } };
}

function costNote(requestedQueryCost: number, currentlyAvailable: number): Bag {
  const throttleStatus = { maximumAvailable: bucket, currentlyAvailable, restoreRate };
  return { requestedQueryCost, actualQueryCost: requestedQueryCost, throttleStatus };
}
