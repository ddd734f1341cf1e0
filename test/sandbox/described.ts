import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Sandbox } from '../../sandbox/emulator/index.ts';
import type { Answer } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a description is read in many places.
type Loose = any;
/** What is wrong with a value, or null. */
type Check = (value: unknown) => string | null;

/** The description a sandbox serves, and the checks made from it. */
export interface Described {
  description: Loose;
  /** The check of the schema at these steps into the description; fields it does not name are wrong too. */
  check(...steps: string[]): Check;
}

/** One for each set of paths a sandbox was started with: all other sandboxes of a process are alike. */
const known = new Map<string, Promise<Described>>();

export function described(sandbox: Pick<Sandbox, 'url' | 'dialect'>, paths: object = {}): Promise<Described> {
  const alike = JSON.stringify([paths, sandbox.dialect]);
  const kept = known.get(alike) ?? readDescription(sandbox.url);
  known.set(alike, kept);
  return kept;
}

async function readDescription(url: string): Promise<Described> {
  const description: Loose = await (await fetch(`${url}/openapi.json`)).json();
  // Not strict: a description has fields around its schemas. Formats are those of the webhook headers.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description, 'sandbox');
  const checks = new Map<string, Check>();
  const compile = (place: string): Check => {
    const valid = ajv.compile({ $ref: `sandbox#${place}`, unevaluatedProperties: false });
    return (value) => (valid(value) ? null : ajv.errorsText(valid.errors, { dataVar: 'body' }));
  };
  return {
    description,
    check(...steps) {
      const place = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      const check = checks.get(place) ?? compile(encodeURI(place).replaceAll('#', '%23'));
      checks.set(place, check);
      return check;
    },
  };
}

/** Throws when an answer is not as the sandbox describes it; disturbed ones are lies by intention. */
export async function expectDescribed(
  sandbox: Sandbox,
  paths: object | undefined,
  method: string,
  url: string,
  answer: Answer,
): Promise<void> {
  const path = url.replace(/[?#].*$/, '');
  if (!path.startsWith('/api/')) return;
  const wrong = await wrongWith(await described(sandbox, paths), method.toLowerCase(), path, answer);
  if (wrong === null || isDisturbed(sandbox, answer)) return;
  throw new Error(`${method} ${path} answered ${answer.status}, not as described: ${wrong}`);
}

async function wrongWith(
  { description, check }: Described,
  method: string,
  path: string,
  { status, headers, body }: Answer,
): Promise<string | null> {
  const template = Object.keys(description.paths).find((one) => matches(one, path, method, description));
  // What no route answers is told in the words of its neighbours, and only these may be said.
  if (template === undefined) {
    if (![400, 401, 404, 413].includes(status)) return 'no operation of the description has this path';
    const words = path.endsWith('/emision') ? ['EmisionError', 'Error'] : ['Error', 'EmpresaError'];
    const wrong = words.map((name) => check('components', 'schemas', name)(body));
    return wrong.includes(null) ? null : wrong.join('; ');
  }
  const { responses } = description.paths[template][method];
  const key = Object.hasOwn(responses, status) ? String(status) : 'default';
  if (key === 'default' && status < 400) return 'the description does not name this status';
  const answer = responses[key];
  if (headers.has('x-sandbox-inferred') && !answer.headers?.['X-Sandbox-Inferred']) {
    return 'it is marked as inferred';
  }
  if (headers.has('retry-after') && !answer.headers?.['Retry-After']) return 'it says when to retry';
  const type = (headers.get('content-type') ?? '').replace(/;.*$/, '');
  if (!Object.hasOwn(answer.content, type)) return `it is ${type}`;
  if (type !== 'application/json') return null;
  return check('paths', template, method, 'responses', key, 'content', type, 'schema')(body);
}

function matches(template: string, path: string, method: string, { paths }: Loose): boolean {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path) && Object.hasOwn(paths[template], method);
}

const lies = new Set(['htmlAnswer', 'brokenJson', 'creadoAsString']);

function isDisturbed(sandbox: Sandbox, { body }: Answer): boolean {
  const struck = sandbox.faults.struck().some(({ kind }) => lies.has(kind));
  return struck && (typeof body === 'string' || typeof body?.creado === 'string');
}
