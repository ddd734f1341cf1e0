import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import { LedgerError } from '../domain/errors.ts';

/** Keeps texts and files unreadable at rest. `place` names table and row: what was sealed is worth nothing elsewhere. */
export interface Seal {
  close(text: string, place: string): string;
  open(sealed: string, place: string): string;
  closeBytes(bytes: Uint8Array, place: string): Uint8Array;
  openBytes(sealed: Uint8Array, place: string): Uint8Array;
  /** Whether the newest key sealed it. */
  isNewest(sealed: string | Uint8Array): boolean;
}

const version = 'v1';
const keyIdBytes = 4;
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a random IV of 12 bytes; the place is authenticated with it. The first key seals, all of them
 * open, so that a secret can be replaced. Text form: `v1.<key id>.<iv>.<ciphertext>.<tag>`, base64url; of bytes:
 * key id, IV, tag, ciphertext. The key id is the start of the key's SHA-256, so that a wrong key is told apart from
 * a damaged row. Throws LedgerError `seal-key` and `seal-broken`.
 */
export function openSeal(secrets: Uint8Array | readonly Uint8Array[]): Seal {
  const keys = (secrets instanceof Uint8Array ? [secrets] : secrets).map(readKey);
  const [newest] = keys;
  if (!newest) throw new RangeError('A seal needs at least one key.');

  const keyOf = (id: string, place: string): KeyObject => {
    const key = keys.find((one) => one.id === id);
    if (key) return key.secret;
    throw new LedgerError(
      'seal-key',
      'La clave de cifrado configurada no es la que protegió este registro. Restaure la clave anterior.',
      `${place} was sealed with key ${id}, which is not configured; restore the key it was sealed with.`,
    );
  };

  return {
    close(text, place) {
      const parts = encrypt(newest.secret, Buffer.from(text, 'utf8'), place);
      const [iv, sealed, tag] = parts.map((part) => part.toString('base64url'));
      return [version, newest.id, iv, sealed, tag].join('.');
    },
    open(sealed, place) {
      const [form, id = '', iv = '', ciphertext = '', tag = ''] = sealed.split('.');
      if (form !== version) throw broken(place);
      const part = (text: string) => Buffer.from(text, 'base64url');
      return decrypt(keyOf(id, place), part(iv), part(ciphertext), part(tag), place).toString('utf8');
    },
    isNewest(sealed) {
      if (typeof sealed === 'string') return sealed.startsWith(`${version}.${newest.id}.`);
      return Buffer.from(newest.id, 'hex').equals(sealed.subarray(0, keyIdBytes));
    },
    closeBytes(bytes, place) {
      const [iv, sealed, tag] = encrypt(newest.secret, bytes, place);
      return Buffer.concat([Buffer.from(newest.id, 'hex'), iv, tag, sealed]);
    },
    openBytes(sealed, place) {
      const all = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
      const head = keyIdBytes + ivBytes + tagBytes;
      if (all.length < head) throw broken(place);
      const iv = all.subarray(keyIdBytes, keyIdBytes + ivBytes);
      const tag = all.subarray(keyIdBytes + ivBytes, head);
      const id = all.subarray(0, keyIdBytes).toString('hex');
      return decrypt(keyOf(id, place), iv, all.subarray(head), tag, place);
    },
  };
}

function readKey(bytes: Uint8Array): { id: string; secret: KeyObject } {
  if (bytes.length !== 32)
    throw new LedgerError(
      'seal-key',
      'La clave de cifrado del registro debe tener exactamente 32 bytes. Genérela de nuevo y guárdela en la configuración.',
      `The ledger's seal key has ${bytes.length} bytes; AES-256 needs exactly 32.`,
    );
  const id = createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, 2 * keyIdBytes);
  return { id, secret: createSecretKey(bytes) };
}

/** Drawn many at a time: one by one they would take as long as the encryption. Each is used once. */
const ivs = Buffer.alloc(256 * ivBytes);
let nextIv = ivs.length;

function freshIv(): Buffer {
  if (nextIv === ivs.length) {
    randomFillSync(ivs);
    nextIv = 0;
  }
  nextIv += ivBytes;
  return Buffer.from(ivs.subarray(nextIv - ivBytes, nextIv));
}

function encrypt(
  key: KeyObject,
  bytes: Uint8Array,
  place: string,
): [iv: Buffer, sealed: Buffer, tag: Buffer] {
  const iv = freshIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return [iv, sealed, cipher.getAuthTag()];
}

function decrypt(key: KeyObject, iv: Buffer, sealed: Buffer, tag: Buffer, place: string): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch (cause) {
    throw broken(place, cause);
  }
}

function broken(place: string, cause?: unknown): LedgerError {
  return new LedgerError(
    'seal-broken',
    'Un dato protegido del registro está dañado o fue alterado. Restaure una copia de respaldo.',
    `${place} does not open: it was damaged or altered; restore it from a backup.`,
    { cause },
  );
}
