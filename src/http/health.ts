import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { isUntrustedProxy } from './client-address.ts';
import type { HttpDeps } from './deps.ts';

/** The process runs and its event loop turns; `doctor` learns here that a proxy is missing in `trustedProxies`. */
export const alive: RequestHandler = (req, res) => {
  res.json({ status: 'alive', ...(isUntrustedProxy(req) && { proxy: 'untrusted' }) });
};

const ANSWER_WITHIN_MS = 2_000;

/** Whether work can be taken in: the ledger and the transport answer. Orchestrators send traffic by it. */
export function readiness({
  ledger,
  ready,
  log,
}: Pick<HttpDeps, 'ledger' | 'ready' | 'log'>): RequestHandler {
  return async (_req, res) => {
    const [ledgerOk, transportOk] = await Promise.all([
      answers(() => ledger.check()),
      answers(() => ready()),
    ]);
    const ok = ledgerOk && transportOk;
    const word = (good: boolean) => (good ? 'ok' : 'no-answer');
    const report = {
      status: ok ? 'ready' : 'not-ready',
      ledger: word(ledgerOk),
      transport: word(transportOk),
    };
    if (!ok) log.warn(report, 'Not ready');
    res.status(ok ? 200 : 503).json(report);
  };
}

async function answers(check: () => Promise<void>): Promise<boolean> {
  const stop = new AbortController();
  const late = wait(ANSWER_WITHIN_MS, false, { signal: stop.signal }).catch(() => false);
  try {
    return await Promise.race([check().then(() => true), late]);
  } catch {
    return false;
  } finally {
    stop.abort();
  }
}
