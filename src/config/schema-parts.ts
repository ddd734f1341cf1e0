import { z } from 'zod';

/** Kinds of values that several parts of the config share. Sentences are Spanish because the merchant reads them. */
export const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'Los nombres llevan minúsculas, números, «-» y «_» (hasta 63).');

export const filled = z.string().min(1);
export const textUpTo = (length: number) => filled.max(length);

export const secret = z
  .string()
  .min(
    32,
    'El secreto debe tener al menos 32 caracteres, por ejemplo el que imprime «openssl rand -base64 32».',
  );

const webAddress = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '';
}, 'Debe ser una dirección completa que empieza con https://, sin «?» ni «#».');
export const baseAddress = webAddress.transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** Whether nobody on the way reads what is sent there: by TLS, or on this machine. What is no address is told elsewhere. */
export function isEncrypted(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
