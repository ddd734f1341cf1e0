import { expect, test } from 'vitest';
import { openTickets } from '../../src/http/links.ts';

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
