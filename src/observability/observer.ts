import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Span, Tracer } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ConfigError } from '../domain/errors.ts';
import type { ClaimedJob, JobHandler, JobOutcome } from '../domain/job.ts';
import type { Shop } from '../domain/platform.ts';
import type { Log } from '../domain/ports.ts';
import { currentTrace, inTrace, newTrace } from './log.ts';

export interface Observer {
  job(job: ClaimedJob, run: JobHandler): Promise<JobOutcome>;
  service<T extends object>(account: string, calls: T): T;
  shop(platform: string, shop: Shop): Shop;
  /** `task` reports its endpoint and answer, also when it fails. */
  endpoint(task: (said: (endpoint: string, answer: string) => void) => Promise<void>): Promise<void>;
}

const words = { done: 'done', finished: 'done', again: 'again', 'put-back': 'again' } as const;

export function openObserver({
  metrics,
  spans,
  log,
}: {
  metrics: Metrics;
  spans: Spans;
  log: Log;
}): Observer {
  async function measure<T>(
    span: string,
    facts: SpanFacts,
    call: () => Promise<T>,
    wordOf: (result: T) => string,
    report: (word: string, seconds: number) => SpanFacts | undefined,
  ): Promise<T> {
    return spans.inSpan(span, facts, async (note) => {
      const begun = performance.now();
      let word = 'failed';
      try {
        const result = await call();
        word = wordOf(result);
        return result;
      } finally {
        note(report(word, (performance.now() - begun) / 1000) ?? {});
      }
    });
  }

  return {
    job: (job, run) =>
      inTrace(job.trace, () =>
        measure(
          `job ${job.kind}`,
          { 'facturapuente.subject': job.subject },
          () => run(job),
          ({ kind }) => words[kind],
          (outcome, seconds) => {
            const { kind, subject } = job;
            metrics.job(kind, outcome, seconds);
            // The worker logs failures, with the reason and the time of the next attempt.
            if (outcome === 'failed') return undefined;
            log.info({ job: kind, subject, outcome, ms: Math.round(seconds * 1000) }, 'Job ended');
            return { 'facturapuente.outcome': outcome };
          },
        ),
      ),
    service(account, calls) {
      metrics.account(account);
      const facts = { 'facturapuente.account': account };
      return watchCalls(calls, ['with', 'close'], (operation, call) =>
        measure(`service ${operation}`, facts, call, answerWord, (answer, seconds) => {
          metrics.serviceCall({ account, operation, answer }, seconds);
          return { 'facturapuente.answer': answer };
        }),
      );
    },
    shop: (platform, shop) =>
      watchCalls(shop, ['close'], (name, call) => {
        const facts = { 'facturapuente.platform': platform };
        return measure(
          `shop ${name}`,
          facts,
          call,
          () => 'done',
          (outcome, seconds) => {
            metrics.shopCall({ platform, call: name, outcome }, seconds);
            return undefined;
          },
        );
      }),
    endpoint: (task) =>
      inTrace(null, () =>
        spans.inSpan('webhook', {}, async (note) => {
          const begun = performance.now();
          await task((endpoint, answer) => {
            metrics.webhook(endpoint, answer, (performance.now() - begun) / 1000);
            note({ 'facturapuente.endpoint': endpoint, 'facturapuente.answer': answer });
          });
        }),
      ),
  };
}

/** An `unknown` answer says whether the call may have been sent. */
function answerWord(answer: unknown): string {
  const { kind, mayHaveLeft } = answer as { kind: string; mayHaveLeft?: boolean };
  if (kind !== 'unknown') return kind;
  return mayHaveLeft === false ? 'unreachable' : 'lost';
}

type Watch = (name: string, call: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>;

export function watchCalls<T extends object>(target: T, except: readonly string[], watch: Watch): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof name !== 'string' || typeof value !== 'function' || except.includes(name)) return value;
      return (...args: unknown[]) => watch(name, () => value.apply(object, args), args);
    },
  });
}

interface TracingOptions {
  enabled: boolean;
  ratio: number;
}

/**
 * The trace id is the `trace` of the log. OTEL_* variables configure the export. Throws ConfigError `package-missing`
 * without the SDK. Tests give a `processor` instead of the OTLP exporter.
 */
