import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Engine,
  openProductProcesses,
  type ProductProcesses,
  webhookSecret,
  written,
} from '../support/product.ts';
import { hasServers } from '../support/servers.ts';

const engines: [Engine, string, boolean][] = [
  ['sqlite', 'SQLite, one process', true],
  ['servers', 'PostgreSQL and Redis, web and worker', hasServers],
];
const token = 'clave-de-metricas-de-32-caracteres';
type Line = Record<string, unknown>;
interface SpanRow {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

/** A collector of OTLP over HTTP, as far as JSON goes. */
async function openCollector() {
  const spans: SpanRow[] = [];
  const server = createServer(async (req, res) => {
    const sent = JSON.parse((await buffer(req)).toString());
    for (const { scopeSpans } of sent.resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    res.setHeader('Content-Type', 'application/json').end('{}');
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { spans, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe.each(engines.filter(([, , here]) => here))('one paid order, watched, on %s', (engine) => {
  let product: ProductProcesses;
  let collector: Awaited<ReturnType<typeof openCollector>>;
  let back: number;
  const lines = (): Line[] =>
    product
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));

  beforeAll(async () => {
    collector = await openCollector();
    back = await freePort();
    product = await openProductProcesses({
      engine,
      config: {
        metrics: { token, ...(engine === 'servers' ? {} : { port: back }) },
        tracing: { enabled: true },
      },
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'INFO' },
    });
    await product.start();
    await product.deliver('1201', 2);
    await eventually(() => written(product, '1201').pdf, `order 1201 written back\n${product.log()}`);
    await eventually(
      () =>
        ['write-back', 'verify-document', 'keep-files'].every((last) =>
          lines().some(({ job, outcome }) => job === last && outcome === 'done'),
        ),
      'the last jobs to be logged',
    );
  });
  afterAll(async () => {
    await product?.close();
    collector?.close();
  });

  const scrape = async (authorization = `Bearer ${token}`) => {
    const url = engine === 'servers' ? product.url : `http://127.0.0.1:${back}`;
    const answer = await fetch(`${url}/metrics`, { headers: { authorization } });
    return { status: answer.status, text: await answer.text() };
  };

  it('has one id on the lines of the endpoint and of every job, the service event among them', async () => {
    await eventually(() => lines().some(({ job }) => job === 'keep-files'), 'the PDF to be kept');
    const arrivals = lines().filter(({ msg, answer }) => msg === 'A webhook came' && answer === 'accepted');
    expect(arrivals).toHaveLength(1);
    const { trace } = arrivals[0] as Line;
    expect(trace).toMatch(/^[0-9a-f]{32}$/);
    const context = lines().filter((line) => line.trace === trace);
    expect(new Set(context.flatMap(({ job }) => job ?? []))).toEqual(
      new Set([
        'sync-order',
        'submit-document',
        'settle-document',
        'write-back',
        'verify-document',
        'keep-files',
      ]),
    );
    expect(context.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['A webhook came', 'Order synced', 'Job ended', 'Written back onto the order']),
    );
  });

  it('leaves nothing of the buyer, and no secret, in the log', () => {
    const text = product.log();
    const order = product.shop.order('1201') as { billing?: Record<string, string> } | undefined;
    const secret = [webhookSecret, 'cs_prueba', 'clave-1', token, ...Object.values(order?.billing ?? {})];
    const long = secret.filter((one) => one.length > 5);
    expect(long.length).toBeGreaterThan(6);
    for (const value of long) expect(text).not.toContain(value);
  });

  it('has one span for endpoint, jobs, service and shop calls under the same id, calls within their job', async () => {
    const trace = String(lines().find(({ answer }) => answer === 'accepted')?.trace);
    const mine = () => collector.spans.filter(({ traceId }) => traceId === trace);
    const needed = [
      'webhook',
      'job sync-order',
      'shop fetchOrder',
      'job submit-document',
      'service emitirFactura',
      'job write-back',
      'shop writeBack',
    ];
    // Two processes send their spans when each of them likes.
    const missing = () => needed.filter((one) => !mine().some(({ name }) => name === one));
    await eventually(() => missing().length === 0, 'every span to be sent');
    const post = mine().find(({ name }) => name === 'service emitirFactura');
    const job = mine().find(({ spanId }) => spanId === post?.parentSpanId);
    expect(job?.name).toBe('job submit-document');
    // The service's event begins a trace of its own; its job says which trace it joined.
    const settled = await eventually(
      () => collector.spans.find(({ name }) => name === 'job settle-document'),
      'the span of settle-document',
    );
    const said = settled.attributes.find(({ key }) => key === 'facturapuente.trace');
    expect(said?.value.stringValue).toBe(trace);
  });

  it('stands in the metrics, for those who say the token', async () => {
    expect((await scrape('Bearer x')).status).toBe(401);
    const documents = await eventually(async () => {
      const { text } = await scrape();
      return /^facturapuente_documents\{kind="factura",state="authorized"\} 1$/m.test(text) && text;
    }, 'the factura to be counted');
    expect(documents).toContain('facturapuente_documents{kind="factura",state="uncertain"} 0');
    expect(documents).toContain(
      'facturapuente_webhook_seconds_count{endpoint="woocommerce",answer="accepted"} 1',
    );
    if (engine === 'servers') return;
    expect(documents).toContain(
      'facturapuente_emissions_total{account="cuenta",kind="factura",outcome="created"} 1',
    );
    expect(documents).toContain('facturapuente_job_seconds_count{kind="write-back",outcome="done"} 1');
    expect(documents).toContain('facturapuente_transport_jobs{state="waiting"} 0');
  });

  it.runIf(engine === 'sqlite')('has metrics on the port of their own only', async () => {
    const answer = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(404);
  });

  it('sends its last spans and stops in order', async () => {
    expect(await product.stop()).toEqual(engine === 'sqlite' ? [0] : [0, 0]);
  });
});
