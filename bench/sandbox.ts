import { dayInEcuador } from '../sandbox/emulator/clock.ts';
import { exampleFactura } from '../sandbox/emulator/emission/example.ts';
import { type Line, line, percentile } from './line.ts';
import { listen, type Opened } from './servers.ts';
import { type Starter, until } from './starter.ts';

export const whole = { emissions: 1_000, seconds: 30 };

/** A busy sandbox: emissions at an even pace over ten API keys, each with its webhook. */
export async function sandbox(start: Starter, { emissions, seconds } = whole): Promise<Line[]> {
  const webhooks = await receiver();
  start.defer(webhooks.close);
  const keys = Array.from({ length: 10 }, (_, index) => `clave-${index}`);
  const server = await start.server('sandbox', { keys, webhookUrl: webhooks.url });
  const times: number[] = [];
  const sending: Promise<void>[] = [];
  const began = performance.now();
  let created = 0;
  for (let index = 0; index < emissions; index += 1) {
    const due = began + (index * seconds * 1000) / emissions;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    start.signal.throwIfAborted();
    sending.push(
      emit(server.url, keys[index % keys.length] ?? '', index % keys.length).then(({ creado, tookMs }) => {
        times.push(tookMs);
        if (creado) created += 1;
      }),
    );
  }
  await Promise.all(sending);
  await until(start, () => webhooks.keys.size >= created);
  const audit = (await (await fetch(`${server.url}/__sandbox/audit`)).json()) as {
    documents: { authorised: number };
    duplicates: unknown[];
  };
  const memoryMb = server.residentMb();
  await server.stop();
  const lost = 3 * emissions - created - audit.documents.authorised - webhooks.keys.size;
  return [
    line(
      'Of 1,000 emissions in half a minute over ten keys: lost or doubled',
      '',
      [lost + audit.duplicates.length],
      {
        atMost: 0,
      },
    ),
    line('Memory of the sandbox then', 'MB', [memoryMb], { atMost: 300 }),
    line('p99 of an emission', 'ms', [percentile(times)]),
  ];
}

/** Each key has a point of emission of its own. */
async function emit(url: string, key: string, point: number): Promise<{ creado: boolean; tookMs: number }> {
  const factura = exampleFactura(dayInEcuador(new Date()));
  const emisor = { ...factura.emisor, codigo_puntoemision: String(1 + point).padStart(3, '0') };
  const began = performance.now();
  const response = await fetch(`${url}/api/factura/emision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ ...factura, emisor }),
  });
  const { creado } = (await response.json()) as { creado: boolean };
  return { creado, tookMs: performance.now() - began };
}

/** Accepts every webhook and records its document. */
async function receiver(): Promise<Opened & { keys: Set<string> }> {
  const keys = new Set<string>();
  const server = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    keys.add((JSON.parse(Buffer.concat(chunks).toString('utf8')) as { claveacceso: string }).claveacceso);
    response.writeHead(200).end();
  });
  return { ...server, keys };
}
