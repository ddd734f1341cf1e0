import { Pool } from 'undici';
import { signedWebhook } from './bodies.ts';
import { percentile } from './line.ts';

export interface LoadOptions {
  url: string;
  /**
   * `closed` keeps 64 requests in flight; `open` sends at fixed instants and counts latency from the instant, not from the
   * send; `burst` sends all at the same instant over 256 connections, after a closed loop.
   */
  mode: 'closed' | 'open' | 'burst';
  seconds: number;
  /** Before the measurement. */
  warmUpSeconds: number;
  /** Of `open`. */
  perSecond?: number;
  /** Of `burst`. */
  count?: number;
  firstId?: number;
}

export interface Loaded {
  perSecond: number;
  p99: number;
  /** Of the next request. */
  nextId: number;
  /** Milliseconds until the last answer. */
  lastedMs: number;
}

/** Sends signed webhooks about an order each. Throws when one is not answered with 200. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { url, mode, seconds, warmUpSeconds, perSecond = 200, count = 0, firstId = 1 } = options;
  const connections = mode === 'burst' ? 256 : 64;
  const pool = new Pool(url, { connections, pipelining: 1 });
  let nextId = firstId;
  let latencies: number[] = [];

  async function send(from: number, { headers, body } = signedWebhook(nextId++)): Promise<void> {
    const answer = await pool.request({ method: 'POST', path: '/webhooks/tienda', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`The endpoint answered ${answer.statusCode}.`);
    latencies.push(performance.now() - from);
  }

  async function closedLoop(forMs: number): Promise<void> {
    const end = performance.now() + forMs;
    const client = async () => {
      while (performance.now() < end) await send(performance.now());
    };
    await Promise.all(Array.from({ length: connections }, client));
  }

  async function openLoop(forMs: number): Promise<void> {
    const start = performance.now();
    const sent: Promise<void>[] = [];
    for (let n = 0; n < (forMs / 1000) * perSecond; n += 1) {
      const due = start + (n * 1000) / perSecond;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      sent.push(send(due));
    }
    await Promise.all(sent);
  }

  /** The bodies are built in advance, so the burst measures the endpoint. */
  async function burst(): Promise<void> {
    const webhooks = Array.from({ length: count }, () => signedWebhook(nextId++));
    const start = performance.now();
    await Promise.all(webhooks.map((webhook) => send(start, webhook)));
  }

  try {
    await (mode === 'open' ? openLoop : closedLoop)(warmUpSeconds * 1000);
    latencies = [];
    const began = performance.now();
    if (mode === 'burst') await burst();
    else await (mode === 'open' ? openLoop : closedLoop)(seconds * 1000);
    const elapsed = performance.now() - began;
    return {
      perSecond: latencies.length / (elapsed / 1000),
      p99: percentile(latencies),
      nextId,
      lastedMs: Math.max(...latencies),
    };
  } finally {
    await pool.destroy();
  }
}
