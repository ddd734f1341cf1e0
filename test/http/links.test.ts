import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLinks, openTickets } from '../../src/http/links.ts';

const secret = Buffer.alloc(32, 7);
const links = openLinks([secret], 'https://tienda.example');
const tokenOf = (url: string) =>
  /\/(?:d|identificacion)\/([\w-]+\.[\w-]+?)(?:\.pdf|\.xml)?$/.exec(url)?.[1] ?? '';
const file = (purpose: 'pdf' | 'xml', documentId: string) => ({
  purpose,
  documentId,
  version: 0,
  expiresAt: null,
});
const end = new Date('2026-11-27T15:00:00.000Z');
const all = (id: string, from = links) => [
  from.page(id),
  from.page(id, 2, end),
  from.pdf(id, 3),
  from.xml(id),
  from.identification(id, end),
];

test('a link names its purpose and document and is the same every time', () => {
  const url = links.pdf('018f-doc');
  expect(url).toMatch(/^https:\/\/tienda\.example\/d\/[\w-]+\.[\w-]{32}\.pdf$/);
  expect(links.pdf('018f-doc')).toBe(url);
  expect(links.read(tokenOf(url))).toEqual(file('pdf', '018f-doc'));
  expect(links.read(tokenOf(links.xml('018f-doc')))).toEqual(file('xml', '018f-doc'));
});

test('a link to the page, after a revocation, and one that ends say so', () => {
  const read = (url: string) => links.read(tokenOf(url));
  expect(read(links.page('42', 2))).toEqual({
    purpose: 'page',
    documentId: '42',
    version: 2,
    expiresAt: null,
  });
  expect(read(links.identification('42', end))).toEqual({
    ...{ purpose: 'identification', documentId: '42', version: 0, expiresAt: end },
  });
});

test('links to documents end at a midnight of Ecuador where they have a life, and are the same all day long', () => {
  let time = new Date('2026-11-20T15:00:00Z');
  const limited = openLinks([secret], 'https://tienda.example', { days: 7, clock: { now: () => time } });
  const endOf = (url: string) => limited.read(tokenOf(url))?.expiresAt;
  const first = [limited.page('42'), limited.pdf('42', 3), limited.xml('42')];
  for (const url of first) expect(endOf(url)).toEqual(new Date('2026-11-28T05:00:00Z'));
  // Twenty minutes before midnight in Guayaquil.
  time = new Date('2026-11-21T04:40:00Z');
  expect([limited.page('42'), limited.pdf('42', 3), limited.xml('42')]).toEqual(first);
  time = new Date('2026-11-21T05:00:00Z');
  expect(endOf(limited.pdf('42'))).toEqual(new Date('2026-11-29T05:00:00Z'));
  expect(endOf(limited.pdf('42', 0, end))).toEqual(end);
  // Of links given out before, none ends.
  expect(endOf(links.page('42'))).toBeNull();
  expect(endOf(limited.pdf('42', 0, null))).toBeNull();
});

test('no single character of any token can be changed, added or left out, and nothing cut off', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ñ';
  for (const token of all('42').map(tokenOf))
    for (let at = 0; at < token.length; at += 1) {
      for (const other of alphabet) {
        if (other === token[at]) continue;
        expect(links.read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
      }
      expect(links.read(token.slice(0, at) + token.slice(at + 1))).toBeNull();
      expect(links.read(`${token.slice(0, at)}A${token.slice(at)}`)).toBeNull();
      expect(links.read(token.slice(0, at))).toBeNull();
      expect(links.read(token.slice(at + 1))).toBeNull();
    }
});

test('no other key, no other purpose, document, version or end is ever signed along', () => {
  const id = fc.stringMatching(/^[a-z0-9-]{1,40}$/);
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const seconds = fc.integer({ min: 0, max: 4_102_444_800 });
  const what = fc.record({ id, version: fc.nat(99), seconds, which: fc.nat(3) });
  const make = (
    from: typeof links,
    { id: of, version, seconds: at, which }: { id: string; version: number; seconds: number; which: number },
  ) =>
    [
      () => from.page(of, version),
      () => from.pdf(of, version),
      () => from.xml(of, version),
      () => from.identification(of, new Date(at * 1000)),
    ][which]?.() ?? '';
  fc.assert(
    fc.property(key, key, what, what, (one, two, first, second) => {
      const mine = openLinks([one], 'https://a.example');
      const url = make(mine, first);
      const token = tokenOf(url);
      expect(mine.read(token)).toMatchObject({ documentId: first.id });
      if (Buffer.compare(one, two) !== 0)
        expect(openLinks([two], 'https://a.example').read(token)).toBeNull();
      const [, signature = ''] = token.split('.');
      const other = make(mine, second);
      const [payload = ''] = tokenOf(other).split('.');
      if (other !== url && payload !== token.split('.')[0])
        expect(mine.read(`${payload}.${signature}`)).toBeNull();
    }),
  );
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
  expect(rotated.read(token)).toEqual(file('pdf', '42'));
  expect(rotated.pdf('42')).not.toBe(links.pdf('42'));
  expect(openLinks([fresh], 'https://tienda.example').read(token)).toBeNull();
});

let now = new Date('2026-11-20T15:00:00Z');
const tickets = openTickets(Buffer.alloc(32, 7), { now: () => now });

test('a ticket opens what it was issued for, until its end', () => {
  now = new Date('2026-11-20T15:00:00Z');
  const ticket = tickets.issue('connect woocommerce', new Date('2026-11-20T16:00:00Z'));
  expect(ticket).toMatch(/^[\w.-]+$/);
  expect(tickets.admits('connect woocommerce', ticket)).toBe(true);
  expect(tickets.admits('connect shopify', ticket)).toBe(false);
  now = new Date('2026-11-20T16:00:00Z');
  expect(tickets.admits('connect woocommerce', ticket)).toBe(false);
});

test('no character of a ticket can be changed, and none is good under another key', () => {
  now = new Date('2026-11-20T15:00:00Z');
  const ticket = tickets.issue('x', new Date('2026-11-20T16:00:00Z'));
  for (let at = 0; at < ticket.length; at += 1)
    for (const other of '0123456789abcXYZ-_.')
      if (other !== ticket[at])
        expect(tickets.admits('x', ticket.slice(0, at) + other + ticket.slice(at + 1))).toBe(false);
  expect(openTickets(Buffer.alloc(32, 8), { now: () => now }).admits('x', ticket)).toBe(false);
  for (const nonsense of ['', '.', '1.2', ticket.slice(1)]) expect(tickets.admits('x', nonsense)).toBe(false);
});
