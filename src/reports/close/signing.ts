import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Signs closes with Ed25519: whoever has the public key alone can verify them (an auditor), and only the installation
 * can make them.
 */
export interface Signer {
  /** The raw public key, base64. */
  publicKey: string;
  /** As a file others read: `openssl pkeyutl -verify -pubin -inkey …`. */
  pem: string;
  /** Base64. */
  sign(text: string): string;
}

// RFC 8410: what stands before the 32 bytes of a key in its DER.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** A signer whose private key is these 32 bytes. */
export function openSigner(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
  const open = createPublicKey(key);
  return {
    publicKey: rawOf(open),
    pem: open.export({ format: 'pem', type: 'spki' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

/** Whether the owner of a raw public key signed this text; false for a key that is none. */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const der = Buffer.concat([publicPrefix, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

const rawOf = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length).toString('base64');
