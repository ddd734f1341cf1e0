import { randomBytes } from 'node:crypto';

/** Only letters WooCommerce signs as they are: it decodes HTML in a secret first (measured on WooCommerce 11.0.1). */
export const newSecret = (): string => randomBytes(32).toString('base64url');
