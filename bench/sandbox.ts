import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../src/cli/demo/run.ts';
import { here, type Served, served } from './processes.ts';

/** One minute of a busy sandbox: requests and results. */
export interface SandboxMinute {
  sent: number;
  created: number;
  authorised: number;
  announced: number;
  duplicates: number;
  p99: number;
  memoryMb: number;
  readyMs: number;
}

/** Emits `count` facturas at an even pace over ten API keys of a fresh sandbox, with webhooks on. */
export async function busyMinute(count: number, seconds: number): Promise<SandboxMinute> {
  const heard = await receiver();
  const keys = Array.from({ length: 10 }, (_, index) => `clave-${index}`);
  const sandbox = await startSandbox(keys, heard.url);
  const times: number[] = [];
  let created = 0;
  const sending: Promise<void>[] = [];
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    const due = began + (index * seconds * 1000) / count;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    sending.push(
      emit(sandbox.url, keys[index % keys.length] ?? '', index).then(({ creado, tookMs }) => {
        times.push(tookMs);
        if (creado) created += 1;
      }),
    );
  }
  await Promise.all(sending);
  const patience = performance.now() + 30_000;
  while (heard.keys.size < created && performance.now() < patience) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const audit = (await (await fetch(`${sandbox.url}/__sandbox/audit`)).json()) as {
    documents: { authorised: number };
    duplicates: unknown[];
  };
  const memoryMb = sandbox.residentMb();
  await sandbox.stop();
  heard.close();
  times.sort((a, b) => a - b);
  return {
    sent: count,
    created,
    authorised: audit.documents.authorised,
    announced: heard.keys.size,
    duplicates: audit.duplicates.length,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    memoryMb,
    readyMs: sandbox.readyMs,
  };
}

/** `sandbox` of the built product; the webhook of every key goes to one address. */
export async function startSandbox(
  keys: readonly string[],
  webhookUrl: string,
  more: readonly string[] = [],
): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const args = [
    here('../dist/src/cli/bin.js'),
    'sandbox',
    ...['--port', String(port), '--allow-loopback-webhooks'],
    ...['--webhook-url', webhookUrl, '--webhook-secret', 'secreto-del-banco-de-pruebas'],
    ...keys.flatMap((key) => ['--api-key', key]),
    ...more,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`sandbox ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/api/ping`, { method: 'POST' }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return served(child, url, began, async () => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function emit(url: string, key: string, index: number): Promise<{ creado: boolean; tookMs: number }> {
  const began = performance.now();
  const response = await fetch(`${url}/api/factura/emision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(factura(index)),
  });
  const { creado } = (await response.json()) as { creado: boolean };
  return { creado, tookMs: performance.now() - began };
}

/** Six lines, one number for each document. */
function factura(index: number): object {
  const now = new Date(Date.now() - 5 * 60 * 60 * 1000);
  return {
    emisor: {
      nombre_comercial: 'Tienda de Prueba',
      ruc: '1792146739001',
      codigo_establecimiento: '001',
      codigo_puntoemision: String(1 + (index % 10)).padStart(3, '0'),
      direccion_matriz: 'Av. Prueba 123, Quito',
      direccion_establecimiento: 'Av. Prueba 123, Quito',
      obligado_contabilidad: 'SI',
      secuencial: String(1 + Math.floor(index / 10)).padStart(9, '0'),
      fecha_emision: now.toISOString().slice(0, 10).replaceAll('-', '/'),
    },
    ambiente: 1,
    comprador: {
      identificacion: '2459999997',
      tipo_identificacion: '05',
      razon_social: 'María José Peñafiel',
      direccion: 'Calle de Prueba 1',
    },
    items: Array.from({ length: 6 }, (_, line) => ({
      codigo_principal: `SKU-${line}`,
      descripcion: `Producto de prueba número ${line}`,
      cantidad: 1 + line,
      precio_unitario: 12.345678,
      tipoproducto: 1,
      tipo_iva: line === 0 ? 0 : 4,
    })),
  };
}

/** Accepts every webhook and records its document. */
async function receiver(): Promise<{ url: string; keys: Set<string>; close(): void }> {
  const keys = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    keys.add((JSON.parse(Buffer.concat(chunks).toString('utf8')) as { claveacceso: string }).claveacceso);
    response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    keys,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
