import { expect, test } from 'vitest';
import { openCipher } from '../../src/ledger/cipher.ts';
import { encryptionKey } from './samples.ts';

const cipher = openCipher(encryptionKey);

test('a encrypted text opens at its place and nowhere else', () => {
  const encrypted = cipher.close('{"total":"115.00"} ñ', 'attempts 1');
  expect(encrypted).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
  expect(cipher.open(encrypted, 'attempts 1')).toBe('{"total":"115.00"} ñ');
  expect(() => cipher.open(encrypted, 'attempts 2')).toThrow(
    expect.objectContaining({ code: 'data-damaged' }),
  );
});

test('the same text is encrypted differently each time and shows nothing of itself', () => {
  const [one, two] = [cipher.close('secreto', 'a'), cipher.close('secreto', 'a')];
  expect(one).not.toBe(two);
  expect(one).not.toContain(Buffer.from('secreto').toString('base64url'));
});

test('no two ciphertexts ever begin alike, however many there are', () => {
  const beginnings = Array.from({ length: 2_000 }, () => cipher.close('x', 'a').split('.')[2]);
  expect(new Set(beginnings).size).toBe(2_000);
});

test.each([2, 3, 4])('a changed part %i is noticed', (part) => {
  const parts = cipher.close('un texto', 'a').split('.');
  const changed = Buffer.from(parts[part] ?? '', 'base64url');
  changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
  parts[part] = changed.toString('base64url');
  expect(() => cipher.open(parts.join('.'), 'a')).toThrow(expect.objectContaining({ code: 'data-damaged' }));
});

test('a shortened tag, a missing part and another form are refused', () => {
  const encrypted = cipher.close('un texto', 'a');
  for (const broken of [encrypted.slice(0, -4), encrypted.split('.').slice(0, 4).join('.'), 'v2.x', ''])
    expect(() => cipher.open(broken, 'a')).toThrow(expect.objectContaining({ code: 'data-damaged' }));
});

test('another key is distinguished from damage', () => {
  const encrypted = cipher.close('un texto', 'a');
  const other = openCipher(new Uint8Array(32).fill(8));
  expect(() => other.open(encrypted, 'a')).toThrow(expect.objectContaining({ code: 'secret-changed' }));
});

test('the newest of several keys encrypts, and every one of them opens', () => {
  const old = cipher.close('un texto', 'a');
  const oldBytes = cipher.closeBytes(Buffer.from('un archivo'), 'a');
  const rotated = openCipher([new Uint8Array(32).fill(8), encryptionKey]);
  expect(rotated.open(old, 'a')).toBe('un texto');
  expect(Buffer.from(rotated.openBytes(oldBytes, 'a')).toString()).toBe('un archivo');
  expect(() => cipher.open(rotated.close('nuevo', 'a'), 'a')).toThrow(
    expect.objectContaining({ code: 'secret-changed' }),
  );
});

test('encrypted bytes open at their place only, and no bit of them can change', () => {
  const encrypted = cipher.closeBytes(Buffer.from('un archivo'), 'a');
  expect(Buffer.from(cipher.openBytes(encrypted, 'a')).toString()).toBe('un archivo');
  expect(() => cipher.openBytes(encrypted, 'b')).toThrow(expect.objectContaining({ code: 'data-damaged' }));
  for (let at = 0; at < encrypted.length; at += 1) {
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => cipher.openBytes(changed, 'a')).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(secret-changed|data-damaged)$/) }),
    );
  }
  expect(() => cipher.openBytes(encrypted.slice(0, 31), 'a')).toThrow(
    expect.objectContaining({ code: 'data-damaged' }),
  );
});

test('a key of another length is refused', () => {
  expect(() => openCipher(new Uint8Array(16))).toThrow(expect.objectContaining({ code: 'secret-changed' }));
});
