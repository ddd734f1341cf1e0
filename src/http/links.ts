import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type LinkPurpose = 'pdf' | 'xml';

/** Signed addresses of a document's files. They carry a document's id and nothing about the buyer. */
export interface Links {
  pdf(documentId: string): string;
  xml(documentId: string): string;
  /** What a token was made for; null for everything we did not sign. */
  read(token: string): { purpose: LinkPurpose; documentId: string } | null;
}

interface Key {
  id: string;
  bytes: Buffer;
}

/**
 * `token = base64url(keyId.purpose.documentId).base64url(HMAC-SHA256, 192 bits)`. The newest secret (32 bytes)
 * signs, all of them verify, so that links already sent out outlive a rotation. The service's own PDF route
 * needs the API key (spec, endpoints); these are what a buyer can open.
 */
export function openLinks(secrets: Uint8Array | readonly Uint8Array[], publicUrl: string): Links {
  const keys = (secrets instanceof Uint8Array ? [secrets] : secrets).map(readKey);
  const [newest] = keys;
  if (!newest) throw new RangeError('Document links need at least one secret of 32 bytes.');
  const link = (purpose: LinkPurpose, documentId: string) => {
    const payload = Buffer.from(`${newest.id}.${purpose}.${documentId}`).toString('base64url');
    return `${publicUrl}/d/${payload}.${sign(newest, payload)}.${purpose}`;
  };
  return {
    pdf: (documentId) => link('pdf', documentId),
    xml: (documentId) => link('xml', documentId),
    read(token) {
      const [, payload, signature] = /^([\w-]{1,400})\.([\w-]{32})$/.exec(token) ?? [];
      if (payload === undefined || signature === undefined) return null;
      const text = Buffer.from(payload, 'base64url').toString();
      const [, keyId, purpose, documentId] = /^(\w+)\.(pdf|xml)\.(.+)$/.exec(text) ?? [];
      const key = keys.find((one) => one.id === keyId);
      if (!key || documentId === undefined) return null;
      // Both texts have 32 ASCII characters. The payload is signed as text, so no second spelling of it passes.
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, payload)))) return null;
      return { purpose: purpose as LinkPurpose, documentId };
    },
  };
}

/** A key of its own for links: the same secret may serve other purposes elsewhere. */
function readKey(secret: Uint8Array): Key {
  if (secret.length !== 32) throw new RangeError('A secret for document links has 32 bytes.');
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, '', info, length));
  return {
    id: derive('facturapuente document link key id', 3).toString('hex'),
    bytes: derive('facturapuente document links', 32),
  };
}

function sign(key: Key, payload: string): string {
  return createHmac('sha256', key.bytes).update(payload).digest().subarray(0, 24).toString('base64url');
}
