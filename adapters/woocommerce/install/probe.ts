import type { LookupFunction } from 'node:net';
import { z } from 'zod';
import { privateAddress } from '../../../src/core/outbound.ts';
import type { ShopContext } from '../../../src/core/platform.ts';
import { type Answer, type Call, readAnswer, unexpected } from '../answers.ts';
import { unanswered } from '../failures.ts';
import type { Connection } from '../settings.ts';

const call: Call = { method: 'get', path: '' };
const index = z.object({ namespace: z.literal('wc/v3') });
const networkError = z.looseObject({ cause: z.looseObject({ code: z.string().regex(/^[A-Z_]{2,60}$/) }) });

/** Whether WooCommerce's API answers at all, before there are keys; its index is public. Throws ShopError. */
export async function probe(
  { url, timeoutMs }: Connection,
  { userAgent, clock, outbound }: Pick<ShopContext, 'userAgent' | 'clock' | 'outbound'>,
): Promise<{ date: Date | null }> {
  if (outbound.refuses(new URL(url).hostname)) throw unanswered(call, privateAddress, timeoutMs);
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: { lookup: outbound.lookup as LookupFunction } });
  const answer = await fetch(`${url}/wp-json/wc/v3?_fields=namespace`, {
    dispatcher,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'user-agent': userAgent, 'cache-control': 'no-cache', connection: 'close' },
  })
    .then(toAnswer)
    .catch((error: unknown) => {
      const slow = error instanceof Error && error.name === 'TimeoutError';
      const code = networkError.safeParse(error).data?.cause.code ?? 'UNKNOWN';
      throw unanswered(call, slow ? 'ETIMEDOUT' : code, timeoutMs);
    })
    .finally(() => dispatcher.destroy());
  if (!index.safeParse(readAnswer(call, answer, clock.now())).success)
    throw unexpected(call, 'namespace: is not wc/v3');
  return { date: answer.date };
}

async function toAnswer(response: Pick<Response, 'headers' | 'status' | 'text'>): Promise<Answer> {
  const header = (name: string) => response.headers.get(name) ?? undefined;
  const date = Date.parse(header('date') ?? '');
  return {
    status: response.status,
    location: header('location'),
    retryAfter: header('retry-after'),
    server: header('server'),
    challenge: header('www-authenticate'),
    pages: null,
    date: Number.isNaN(date) ? null : new Date(date),
    text: await response.text(),
  };
}
