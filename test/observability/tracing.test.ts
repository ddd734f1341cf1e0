import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { inTrace, joinTrace, newTrace } from '../../src/observability/log.ts';
import { noSpans, openSpans } from '../../src/observability/observer.ts';

async function openTraced(ratio = 1) {
  const exporter = new InMemorySpanExporter();
  const spans = await openSpans({ enabled: true, ratio }, '0.0.0', new SimpleSpanProcessor({ exporter }));
  return { spans, exporter };
}

test('switched off, nothing is made and the task runs as it is', async () => {
  expect(await openSpans({ enabled: false, ratio: 1 }, '0.0.0')).toBe(noSpans);
  expect(await noSpans.inSpan('step', {}, async (note) => note({ a: 1 }) ?? 'done')).toBe('done');
});

test('spans of one journey share its id, and a call lies within its step', async () => {
  const { spans, exporter } = await openTraced();
  const trace = newTrace();
  await inTrace(trace, () => spans.inSpan('webhook', {}, async () => {}));
  await inTrace(trace, () =>
    spans.inSpan('step', {}, () =>
      spans.inSpan('call', { account: 'a' }, async (note) => note({ answer: 'created' })),
    ),
  );
  const done = exporter.getFinishedSpans();
  expect(done.map(({ name }) => name)).toEqual(['webhook', 'call', 'step']);
  expect(new Set(done.map((span) => span.spanContext().traceId))).toEqual(new Set([trace]));
  const [endpoint, call, handler] = done;
  expect(call?.parentSpanContext?.spanId).toBe(handler?.spanContext().spanId);
  expect([endpoint?.parentSpanContext, handler?.parentSpanContext]).toEqual([undefined, undefined]);
  expect(call?.attributes).toEqual({ account: 'a', answer: 'created', 'facturapuente.trace': trace });
  expect(call?.resource.attributes).toMatchObject({
    'service.name': 'facturapuente',
    'service.version': '0.0.0',
  });
});

test('a step that learns half way whose journey it is on says so', async () => {
  const { spans, exporter } = await openTraced();
  const earlier = newTrace();
  await inTrace(null, () => spans.inSpan('step', {}, async () => joinTrace(earlier)));
  expect(exporter.getFinishedSpans()[0]?.attributes['facturapuente.trace']).toBe(earlier);
});

test('an error marks its span by name, without its words, and is thrown on', async () => {
  const { spans, exporter } = await openTraced();
  const failing = spans.inSpan('step', {}, async () => {
    throw new RangeError('buyer 1710034065');
  });
  await expect(failing).rejects.toThrow('1710034065');
  expect(exporter.getFinishedSpans()[0]?.status).toEqual({
    code: SpanStatusCode.ERROR,
    message: 'RangeError',
  });
  expect(
    JSON.stringify(exporter.getFinishedSpans().map(({ events, attributes }) => ({ events, attributes }))),
  ).not.toContain('1710034065');
});

test('a ratio keeps or drops a journey as a whole', async () => {
  const { spans, exporter } = await openTraced(0.5);
  for (let n = 0; n < 200; n += 1) {
    const trace = newTrace();
    for (const name of ['webhook', 'step'])
      await inTrace(trace, () => spans.inSpan(name, {}, async () => {}));
  }
  const byTrace = Map.groupBy(exporter.getFinishedSpans(), (span) => span.spanContext().traceId);
  expect(byTrace.size).toBeGreaterThan(50);
  expect(byTrace.size).toBeLessThan(150);
  expect([...byTrace.values()].every((both) => both.length === 2)).toBe(true);
});
