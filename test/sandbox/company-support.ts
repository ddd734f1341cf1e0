import type { Sandbox } from '../../sandbox/emulator/index.ts';
import { expectDescribed } from './described.ts';
import { type Answer, apiKey, type Client } from './support.ts';

// Bodies are written by hand here: the sandbox must not be tested with our own client.

// biome-ignore lint/suspicious/noExplicitAny: tests break the body in every way.
type Loose = Record<string, any>;

export const ruc = '1792146739001';

/** The least a company needs, and whatever a test changes. */
export function company(change: Loose = {}): Loose {
  return { ruc, razon_social: 'EMISOR DE PRUEBA S.A.', ...change };
}

/** Custom mail settings without a fault. */
export const mail = {
  smtp: true,
  smtp_host: 'smtp.example.com',
  smtp_port: 587,
  smtp_user: 'facturas',
  smtp_password: 'secreto-smtp',
  smtp_from_email: 'facturas@example.com',
};

export const create = (client: Client, body: unknown = company()): Promise<Answer> =>
  client.send('POST', '/api/empresa/crear', body);

export const edit = (client: Client, body: unknown): Promise<Answer> =>
  client.send('PUT', '/api/empresa/editar', body);

/** Sends a multipart form: strings as fields, bytes as files. */
export async function sendForm(
  { sandbox }: Client,
  path: string,
  parts: Record<string, string | Buffer>,
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'archivo.bin');
  }
  return post(sandbox, path, form);
}

/** Sends bytes as they are under a multipart Content-Type. */
export function sendRawForm({ sandbox }: Client, path: string, contentType: string, body: string | Buffer) {
  return post(sandbox, path, typeof body === 'string' ? body : new Uint8Array(body), contentType);
}

async function post(
  sandbox: Sandbox,
  path: string,
  body: NonNullable<RequestInit['body']>,
  contentType?: string,
): Promise<Answer> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { 'X-API-KEY': apiKey, ...(contentType ? { 'content-type': contentType } : {}) },
    body,
  });
  const answer = { status: response.status, headers: response.headers, body: await response.json() };
  await expectDescribed(sandbox, undefined, 'POST', path, answer);
  return answer;
}
