import { z } from 'zod';
import { amount } from '../../src/domain/loose.ts';
import { freeText, word } from '../../src/domain/text.ts';

/* The small shapes the answers of the Admin GraphQL API are made of. */

export const text = freeText.nullable();
export { amount, instant, instantOrNone } from '../../src/domain/loose.ts';
/** Shop money only: the documents ask for nothing else on repeated nodes. */
export const money = z.object({ shopMoney: z.object({ amount }) });
export const gid = word.regex(/^[^?]*\/\d+(\?.*)?$/, 'id');
export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: text });

/** One page of a connection. */
export const pageOf = <Node extends z.ZodType>(node: Node) => z.object({ nodes: z.array(node), pageInfo });
