import { Pool } from 'undici';
import { signedWebhook } from './bodies.ts';

/**
 * The load generator, a process of its own: `load.ts <url> closed|open|burst <seconds> <rate> <first id>`. Closed loop
 * keeps 64 requests in flight; open loop sends at fixed instants and counts latency from the instant, not from the
 * send; a burst sends `rate` requests at the same instant over 256 connections, after a second of closed loop. Prints
 * one JSON line.
 */
const [url = '', mode = 'closed', seconds = '3', rate = '200', firstId = '1'] = process.argv.slice(2);
const pool = new Pool(url, { connections: mode === 'burst' ? 256 : 64, pipelining: 1 });
let next = Number(firstId);
const latencies: number[] = [];
let failures = 0;

async function send(from: number, { headers, body } = signedWebhook(next++)): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/webhooks/tienda', headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 200) failures += 1;
  latencies.push(performance.now() - from);
}

async function closedLoop(forMs: number, clients = 64): Promise<void> {
  const end = performance.now() + forMs;
  const client = async () => {
    while (performance.now() < end) await send(performance.now());
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function openLoop(forMs: number, perSecond: number): Promise<void> {
  const start = performance.now();
  const total = Math.round((forMs / 1000) * perSecond);
  const sent: Promise<void>[] = [];
  for (let n = 0; n < total; n += 1) {
    const due = start + (n * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    sent.push(send(due));
  }
  await Promise.all(sent);
}

/** The bodies are built in advance, so the burst measures the endpoint. */
async function burst(count: number): Promise<void> {
  const webhooks = Array.from({ length: count }, () => signedWebhook(next++));
  const start = performance.now();
  await Promise.all(webhooks.map((webhook) => send(start, webhook)));
}

async function run(ms: number): Promise<void> {
  if (mode === 'open') await openLoop(ms, Number(rate));
  else await closedLoop(ms, mode === 'burst' ? 256 : 64);
}
await run(1_000);
latencies.length = 0;
const began = performance.now();
if (mode === 'burst') await burst(Number(rate));
else await run(Number(seconds) * 1000);
const elapsed = performance.now() - began;
latencies.sort((a, b) => a - b);
const at = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const perSecond = latencies.length / (elapsed / 1000);
const lastedMs = latencies.at(-1) ?? 0;
console.log(JSON.stringify({ perSecond, p50: at(0.5), p99: at(0.99), failures, next, lastedMs }));
await pool.close();
