import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { LedgerError } from '../core/errors.ts';

/** Keeps texts unreadable at rest. `place` names table and row: a sealed text is worth nothing elsewhere. */
export interface Seal {
  close(text: string, place: string): string;
  open(sealed: string, place: string): string;
}

const version = 'v1';

/**
 * AES-256-GCM with a random IV of 12 bytes; the place is authenticated with it. Text form:
 * `v1.<key id>.<iv>.<ciphertext>.<tag>`, base64url. The key id is the start of the key's SHA-256, so that a
 * wrong key is told apart from a damaged row. Throws LedgerError `seal-key` and `seal-broken`.
 */
export function openSeal(key: Uint8Array): Seal {
  if (key.length !== 32)
    throw new LedgerError(
      'seal-key',
      'La clave de cifrado del registro debe tener exactamente 32 bytes. Genérela de nuevo y guárdela en la configuración.',
      `The ledger's seal key has ${key.length} bytes; AES-256 needs exactly 32.`,
    );
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8);

  return {
    close(text, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const parts = [iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return [version, keyId, ...parts].join('.');
    },
    open(sealed, place) {
      const [form, id, iv = '', ciphertext = '', tag = ''] = sealed.split('.');
      if (form === version && id !== keyId)
        throw new LedgerError(
          'seal-key',
          'La clave de cifrado configurada no es la que protegió este registro. Restaure la clave anterior.',
          `${place} was sealed with key ${id}, the configured key is ${keyId}; restore the key it was sealed with.`,
        );
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
          authTagLength: 16,
        });
        decipher.setAAD(Buffer.from(place)).setAuthTag(Buffer.from(tag, 'base64url'));
        const text = decipher.update(Buffer.from(ciphertext, 'base64url'));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new LedgerError(
          'seal-broken',
          'Un dato protegido del registro está dañado o fue alterado. Restaure una copia de respaldo.',
          `${place} does not open: its text was damaged or altered; restore it from a backup.`,
          { cause },
        );
      }
    },
  };
}
