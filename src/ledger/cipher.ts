import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import { sql } from 'kysely';
import { LedgerError } from '../domain/errors.ts';
import type { Access } from './access.ts';

/** Every encrypted column, and the key columns of its place: `table.column key key`. */
const columns = [
  { table: 'attempts', column: 'encryptedBody', key: ['id'], as: 'text' },
  { table: 'credentials', column: 'encrypted', key: ['platform', 'shop'], as: 'text' },
  { table: 'questions', column: 'encrypted', key: ['platform', 'shop', 'orderId'], as: 'text' },
  { table: 'secondFactors', column: 'encrypted', key: ['person'], as: 'text' },
  { table: 'sessions', column: 'encryptedSecret', key: ['tokenHash'], as: 'text' },
  { table: 'files', column: 'encrypted', key: ['documentId', 'kind'], as: 'bytes' },
] as const;

type Column = (typeof columns)[number];
type Row = Record<string, string> & { encrypted: string | Uint8Array | null };

/** A body has a few kilobytes, a file some hundred. */
const atOnce = 100;

/** May run beside the serving process, and again after an interruption. Throws LedgerError as the cipher. */
export async function reencrypt(access: Access, cipher: Cipher): Promise<number> {
  let count = 0;
  for (const column of columns) {
    let after: string[] | null = null;
    for (;;) {
      const rows = await page(access, column, after);
      const last = rows.at(-1);
      if (!last) break;
      for (const row of rows) if (await reencryptRow(access, cipher, column, row)) count += 1;
      after = column.key.map((name) => last[name] ?? '');
    }
  }
  return count;
}

async function page({ db }: Access, { table, column, key }: Column, after: string[] | null): Promise<Row[]> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const from = after === null ? sql`` : sql`where (${names}) > (${sql.join(after)})`;
  const { rows } = await sql<Row>`
    select ${names}, ${sql.ref(column)} as encrypted from ${sql.table(table)} ${from} order by ${names} limit ${atOnce}
  `.execute(db());
  return rows;
}

/** Compare-and-set: a value written meanwhile is encrypted with the newest key already. */
async function reencryptRow(
  { db }: Access,
  cipher: Cipher,
  { table, column, key, as }: Column,
  row: Row,
): Promise<boolean> {
  const { encrypted } = row;
  if (encrypted === null || cipher.isNewest(encrypted)) return false;
  const place = `${table}.${column} ${key.map((name) => row[name]).join(' ')}`;
  const fresh =
    as === 'text'
      ? cipher.close(cipher.open(String(encrypted), place), place)
      : cipher.closeBytes(cipher.openBytes(encrypted as Uint8Array, place), place);
  const is = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${fresh} where ${is} and ${sql.ref(column)} = ${encrypted}
  `.execute(db());
  return numAffectedRows > 0n;
}

/** `place` names table and row: an encrypted value is decrypted only there. */
export interface Cipher {
  close(text: string, place: string): string;
  open(encrypted: string, place: string): string;
  closeBytes(bytes: Uint8Array, place: string): Uint8Array;
  openBytes(encrypted: Uint8Array, place: string): Uint8Array;
  isNewest(encrypted: string | Uint8Array): boolean;
}

const version = 'v1';
const keyIdBytes = 4;
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a 12-byte IV and the place as AAD. Text is base64url `v1.<key id>.<iv>.<ciphertext>.<tag>`; bytes are
 * key id, IV, tag, ciphertext. The first key encrypts. A wrong key (by its id) is `secret-changed`, else `data-damaged`.
 */
export function openCipher(secrets: Uint8Array | readonly Uint8Array[]): Cipher {
  const keys = (secrets instanceof Uint8Array ? [secrets] : secrets).map(readKey);
  const [newest] = keys;
  if (!newest) throw new RangeError('Encryption needs at least one key.');

  const keyOf = (id: string, place: string): KeyObject => {
    const key = keys.find((one) => one.id === id);
    if (key) return key.secret;
    throw new LedgerError('secret-changed', { place: 'el registro', value: place, key: id });
  };

  return {
    close(text, place) {
      const parts = encrypt(newest.secret, Buffer.from(text, 'utf8'), place);
      const [iv, encrypted, tag] = parts.map((part) => part.toString('base64url'));
      return [version, newest.id, iv, encrypted, tag].join('.');
    },
    open(encrypted, place) {
      const [form, id = '', iv = '', ciphertext = '', tag = ''] = encrypted.split('.');
      if (form !== version) throw broken(place);
      const part = (text: string) => Buffer.from(text, 'base64url');
      return decrypt(keyOf(id, place), part(iv), part(ciphertext), part(tag), place).toString('utf8');
    },
    isNewest(encrypted) {
      if (typeof encrypted === 'string') return encrypted.startsWith(`${version}.${newest.id}.`);
      return Buffer.from(newest.id, 'hex').equals(encrypted.subarray(0, keyIdBytes));
    },
    closeBytes(bytes, place) {
      const [iv, encrypted, tag] = encrypt(newest.secret, bytes, place);
      return Buffer.concat([Buffer.from(newest.id, 'hex'), iv, tag, encrypted]);
    },
    openBytes(encrypted, place) {
      const all = Buffer.from(encrypted.buffer, encrypted.byteOffset, encrypted.length);
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
    throw new LedgerError('secret-changed', {
      place: 'el registro',
      bytes: bytes.length,
    });
  const id = createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, 2 * keyIdBytes);
  return { id, secret: createSecretKey(bytes) };
}

/** Drawn many at a time, which is much faster. Each is used once. */
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
): [iv: Buffer, encrypted: Buffer, tag: Buffer] {
  const iv = freshIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return [iv, encrypted, cipher.getAuthTag()];
}

function decrypt(key: KeyObject, iv: Buffer, encrypted: Buffer, tag: Buffer, place: string): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch (cause) {
    throw broken(place, cause);
  }
}

function broken(place: string, cause?: unknown): LedgerError {
  return new LedgerError('data-damaged', { what: 'Un dato protegido del registro', value: place }, { cause });
}
