import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { LedgerError } from '../domain/errors.ts';
import { isUntrustedProxy } from './client-address.ts';
import type { HttpDeps } from './deps.ts';

/** The process runs and its event loop turns; `doctor` learns here that a proxy is missing in `trustedProxies`. */
export const alive: RequestHandler = (req, res) => {
  res.json({ status: 'alive', ...(isUntrustedProxy(req) && { proxy: 'untrusted' }) });
};

const ANSWER_WITHIN_MS = 2_000;

/** Whether work can be taken in: the ledger can be written and the transport answers. Orchestrators send traffic by it. */
export function readiness({
  ledger,
  ready,
  log,
}: Pick<HttpDeps, 'ledger' | 'ready' | 'log'>): RequestHandler {
  return async (_req, res) => {
    const [ledgerSays, transportSays] = await Promise.all([
      answerOf(() => ledger.check()),
      answerOf(() => ready()),
    ]);
    const ok = ledgerSays === 'ok' && transportSays === 'ok';
    const report = { status: ok ? 'ready' : 'not-ready', ledger: ledgerSays, transport: transportSays };
    if (!ok) log.warn(report, 'Not ready');
    res.status(ok ? 200 : 503).json(report);
  };
}

type Said = 'ok' | 'no-answer' | 'read-only';

async function answerOf(check: () => Promise<void>): Promise<Said> {
  const stop = new AbortController();
  const late = wait(ANSWER_WITHIN_MS, 'no-answer' as const, { signal: stop.signal }).catch(
    () => 'no-answer' as const,
  );
  try {
    return await Promise.race([check().then(() => 'ok' as const), late]);
  } catch (error) {
    return isUnwritable(error) ? 'read-only' : 'no-answer';
  } finally {
    stop.abort();
  }
}

const isUnwritable = (error: unknown): boolean =>
  error instanceof LedgerError && error.code === 'ledger-unwritable';
