import { z } from 'zod';
import type { DescribedAnswer, Operation } from '../operation.ts';
import { companyFailures } from '../operations/company-answers.ts';
import { aviso, failed, notCreated } from '../operations/shapes.ts';
import type { Components } from './components.ts';

// What any route may answer besides: a body that cannot be read or is too large, an internal error.
const otherFailures: Readonly<Record<Operation['words'], z.ZodType>> = {
  emision: notCreated,
  empresa: z.union([companyFailures[400].json, failed]),
  plain: failed,
};

/** Every answer of an operation, as `responses` of the description. */
export function describeAnswers(operation: Operation, components: Components): Record<string, unknown> {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    describeAnswer(operation, Number(status), answer, components),
  ]);
  const rest = { says: 'Any other failure', json: otherFailure(operation) };
  return { ...Object.fromEntries(answers), default: describeAnswer(operation, 500, rest, components) };
}

/** In the route's error shape; internal errors in the operation's own where it has one. */
function otherFailure({ words, answers }: Operation): z.ZodType {
  const internal = answers[500];
  const byWords = otherFailures[words];
  if (!internal || !('json' in internal) || internal.json === byWords) return byWords;
  return z.union([byWords, internal.json]);
}

function describeAnswer(
  operation: Operation,
  status: number,
  answer: DescribedAnswer,
  components: Components,
): Record<string, unknown> {
  const headers = {
    ...(answer.inferred || mayBeInferred(operation, status)
      ? { 'X-Sandbox-Inferred': { $ref: '#/components/headers/Inferred' } }
      : {}),
    ...(status === 429 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
  };
  return {
    description: answer.says,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content:
      'type' in answer
        ? { [answer.type]: { schema: bytesOf(answer.type) } }
        : {
            'application/json': { schema: components.use(noticed(operation, status, answer.json), 'output') },
          },
  };
}

// The specification shows how a wrong key is answered; of most other failures it shows the status only.
const mayBeInferred = ({ inferred }: Operation, status: number) =>
  status !== 401 && (inferred || status >= 400);

// Without a known key there is no account the notice could be about.
function noticed({ access }: Operation, status: number, json: z.ZodType): z.ZodType {
  return access === 'key' && status !== 401 ? withNotice(json) : json;
}

/** The schema with the notice that every answer may carry, where it does not name it itself. */
function withNotice(json: z.ZodType): z.ZodType {
  if (json instanceof z.ZodUnion) return z.union((json.options as z.ZodType[]).map(withNotice));
  if (!(json instanceof z.ZodObject) || 'aviso_proveedor_sri' in json.shape) return json;
  return json.safeExtend(aviso);
}

// In OpenAPI 3.1 raw bytes have no type.
const bytesOf = (type: string) =>
  /xml|text|html/.test(type) ? { type: 'string' } : { contentMediaType: type };
