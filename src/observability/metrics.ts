import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * What one process saw happen, as Prometheus counts it: since its start, without keys, orders or buyers. What is
 * true of the whole installation is asked of the ledger at scrape time instead (installation.ts).
 */
export interface Metrics {
  /** For gauges that others add. */
  readonly registry: Registry;
  /** Everything in the text form of Prometheus. */
  scrape(): Promise<{ type: string; text: string }>;
  /** `door`: shopify, woocommerce, service … `answer`: accepted, duplicate, refused … */
  webhook(door: string, answer: string, seconds: number): void;
  step(kind: string, outcome: string, seconds: number): void;
  /** An account may be called from now on: its errors stand at 0. */
  account(account: string): void;
  serviceCall(call: { account: string; operation: string; answer: string }, seconds: number): void;
  shopCall(call: { platform: string; call: string; outcome: string }, seconds: number): void;
}

/** From a fast door to a service that takes its whole minute. */
const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const slow = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Answers of the service that say that nothing came of the call. `not-found` is an answer like any other. */
const errors = new Set(['unauthorized', 'throttled', 'refused', 'no-funds', 'lost', 'unreachable', 'failed']);
const emissions = new Map([
  ['emitirFactura', 'factura'],
  ['emitirNotaCredito', 'nota-credito'],
]);

/** Event loop, memory, garbage collection: the process has one of each, however many connectors are open in it. */
let process: Registry | undefined;
function processMetrics(): Registry {
  if (process === undefined) {
    process = new Registry();
    collectDefaultMetrics({ register: process });
  }
  return process;
}

export function openMetrics(labels: { version: string; role: string }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const histogram = <Name extends string>(
    name: string,
    help: string,
    labelNames: Name[],
    buckets: number[],
  ) => new Histogram<Name>({ name: `facturapuente_${name}`, help, labelNames, buckets, registers });
  const counter = <Name extends string>(name: string, help: string, labelNames: Name[]) =>
    new Counter<Name>({ name: `facturapuente_${name}`, help, labelNames, registers });

  const webhooks = histogram(
    'webhook_seconds',
    'Time to answer a webhook, by door and answer.',
    ['door', 'answer'],
    fast,
  );
  const steps = histogram('step_seconds', 'Time a step ran, by how it ended.', ['kind', 'outcome'], slow);
  const service = histogram(
    'service_seconds',
    'Time of a call to the tax document service, waiting for the rate budget included.',
    ['operation', 'answer'],
    slow,
  );
  const shops = histogram(
    'shop_seconds',
    'Time of a call to a shop, its retries included.',
    ['platform', 'call', 'outcome'],
    slow,
  );
  const failures = counter(
    'service_errors_total',
    'Calls to the service that came to nothing, by class of error.',
    ['account', 'class'],
  );
  const emitted = counter('emissions_total', 'Documents posted to the service, by its answer.', [
    'account',
    'kind',
    'outcome',
  ]);

  const about = 'Which version of facturapuente runs, and as what.';
  const labelNames = ['version', 'role'];
  new Gauge({ name: 'facturapuente_info', help: about, labelNames, registers }).set(labels, 1);

  return {
    registry,
    async scrape() {
      const texts = await Promise.all([registry.metrics(), processMetrics().metrics()]);
      return { type: registry.contentType, text: texts.join('\n') };
    },
    webhook: (door, answer, seconds) => webhooks.observe({ door, answer }, seconds),
    step: (kind, outcome, seconds) => steps.observe({ kind, outcome }, seconds),
    account(account) {
      // A counter that begins at 1 never rose, as Prometheus sees it: the first error would ring nowhere.
      for (const name of errors) failures.inc({ account, class: name }, 0);
    },
    serviceCall({ account, operation, answer }, seconds) {
      service.observe({ operation, answer }, seconds);
      if (errors.has(answer)) failures.inc({ account, class: answer });
      const kind = emissions.get(operation);
      if (kind !== undefined) emitted.inc({ account, kind, outcome: answer });
    },
    shopCall: (labels, seconds) => shops.observe(labels, seconds),
  };
}
