import { expect, test } from 'vitest';
import { openLinks } from '../../src/http/links.ts';

const secret = Buffer.alloc(32, 7);
const links = openLinks(secret, 'https://tienda.example');
const tokenOf = (url: string) => /\/d\/(.+)\.(?:pdf|xml)$/.exec(url)?.[1] ?? '';

test('a link names its purpose and document and is the same every time', () => {
  const url = links.pdf('018f-doc');
  expect(url).toMatch(/^https:\/\/tienda\.example\/d\/[\w-]+\.[\w-]{32}\.pdf$/);
  expect(links.pdf('018f-doc')).toBe(url);
  expect(links.read(tokenOf(url))).toEqual({ purpose: 'pdf', documentId: '018f-doc' });
  expect(links.read(tokenOf(links.xml('018f-doc')))).toEqual({ purpose: 'xml', documentId: '018f-doc' });
});

test('no single character of a token can be changed, added or left out', () => {
  const token = tokenOf(links.pdf('42'));
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ñ';
  for (let at = 0; at < token.length; at += 1) {
    for (const other of alphabet) {
      if (other === token[at]) continue;
      expect(links.read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
    }
    expect(links.read(token.slice(0, at) + token.slice(at + 1))).toBeNull();
    expect(links.read(`${token.slice(0, at)}A${token.slice(at)}`)).toBeNull();
  }
});

test('the signature of one document opens no other, and of a PDF no XML', () => {
  const [, signature] = tokenOf(links.pdf('42')).split('.');
  for (const other of [links.pdf('43'), links.xml('42')]) {
    const [payload] = tokenOf(other).split('.');
    expect(links.read(`${payload}.${signature}`)).toBeNull();
  }
});

test('links outlive a rotation of the secret, and end when the old secret is taken away', () => {
  const token = tokenOf(links.pdf('42'));
  const fresh = Buffer.alloc(32, 9);
  const rotated = openLinks([fresh, secret], 'https://tienda.example');
  expect(rotated.read(token)).toEqual({ purpose: 'pdf', documentId: '42' });
  expect(rotated.pdf('42')).not.toBe(links.pdf('42'));
  expect(openLinks(fresh, 'https://tienda.example').read(token)).toBeNull();
});

test('a secret that is too short is refused', () => {
  expect(() => openLinks(Buffer.alloc(16), 'https://tienda.example')).toThrow('32 bytes');
  expect(() => openLinks([], 'https://tienda.example')).toThrow('at least one secret');
});
