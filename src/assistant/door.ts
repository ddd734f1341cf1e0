import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { parseJson } from '../domain/json.ts';
import type { Log } from '../domain/log.ts';
import { type Call, openMcpServer } from './server.ts';

export interface McpDoorOptions {
  /** Names of tokens and their SHA-256, hex. */
  tokens: Readonly<Record<string, string>>;
  log: Pick<Log, 'warn'>;
  /** How the world reaches us: the only host and origin that are ours, beside this machine. */
  publicUrl: string;
  version: string;
  /** @param by the name of the token that asks. */
  call(by: string): Call;
  /** Rejects with an error that carries its status. */
  readBody(req: IncomingMessage, res: ServerResponse): Promise<Uint8Array>;
}

const methods = new Set(['POST', 'GET', 'DELETE']);
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * `/mcp` over Streamable HTTP, without sessions. Asks first whether the address is ours (a page of another site whose
 * name was turned to this machine), then whether a browser asks for another site, then for the token.
 */
export function mcpDoor({ tokens, publicUrl, version, call, readBody, log }: McpDoorOptions) {
  const ours = new URL(publicUrl);
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const refuse = (status: number, message: string, more: Record<string, string> = {}) => {
      res.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...more,
      });
      res.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
    };
    if (!isOurHost(req.headers.host, ours)) return refuse(403, 'Esta dirección no es la de publicUrl.');
    const { origin } = req.headers;
    if (origin !== undefined && origin !== ours.origin)
      return refuse(403, 'Otra página web no puede usar estas herramientas.');
    const by = holderOf(req.headers.authorization, tokens);
    if (by === null) {
      if (req.headers.authorization !== undefined)
        log.warn({ path: '/mcp' }, 'Somebody gave a wrong token of an assistant');
      return refuse(401, 'Falta un token de mcp.tokens en Authorization: Bearer.', {
        'www-authenticate': 'Bearer',
      });
    }
    // Others make no Request of the web's own kind (TRACE), and nobody needs them.
    if (!methods.has(req.method ?? ''))
      return refuse(405, 'Aquí se escribe con POST.', { allow: [...methods].join(', ') });
    let json: unknown;
    if (req.method === 'POST')
      try {
        json = parseJson(Buffer.from(await readBody(req, res)).toString('utf8'));
      } catch (error) {
        const [status, message] = unread(error);
        return refuse(status, message);
      }
    const handler = createMcpHandler(() => openMcpServer(version, call(by)));
    // A request a server received has both.
    const asked = req as IncomingMessage & { method: string; url: string };
    await toNodeHandler(handler)(asked, res, json);
  };
}

function isOurHost(host: string | undefined, ours: URL): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  return host === ours.host || localHosts.has(new URL(`http://${host}`).hostname);
}

/** The name of the token; every one is compared, in the same time. */
function holderOf(header: string | undefined, tokens: Readonly<Record<string, string>>): string | null {
  const [, token = ''] = /^Bearer ([\x21-\x7e]{1,200})$/.exec(header ?? '') ?? [];
  const given = createHash('sha256').update(token).digest();
  let found: string | null = null;
  for (const [name, hash] of Object.entries(tokens))
    if (timingSafeEqual(given, Buffer.from(hash, 'hex')) && token !== '') found = name;
  return found;
}

/** Why a body was not read, as its sender is told. */
function unread(error: unknown): [status: number, message: string] {
  const { status = 400 } = error as { status?: number };
  if (status === 413) return [413, 'El mensaje es demasiado grande.'];
  if (status === 503)
    return [503, 'Llegan demasiadas solicitudes a la vez; vuelva a intentarlo en unos segundos.'];
  return [400, 'El mensaje no es JSON, o tiene más de 200 niveles.'];
}
