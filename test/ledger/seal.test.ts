import { expect, test } from 'vitest';
import { openSeal } from '../../src/ledger/seal.ts';
import { sealKey } from './samples.ts';

const seal = openSeal(sealKey);

test('a sealed text opens at its place and nowhere else', () => {
  const sealed = seal.close('{"total":"115.00"} ñ', 'attempts 1');
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
  expect(seal.open(sealed, 'attempts 1')).toBe('{"total":"115.00"} ñ');
  expect(() => seal.open(sealed, 'attempts 2')).toThrow(expect.objectContaining({ code: 'seal-broken' }));
});

test('the same text is sealed differently each time and shows nothing of itself', () => {
  const [one, two] = [seal.close('secreto', 'a'), seal.close('secreto', 'a')];
  expect(one).not.toBe(two);
  expect(one).not.toContain(Buffer.from('secreto').toString('base64url'));
});

test('no two seals ever begin alike, however many there are', () => {
  const beginnings = Array.from({ length: 2_000 }, () => seal.close('x', 'a').split('.')[2]);
  expect(new Set(beginnings).size).toBe(2_000);
});

test.each([2, 3, 4])('a changed part %i is noticed', (part) => {
  const parts = seal.close('un texto', 'a').split('.');
  const changed = Buffer.from(parts[part] ?? '', 'base64url');
  changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
  parts[part] = changed.toString('base64url');
  expect(() => seal.open(parts.join('.'), 'a')).toThrow(expect.objectContaining({ code: 'seal-broken' }));
});

test('a shortened tag, a missing part and another form are refused', () => {
  const sealed = seal.close('un texto', 'a');
  for (const broken of [sealed.slice(0, -4), sealed.split('.').slice(0, 4).join('.'), 'v2.x', ''])
    expect(() => seal.open(broken, 'a')).toThrow(expect.objectContaining({ code: 'seal-broken' }));
});

test('another key is told apart from damage', () => {
  const sealed = seal.close('un texto', 'a');
  const other = openSeal(new Uint8Array(32).fill(8));
  expect(() => other.open(sealed, 'a')).toThrow(expect.objectContaining({ code: 'seal-key' }));
});

test('the newest of several keys seals, and every one of them opens', () => {
  const old = seal.close('un texto', 'a');
  const oldBytes = seal.closeBytes(Buffer.from('un archivo'), 'a');
  const rotated = openSeal([new Uint8Array(32).fill(8), sealKey]);
  expect(rotated.open(old, 'a')).toBe('un texto');
  expect(Buffer.from(rotated.openBytes(oldBytes, 'a')).toString()).toBe('un archivo');
  expect(() => seal.open(rotated.close('nuevo', 'a'), 'a')).toThrow(
    expect.objectContaining({ code: 'seal-key' }),
  );
});

test('sealed bytes open at their place only, and no bit of them can change', () => {
  const sealed = seal.closeBytes(Buffer.from('un archivo'), 'a');
  expect(Buffer.from(seal.openBytes(sealed, 'a')).toString()).toBe('un archivo');
  expect(() => seal.openBytes(sealed, 'b')).toThrow(expect.objectContaining({ code: 'seal-broken' }));
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => seal.openBytes(changed, 'a')).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^seal-/) }),
    );
  }
  expect(() => seal.openBytes(sealed.slice(0, 31), 'a')).toThrow(
    expect.objectContaining({ code: 'seal-broken' }),
  );
});

test('a key of another length is refused', () => {
  expect(() => openSeal(new Uint8Array(16))).toThrow(expect.objectContaining({ code: 'seal-key' }));
});
