import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Checked, type Report, runConformance } from '../../../sandbox/conformance/run.ts';
import { exampleIssuer, type Settings } from '../../../sandbox/conformance/settings.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/emulator/index.ts';

export const apiKey = 'clave-de-conformidad-1';
export const secondKey = 'clave-de-conformidad-2';

/** A sandbox of the test's own, quick to decide and to repeat deliveries. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({
    accounts: [{ apiKey, beta: true }, { apiKey: secondKey }],
    authorizeDelayMs: 5,
    webhookRetryDelaysMs: [20],
    allowLoopbackWebhooks: true,
    ...options,
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Everything a visitor may be allowed, but the request limit. */
export const allowed = {
  secondKey,
  companyRuc: '0159999994001',
  withVerification: true,
  webhook: { listen: 0 },
} satisfies Partial<Settings>;

const series = { establecimiento: '001', puntoEmision: '900' };

/** A run against this address; without `more` it may change nothing. */
export function conform(baseUrl: string, more: Partial<Settings> = {}): Promise<Report> {
  return runConformance({
    ...{ baseUrl, apiKey, emisor: exampleIssuer, series, waitSeconds: 10 },
    ...{ withVerification: false, withRateLimit: false },
    ...more,
  });
}

const differing = (checked: readonly Checked[]) =>
  checked
    .filter(({ finding }) => finding.verdict === 'differs')
    .map(({ id, finding }) => ({ id, ...finding }));

/** What differs from the specification. */
export const differences = ({ checked }: Report) => differing(checked.filter((one) => !one.inferred));
/** What differs from our assumptions. */
export const surprises = ({ checked }: Report) => differing(checked.filter((one) => one.inferred));
export const verdictOf = ({ checked }: Report, id: string) =>
  checked.find((one) => one.id === id)?.finding.verdict;

/** One request and its answer on the way through a proxy; what a test changes is what arrives. */
export interface Passing {
  method: string;
  path: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of any shape.
  request: any;
  /** The bytes that go on to the target. */
  sent: Buffer;
  /** Set to end the connection without an answer. */
  cut?: boolean;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests change answers of any shape; null when it is no JSON.
  body: any;
}

/** Stands before `target`: `before` may change the request's headers, `after` the answer. */
export async function startProxy(
  target: string,
  { before, after }: { before?(passing: Passing): void; after?(passing: Passing): void },
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers)
        .filter(([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name))
        .map(([name, value]) => [name, String(value)]),
    );
    const method = incoming.method ?? 'GET';
    const path = incoming.url ?? '/';
    const passing: Passing = { method, path, headers, request: readJson(sent), sent, status: 0, body: null };
    before?.(passing);
    if (passing.cut) {
      incoming.socket.destroy();
      return;
    }
    const response = await fetch(`${target}${path}`, {
      ...{ method, headers: passing.headers },
      ...(sent.length > 0 ? { body: new Uint8Array(passing.sent) } : {}),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    passing.status = response.status;
    passing.body = readJson(bytes);
    after?.(passing);
    const json = passing.body === null ? bytes : Buffer.from(JSON.stringify(passing.body));
    outgoing
      .writeHead(passing.status, { 'content-type': response.headers.get('content-type') ?? '' })
      .end(json);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/** The rows of docs/assumptions.md whose basis begins so: `['A1', …]`. */
export async function assumptionRows(basis = ''): Promise<string[]> {
  const text = await readFile(new URL('../../../docs/assumptions.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^\| (A\d+) \| ([^|]+) \|/gm)]
    .filter(([, , reported]) => reported?.startsWith(basis))
    .map(([, row]) => String(row));
}
