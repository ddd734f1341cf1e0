import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Span, Tracer } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import { ConfigError } from '../domain/errors.ts';
import { currentTrace, newTrace } from './journey.ts';
import { noSpans, type SpanFacts, type Spans } from './spans.ts';

export interface TracingOptions {
  enabled: boolean;
  /** The share of journeys that is recorded, above 0 and up to 1. */
  ratio: number;
}

/**
 * Spans by OpenTelemetry. The trace id is the journey's id, so that the log and the spans of an order are found by
 * the same word. Where they go is said by the standard variables (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME
 * …). The SDK is the operator's to install: throws ConfigError `tracing-missing` where it is not there.
 * @param processor instead of the OTLP exporter (tests).
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
        // The name only: what foreign errors say may hold what we do not know.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'unknown',
        });
        throw error;
      } finally {
        // Said at the end: a step may learn half way whose journey it is on.
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
      'tracing-missing',
      `La configuración pide trazas (tracing.enabled) y falta OpenTelemetry: ejecute «${install}», o quite tracing.`,
      `tracing.enabled needs the OpenTelemetry SDK, which is not installed; run "${install}".`,
      { cause: error },
    );
  }
}
