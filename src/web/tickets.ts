import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import type { Tickets } from '../domain/tickets.ts';

/** `ticket = <end, seconds>.base64url(HMAC-SHA256 of use and end, 192 bits)`, under a key of 32 bytes. */
export function openTickets(key: Uint8Array, clock: Clock): Tickets {
  const sign = (use: string, end: string) =>
    createHmac('sha256', key).update(`${end}\n${use}`).digest().subarray(0, 24);
  return {
    issue(use, until) {
      const end = String(Math.floor(until.getTime() / 1000));
      return `${end}.${sign(use, end).toString('base64url')}`;
    },
    admits(use, ticket) {
      const [, end = '', signature = ''] = /^(\d{1,12})\.([\w-]{32})$/.exec(ticket) ?? [];
      if (signature === '' || !timingSafeEqual(Buffer.from(signature, 'base64url'), sign(use, end)))
        return false;
      return clock.now().getTime() < Number(end) * 1000;
    },
  };
}
