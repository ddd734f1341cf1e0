import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { ShopContext } from '../../src/domain/platform.ts';
import { privateAddress } from '../../src/domain/ports.ts';
import { networkCodeOf } from './client.ts';
import { type Answer, type Call, noAnswer, readAnswer, unexpected } from './errors.ts';
import type { Connection } from './settings.ts';

const call: Call = { method: 'get', path: '' };
const index = z.object({ namespace: z.literal('wc/v3') });
const answerLimit = 1024 * 1024;

export async function probe(
  { url, timeoutMs }: Connection,
  context: Pick<ShopContext, 'userAgent' | 'clock' | 'outbound'>,
): Promise<{ date: Date | null }> {
  const answer = await getPublic(`${url}/wp-json/wc/v3?_fields=namespace`, timeoutMs, context);
  if (typeof answer === 'string') throw noAnswer(call, answer, timeoutMs);
  if (!index.safeParse(readAnswer(call, answer, context.clock.now())).success)
    throw unexpected(call, '«namespace» no es wc/v3');
  return { date: answer.date };
}

export async function getPublic(
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
  // Unlike fetch it follows no redirect and opens no compressed body.
  return request(url, {
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'user-agent': userAgent, 'cache-control': 'no-cache' },
  })
    .then((response) => toAnswer(response, new URL(url).origin))
    .catch((error: unknown) =>
      error instanceof Error && error.name === 'TimeoutError' ? 'ETIMEDOUT' : networkCodeOf(error),
    )
    .finally(() => dispatcher.destroy());
}

async function toAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  origin: string,
): Promise<Answer> {
  const header = (name: string) => [headers[name]].flat()[0];
  const date = Date.parse(header('date') ?? '');
  return {
    status: statusCode,
    location: header('location'),
    retryAfter: header('retry-after'),
    server: header('server'),
    challenge: header('www-authenticate'),
    redirectedBy: header('x-redirect-by'),
    origin,
    pages: null,
    date: Number.isNaN(date) ? null : new Date(date),
    text: await body.text(),
  };
}
