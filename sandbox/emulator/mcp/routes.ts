import { type Request, type Response, Router } from 'express';
import { failure, send, UnreadableBody } from '../http/answers.ts';
import { readJson } from '../http/read-json.ts';
import type { World } from '../world.ts';

/**
 * `/mcp`: the operations as tools over Streamable HTTP, with `Authorization: Bearer <API_KEY>` or `X-API-KEY`
 * (spec, "Authentication" 2). To be mounted after the body has been read as bytes.
 */
export function mcpRoutes(world: World): Router {
  const router = Router();
  router.all('/mcp', async (req, res) => {
    if (fromAnotherSite(req, world)) {
      return send(res, failure('plain', 403, 'Otra página web no puede usar las herramientas del sandbox.'));
    }
    const account = world.accounts.get(keyOf(req));
    if (!account) {
      const sentence = 'La clave de API no es válida; envíela en Authorization: Bearer o en X-API-KEY.';
      res.setHeader('WWW-Authenticate', 'Bearer');
      return send(res, failure('plain', 401, sentence));
    }
    const message = readMessage(req, res);
    if (message === unreadable) return;
    // Loaded at the first use, because most sandboxes never need the protocol's library.
    const { serve } = await import('./serve.ts');
    await serve({ world, account, production: req.query.produccion === '1' }, message, req, res);
  });
  return router;
}

function keyOf(req: Request): string {
  const bearer = /^Bearer\s+(\S.*)$/i.exec(req.get('Authorization') ?? '')?.[1];
  return bearer?.trim() ?? req.get('X-API-KEY') ?? '';
}

// A browser names the page that asks; no assistant runs in one of another site.
function fromAnotherSite(req: Request, { baseUrl }: World): boolean {
  const origin = req.get('Origin');
  return origin !== undefined && origin !== `http://${req.get('Host')}` && origin !== new URL(baseUrl).origin;
}

const unreadable = Symbol('unreadable');

function readMessage(req: Request, res: Response): unknown {
  if (req.method !== 'POST') return undefined;
  try {
    return readJson(req);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    res.status(400).json({ jsonrpc: '2.0', error: { code: -32700, message: error.message }, id: null });
    return unreadable;
  }
}
