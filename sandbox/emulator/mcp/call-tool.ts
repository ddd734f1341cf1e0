import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Account, mask } from '../accounts/accounts.ts';
import { isoInEcuador } from '../clock.ts';
import { failure, inDialect, UnreadableBody, withNotice } from '../http/answers.ts';
import { withoutSecrets } from '../http/without-secrets.ts';
import { Bytes, type Operation, type Reply } from '../operation.ts';
import type { World } from '../world.ts';

/** Who is connected, and whether its URL carries `produccion=1`. */
export interface Connection {
  world: World;
  account: Account;
  production: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

const testOnly =
  'Se usó el ambiente 1 (pruebas) en lugar del pedido: la URL de esta conexión no lleva produccion=1, así que no ' +
  'emite en producción.';

/** Does what a tool says: by the operation's own handler, under the account's rate, seen by the audit. */
export async function callTool(
  { world, account, production }: Connection,
  operation: Operation,
  given: Arguments,
): Promise<CallToolResult> {
  const forced = operation.issues === true && !production;
  const input = forced ? { ...given, ambiente: 1 } : given;
  const record = {
    at: isoInEcuador(world.clock.now()),
    method: 'MCP',
    path: operation.id,
    key: mask(account.apiKey),
    status: null,
    body: withoutSecrets(input),
  };
  world.requests.add(record);
  const plain =
    (production ? undefined : wouldIssueInProduction(operation, input)) ??
    (await answer(world, account, operation, input).catch((error) => broken(world, operation, error)));
  const reply = inDialect(world, operation, plain);
  world.requests.ended(record, reply.status);
  const result = toResult(reply, account, operation, input);
  if (!forced || given.ambiente === undefined || given.ambiente === 1) return result;
  return { ...result, content: [...result.content, { type: 'text', text: testOnly }] };
}

// Sent again, a document of ambiente 2 is authorised and paid for there: the key names its ambiente (tabla 1).
function wouldIssueInProduction({ id, words }: Operation, { claveacceso }: Arguments): Reply | undefined {
  if (!id.startsWith('reprocesar_') || String(claveacceso)[23] !== '2') return undefined;
  return failure(words, 403, 'Reprocesar un comprobante de producción pide una conexión con produccion=1.');
}

// The assistant gets the answer of a caller over HTTP; the log has the cause.
function broken(world: World, { words }: Operation, error: unknown): Reply {
  world.settings.log(`Error interno: ${error instanceof Error ? error.stack : error}`);
  return failure(words, 500, 'Error interno del sandbox.');
}

async function answer(
  world: World,
  account: Account,
  operation: Operation,
  input: Arguments,
): Promise<Reply> {
  const refused = world.rateLimit.take(account.apiKey);
  if (refused) {
    const sentence = `Superó las 300 solicitudes por minuto; espere ${refused.retryAfterSeconds} segundos.`;
    return failure(operation.words, 429, sentence);
  }
  const taken = new Set<string>();
  const part = (schema: Operation['params']) => {
    const names = Object.keys(schema?.shape ?? {}).filter((name) => input[name] !== undefined);
    for (const name of names) taken.add(name);
    return Object.fromEntries(names.map((name) => [name, String(input[name])]));
  };
  const [params, query] = [part(operation.params), part(operation.query)];
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !taken.has(name)));
  const emission = operation.words === 'emision';
  try {
    return await operation.handle({
      world,
      account,
      params,
      query,
      strike: world.faults.meet({ operacion: operation.id, emission, apiKey: account.apiKey }),
      json: () => body,
      form: async () => null,
    });
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    return failure(operation.words, 400, error.message);
  }
}

function toResult(
  { status, body }: Reply,
  account: Account,
  operation: Operation,
  input: Arguments,
): CallToolResult {
  if (body instanceof Bytes) return toFile(body, `sandbox://${operation.id}/${input.claveacceso ?? ''}`);
  const reported = withNotice(body, account);
  const failed = [reported.creado, reported.success, reported.respuesta].map(String).includes('false');
  return {
    content: [{ type: 'text', text: JSON.stringify(reported, null, 2) }],
    structuredContent: reported,
    isError: status >= 400 || failed,
  };
}

function toFile({ type, content }: Bytes, uri: string): CallToolResult {
  if (typeof content === 'string') return { content: [{ type: 'text', text: content }] };
  const blob = content.toString('base64');
  return { content: [{ type: 'resource', resource: { uri, mimeType: type, blob } }] };
}
