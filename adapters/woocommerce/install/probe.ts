import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { privateAddress } from '../../../src/domain/outbound.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { type Answer, type Call, readAnswer, unexpected } from '../answers.ts';
import { unanswered } from '../failures.ts';
import type { Connection } from '../settings.ts';

const call: Call = { method: 'get', path: '' };
const index = z.object({ namespace: z.literal('wc/v3') });
const networkError = z.looseObject({ code: z.string().regex(/^[A-Z_]{2,60}$/) });
/** The index is some hundred bytes; whatever else a shop sends before we know it is not read to its end. */
const answerLimit = 1024 * 1024;

/** Whether WooCommerce's API answers at all, before there are keys; its index is public. Throws ShopError. */
export async function probe(
  { url, timeoutMs }: Connection,
  context: Pick<ShopContext, 'userAgent' | 'clock' | 'outbound'>,
): Promise<{ date: Date | null }> {
  const answer = await askOpenly(`${url}/wp-json/wc/v3?_fields=namespace`, timeoutMs, context);
  if (typeof answer === 'string') throw unanswered(call, answer, timeoutMs);
  if (!index.safeParse(readAnswer(call, answer, context.clock.now())).success)
    throw unexpected(call, 'namespace: is not wc/v3');
  return { date: answer.date };
}

/** What is public at an address, asked without keys; the network's word, such as ECONNREFUSED, where nobody answers. */
export async function askOpenly(
  url: string,
  timeoutMs: number,
  { userAgent, outbound }: Pick<ShopContext, 'userAgent' | 'outbound'>,
): Promise<Answer | string> {
  if (outbound.refuses(new URL(url).hostname)) return privateAddress;
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: { lookup: outbound.lookup as LookupFunction },
    maxResponseSize: answerLimit,
  });
  // Follows no redirect and opens no compressed body, unlike fetch.
  return request(url, {
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'user-agent': userAgent, 'cache-control': 'no-cache' },
  })
    .then(toAnswer)
    .catch((error: unknown) => {
      const slow = error instanceof Error && error.name === 'TimeoutError';
      return slow ? 'ETIMEDOUT' : (networkError.safeParse(error).data?.code ?? 'UNKNOWN');
    })
    .finally(() => dispatcher.destroy());
}

async function toAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const header = (name: string) => [headers[name]].flat()[0];
  const date = Date.parse(header('date') ?? '');
  return {
    status: statusCode,
    location: header('location'),
    retryAfter: header('retry-after'),
    server: header('server'),
    challenge: header('www-authenticate'),
    pages: null,
    date: Number.isNaN(date) ? null : new Date(date),
    text: await body.text(),
  };
}
