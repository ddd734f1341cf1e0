import type { Request, RequestHandler } from 'express';
import { isInternalAddress } from '../webhooks/webhook-url.ts';
import type { World } from '../world.ts';

/**
 * Lets in only what this machine asks, under a name of its own, for itself. The control routes need no key, so
 * the ways around that are closed: a tunnel or proxy that passes on what others ask (404, as for other machines),
 * another name that resolves to this machine (DNS rebinding, 421), and a form or script of another site open
 * in the developer's browser (403).
 */
export function thisMachineOnly({ settings }: Pick<World, 'settings'>): RequestHandler {
  return (req, res, next) => {
    const refuse = (status: number, message: string) => res.status(status).json({ success: false, message });
    if (!fromThisMachine(req, settings.inContainer)) refuse(404, 'La ruta no existe.');
    else if (!underOwnName(req))
      refuse(
        421,
        'Esta ruta solo atiende en localhost o 127.0.0.1; abra la dirección que mostró el sandbox.',
      );
    else if (!forItself(req)) refuse(403, 'Otra página web no puede manejar el sandbox.');
    else next();
  };
}

function fromThisMachine(req: Request, inContainer: boolean): boolean {
  if (req.get('X-Forwarded-For') !== undefined || req.get('Forwarded') !== undefined) return false;
  return mayControl(req.socket.remoteAddress ?? '', inContainer);
}

/** Behind a container's published port, this machine's callers come from the private network of containers. */
export function mayControl(remoteAddress: string, inContainer: boolean): boolean {
  const address = remoteAddress.replace(/^::ffff:/, '');
  return address.startsWith('127.') || address === '::1' || (inContainer && isInternalAddress(address));
}

// Not the public URL's: behind a tunnel everybody in the world asks under that name.
function underOwnName(req: Request): boolean {
  const asked = `http://${req.get('Host')}`;
  if (!URL.canParse(asked)) return false;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(asked).hostname);
}

// Reading is harmless: another site's page may link here but cannot see the answer. Programs that are no
// browser send neither header.
function forItself(req: Request): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return true;
  const site = req.get('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = req.get('Origin');
  return origin === undefined || origin === `http://${req.get('Host')}`;
}
