import type { Problem } from './messages.ts';

const secretSettings: ReadonlySet<string> = new Set(['secret', 'secrets', 'webhookSecrets', 'clientSecrets']);
const secretPaths: ReadonlySet<string> = new Set(['metrics.token']);
const addresses: readonly (readonly [string, string])[] = [
  ['ledger', 'url'],
  ['redis', 'url'],
];

const samples: ReadonlySet<string> = new Set([
  'un-secreto-de-32-caracteres-o-mas-escrito-aqui',
  'un-secreto-del-servicio',
  'secreto-del-servicio',
  'secreto-de-la-tienda',
  'secreto-de-demostracion',
  'clave-de-prueba',
  'letrasydigitos1234',
  'password',
  'contrasena',
  'contraseña',
  'clave',
  'facturapuente',
  'postgres',
]);

/** Characters: openssl, Shopify and WooCommerce make no shorter secrets. */
const shortest = 32;

export const isGuessable = (text: string): boolean =>
  text.length < shortest || samples.has(text.trim().toLowerCase());

export function weakSecrets(value: unknown): Problem[] {
  return [...settingsIn(value, []), ...addresses.flatMap((path) => weakAddress(value, path))];
}

function settingsIn(value: unknown, path: readonly string[]): Problem[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, name];
    if (!secretSettings.has(name) && !secretPaths.has(at.join('.'))) return settingsIn(inner, at);
    const one = typeof inner === 'string' && isGuessable(inner) ? [problem(at, name)] : [];
    const many = Array.isArray(inner)
      ? inner.flatMap((text, index) =>
          typeof text === 'string' && isGuessable(text) ? [problem([...at, String(index)], name)] : [],
        )
      : settingsIn(inner, at);
    return [...one, ...many];
  });
}

function weakAddress(value: unknown, [section, name]: readonly [string, string]): Problem[] {
  const written = (value as Record<string, Record<string, unknown> | null | undefined>)[section]?.[name];
  if (typeof written !== 'string' || !URL.canParse(written)) return [];
  const { hostname, password } = new URL(written);
  if (['localhost', '127.0.0.1', '[::1]', ''].includes(hostname)) return [];
  return samples.has(decoded(password).toLowerCase()) ? [problem([section, name], name)] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const make = 'ponga uno al azar, por ejemplo el que imprime «openssl rand -base64 32».';

function problem(path: readonly string[], name: string): Problem {
  const message =
    name === 'clientSecrets'
      ? 'No es un Client secret: cópielo de la app, en el Dev Dashboard de Shopify.'
      : name === 'url'
        ? 'La contraseña es la de un ejemplo: ponga una al azar, por ejemplo la que imprime «openssl rand -hex 32».'
        : `Es corto o el de un ejemplo, y se puede adivinar: ${make}`;
  return { path: path.join('.'), message };
}
