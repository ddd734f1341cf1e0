import { scryptSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Person, Role } from '../../src/domain/settings.ts';
import { type InstallationOptions, openInstallation } from '../http/installation.ts';

export const password = 'contraseña de prueba';
/** Made like ours with less work, so that many guesses are quick. */
export function hashed(word: string): string {
  const salt = Buffer.alloc(16, 3);
  const key = scryptSync(word.normalize('NFC'), salt, 32, { N: 2 ** 4, r: 8, p: 1 });
  return `scrypt:4:8:1:${salt.toString('base64url')}:${key.toString('base64url')}`;
}
export const passwordHash = hashed(password);
export const person = (user: string, role: Role): Person => ({ user, role, passwordHash });

/** A house with a panel for rosa (read), omar (operate) and carla (configure), who need no code unless said. */
export async function openPanel(options: InstallationOptions = {}) {
  const people = [person('rosa', 'read'), person('omar', 'operate'), person('carla', 'configure')];
  const installation = await openInstallation({ people, secondFactor: 'off', ...options });
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${installation.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { connection: 'close', 'sec-fetch-site': 'same-origin', ...headers },
    });
  const enter = (user: string, clave: string = password, headers: Record<string, string> = {}) =>
    form('/panel/entrar', { usuario: user, clave }, headers);
  return {
    ...installation,
    form,
    enter,
    signIn: (user: string, clave?: string) => signIn({ enter, form, get: installation.get }, user, clave),
  };
}
export type PanelInstallation = Awaited<ReturnType<typeof openPanel>>;

interface Endpoints {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  enter(user: string, clave?: string): Promise<Response>;
}

/** The cookie an answer sets, as a browser sends it back. */
export const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** What a browser keeps of a sign-in that sends it back later: the cookie of the known device alone. */
export const deviceIn = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .find((one) => one.includes('-equipo='))
    ?.split(';')[0] ?? '';

export const isIn = async ({ get }: Pick<Endpoints, 'get'>, cookie: string): Promise<boolean> =>
  (await get('/panel', { cookie })).status === 200;

/** The secret on the page that enrols a second factor. */
export const secretOn = (page: string): string => /data-copy="([A-Z2-7]{32})"/.exec(page)?.[1] ?? '';

export const codeAt = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });

async function signIn(installation: Endpoints, user: string, clave?: string) {
  const cookie = cookieOf(await installation.enter(user, clave));
  const get = (path: string, headers = {}) => installation.get(path, { cookie, ...headers });
  return {
    cookie,
    get,
    text: async (path: string) => (await get(path)).text(),
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      installation.form(path, fields, { cookie, ...headers }),
  };
}