export async function openSpans(
  { enabled, ratio }: TracingOptions,
  version: string,
  processor?: SpanProcessor,
): Promise<Spans> {
  if (!enabled) return noSpans;
  const [api, sdk, resources, otlp] = await loadSdk();
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'facturapuente', 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    idGenerator: {
      generateTraceId: () => currentTrace() ?? newTrace(),
      generateSpanId: () => randomBytes(8).toString('hex'),
    },
    spanProcessors: [
      processor ??
        new sdk.BatchSpanProcessor({ exporter: new otlp.OTLPTraceExporter(), scheduledDelayMillis: 1_000 }),
    ],
  });
  return spansOf(provider.getTracer('facturapuente', version), api, () => provider.shutdown());
}

function spansOf(
  tracer: Tracer,
  api: typeof import('@opentelemetry/api'),
  close: () => Promise<void>,
): Spans {
  const { ROOT_CONTEXT, SpanStatusCode, trace } = api;
  const active = new AsyncLocalStorage<Span>();
  return {
    close,
    async inSpan(name, facts, task) {
      const parent = active.getStore();
      const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes: { ...facts } }, context);
      try {
        return await active.run(span, () => task((more: SpanFacts) => span.setAttributes({ ...more })));
      } catch (error) {
        // The name only: messages of other libraries may contain secrets.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'unknown',
        });
        throw error;
      } finally {
        // This comes last, because a handler may join an earlier trace.
        span.setAttribute('facturapuente.trace', currentTrace() ?? span.spanContext().traceId);
        span.end();
      }
    },
  };
}

const packages = [
  '@opentelemetry/sdk-trace',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
];

async function loadSdk() {
  try {
    return await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const install = `npm install ${packages.join(' ')}`;
    throw new ConfigError(
      'package-missing',
      { needs: 'tracing.enabled', install: `«${install}», o quite tracing` },
      { cause: error },
    );
  }
}

/** They never contain keys, bodies or buyers' data. */
type SpanFacts = Readonly<Record<string, string | number | boolean>>;

interface Spans {
  inSpan<T>(
    name: string,
    facts: SpanFacts,
    task: (note: (more: SpanFacts) => void) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

const ignore = (): void => {};

export const noSpans: Spans = {
  inSpan: (_name, _facts, task) => task(ignore),
  async close() {},
};

/** They have no keys, orders or buyers. Metrics of the whole installation are in installation.ts. */
export interface Metrics {
  readonly registry: Registry;
  scrape(): Promise<{ type: string; text: string }>;
  /** `endpoint`: shopify, woocommerce, service … `answer`: accepted, duplicate, refused … */
  webhook(endpoint: string, answer: string, seconds: number): void;
  job(kind: string, outcome: string, seconds: number): void;
  account(account: string): void;
  serviceCall(call: { account: string; operation: string; answer: string }, seconds: number): void;
  shopCall(call: { platform: string; call: string; outcome: string }, seconds: number): void;
}

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const slow = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const errors = new Set(['unauthorized', 'throttled', 'refused', 'no-funds', 'lost', 'unreachable', 'failed']);
const emissions = new Map([
  ['emitirFactura', 'factura'],
  ['emitirNotaCredito', 'nota-credito'],
]);

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
    'Time to answer a webhook, by endpoint and answer.',
    ['endpoint', 'answer'],
    fast,
  );
  const jobs = histogram('job_seconds', 'Time a job ran, by how it ended.', ['kind', 'outcome'], slow);
  const service = histogram(
    'service_seconds',
    'Time of a call to the tax document service, including the wait for the rate limit.',
    ['operation', 'answer'],
    slow,
  );
  const shops = histogram(
    'shop_seconds',
    'Time of a call to a shop, its retries included.',
    ['platform', 'call', 'outcome'],
    slow,
  );
  const failures = counter('service_errors_total', 'Failed calls to the service, by class of error.', [
    'account',
    'class',
  ]);
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
    webhook: (endpoint, answer, seconds) => webhooks.observe({ endpoint, answer }, seconds),
    job: (kind, outcome, seconds) => jobs.observe({ kind, outcome }, seconds),
    account(account) {
      // Prometheus sees no increase in a counter that begins at 1: the first error would raise no alert.
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

/** A reading is kept for `atLeastMs`, and so long that reading takes at most `share` of the time. A failure is not kept. */
export function cacheReading<T>(
  read: () => Promise<T>,
  { atLeastMs = 2_000, share = 0.002 } = {},
): () => Promise<T> {
  let kept: Promise<T> | undefined;
  let until = 0;

  async function readNow(): Promise<T> {
    const begun = performance.now();
    try {
      const result = await read();
      const now = performance.now();
      until = now + Math.max(atLeastMs, (now - begun) / share);
      return result;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  }

  return () => {
    if (kept === undefined || performance.now() >= until) {
      until = Number.POSITIVE_INFINITY;
      kept = readNow();
    }
    return kept;
  };
}
