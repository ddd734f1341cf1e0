import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Log } from '../core/log.ts';
import { refuse } from './failures.ts';
import { inLine, limitWrong, markWrong } from './guesses.ts';
import { says } from './metrics.ts';
import { isPassword } from './password.ts';

export interface Operator {
  user: string;
  passwordHash: string;
}

/** A page asks for a dozen files at once, each with the password: it is reckoned once. */
const rememberMs = 5 * 60_000;

/**
 * Lets only the operator of the config pass, by HTTP Basic. Goes in front of pages that only show: nothing but
 * GET and HEAD passes, since a browser sends the password along with requests other sites make it send.
 */
export function operatorOnly({ user, passwordHash }: Operator, log: Log): RequestHandler[] {
  let known: { header: Buffer; until: number } | null = null;

  const isKnown = (digest: Buffer): boolean =>
    known !== null && known.until > performance.now() && timingSafeEqual(known.header, digest);

  async function guess(header: string, digest: Buffer): Promise<boolean> {
    // Whoever stood before it in the line may have been the same.
    if (isKnown(digest)) return true;
    const { name, password } = readBasic(header);
    // Both are always looked at: how long it takes does not tell which was wrong.
    const right = await isPassword(password, passwordHash);
    if (!says(name, user) || !right) return false;
    known = { header: digest, until: performance.now() + rememberMs };
    return true;
  }

  async function isOperator(header: string): Promise<boolean> {
    const digest = createHash('sha256').update(header).digest();
    return isKnown(digest) || ((await inLine(() => guess(header, digest))) ?? false);
  }

  const limit = limitWrong((_req, res) =>
    refuse(res, 429, 'too-many', 'Demasiados intentos; espere un minuto.'),
  );
  const check: RequestHandler = async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return refuse(res, 405, 'only-looking', 'Aquí solo se puede mirar.');
    const header = req.headers.authorization;
    if (header !== undefined && (await isOperator(header))) return next();
    if (header !== undefined) {
      markWrong(res);
      log.warn({ path: req.baseUrl }, 'Somebody gave a wrong operator password');
    }
    res.set('WWW-Authenticate', 'Basic realm="facturapuente", charset="UTF-8"');
    refuse(res, 401, 'unauthorized', 'Esta página es del operador: hacen falta usuario y contraseña.');
  };
  return [limit, check];
}

function readBasic(header: string): { name: string; password: string } {
  const [, encoded = ''] = /^Basic ([\w+/=-]{1,1000})$/i.exec(header) ?? [];
  const [, name = '', password = ''] =
    /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return { name, password };
}
