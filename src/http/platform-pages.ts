import type { Express, Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { PageContext, Platform, ShopContext } from '../domain/platform.ts';
import { addressOf, type Settings } from '../domain/settings.ts';
import { limitLines } from '../queue/transport.ts';
import type { HttpDeps } from './deps.ts';
import { openRawBody } from './endpoints.ts';
import { merchantPolicy } from './pages.ts';

const bodyLimit = 64 * 1024;

export function addPlatformPages(
  app: Express,
  settings: Settings,
  contextOf: (platform: Platform) => ShopContext,
  more: PageParts,
): void {
  const readBody = openRawBody(bodyLimit, more.bodies);
  for (const platform of platformsOf(settings)) {
    const shop = contextOf(platform);
    const warn = limitLines(shop.log.warn.bind(shop.log), () => shop.clock.now().getTime());
    const log = { ...shop.log, warn };
    const context = pageContext(platform, settings, { ...shop, log }, more);
    for (const { method, path, answer } of platform.pages ?? [])
      app[method === 'GET' ? 'get' : 'post'](path, merchantPolicy, async (req, res) => {
        const body = method === 'POST' ? (await readBody(req, res)).body : null;
        await send(res, await answer(asSeenOutside(req, settings.publicUrl, body), context));
      });
  }
}

type PageParts = Pick<HttpDeps, 'tickets' | 'bodies' | 'connected'>;

function platformsOf({ apps, stores }: Settings): Set<Platform> {
  return new Set([...apps.values(), ...stores.values()].map(({ platform }) => platform));
}

function pageContext(
  platform: Platform,
  settings: Settings,
  context: ShopContext,
  { tickets, connected }: PageParts,
): PageContext {
  const apps = [...settings.apps.values()].filter((one) => one.platform === platform);
  return {
    ...context,
    tickets,
    connected: (shop, app) => connected(platform, shop, app),
    publicUrl: settings.publicUrl,
    apps: new Map(apps.map(({ id, settings: written }) => [id, written])),
    stores: () =>
      [...settings.stores.values()]
        .filter((store) => store.platform === platform)
        .map((store) => ({
          id: store.id,
          shop: addressOf(store),
          app: store.app?.id ?? null,
          connection: store.connection,
        })),
  };
}

/** The URL is the public one: a proxy may have changed host and scheme. */
function asSeenOutside(req: ExpressRequest, publicUrl: string, body: Uint8Array | null): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  // A request in absolute form (RFC 9112, 3.2.2) names a host, which is not trusted.
  const path = req.url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return new Request(`${publicUrl}${path}`, {
    method: req.method,
    headers,
    body: body && new Uint8Array(body),
  });
}

async function send(res: ExpressResponse, answer: Response): Promise<void> {
  res.status(answer.status);
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') res.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader('set-cookie', cookies);
  res.send(Buffer.from(await answer.arrayBuffer()));
}
