import type { Request, RequestHandler } from 'express';
import type { World } from '../world.ts';

/**
 * Lets in only what this machine asks, under a name of its own, for itself. The control routes need no key, so
 * two ways around that are closed: a foreign name that resolves to this machine (DNS rebinding, 421) and a
 * form or script of another site open in the developer's browser (403). Other machines see no route (404).
 */
export function thisMachineOnly(world: World): RequestHandler {
  return (req, res, next) => {
    const refuse = (status: number, message: string) => res.status(status).json({ success: false, message });
    if (!fromThisMachine(req)) refuse(404, 'La ruta no existe.');
    else if (!underOwnName(req, world))
      refuse(
        421,
        'Esta ruta solo atiende en localhost o 127.0.0.1; abra la dirección que mostró el sandbox.',
      );
    else if (!forItself(req)) refuse(403, 'Otra página web no puede manejar el sandbox.');
    else next();
  };
}

function fromThisMachine(req: Request): boolean {
  const address = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return address.startsWith('127.') || address === '::1';
}

function underOwnName(req: Request, world: World): boolean {
  const asked = `http://${req.get('Host')}`;
  if (!URL.canParse(asked)) return false;
  const names = ['127.0.0.1', 'localhost', '[::1]', new URL(world.baseUrl).hostname];
  return names.includes(new URL(asked).hostname);
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
