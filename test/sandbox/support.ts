import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/emulator/index.ts';
import { eventually } from '../support/eventually.ts';
import { expectDescribed } from './described.ts';

// Bodies are written by hand here: the sandbox must not be tested with our own mappers.

export const apiKey = 'clave-de-prueba-1';

/** A fixed instant: 20 November 2026, 10:00 in Ecuador. */
export const noon = () => new Date('2026-11-20T15:00:00Z');
export const today = '2026/11/20';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of any shape.
  body: any;
}

export interface Client {
  sandbox: Sandbox;
  emit(body: unknown, key?: string): Promise<Answer>;
  /** `POST /api/credito/emision` */
  credit(body: unknown, key?: string): Promise<Answer>;
  get(path: string, key?: string): Promise<Answer>;
  send(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Waits until the document has left "in process" and answers the consult's body. */
  settled(claveacceso: string, key?: string): Promise<Answer['body']>;
}

/** A folder of the test's own, gone when the test is over. */
export function openFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What lets a sandbox deliver the events of its only account to `url`. */
export const delivering = (url: string, secret = 'secreto-de-prueba') => ({
  allowLoopbackWebhooks: true,
  accounts: [{ apiKey, webhook: { url, secret } }],
});

/** A sandbox of the test's own, closed when the test is over. Every answer is held against its description. */
export async function start(options: SandboxOptions = {}): Promise<Client> {
  const sandbox = await createSandbox({
    accounts: [{ apiKey }],
    authorizeDelayMs: 5,
    now: noon,
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const send: Client['send'] = async (method, path, body, key = apiKey) => {
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { 'X-API-KEY': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type') ?? '';
    const read = type.includes('json')
      ? await response.json()
      : type.includes('pdf')
        ? Buffer.from(await response.arrayBuffer())
        : await response.text();
    const answer = { status: response.status, headers: response.headers, body: read };
    await expectDescribed(sandbox, options.otherDocumentPaths, method, path, answer);
    return answer;
  };
  const client: Client = {
    sandbox,
    send,
    emit: (body, key) => send('POST', '/api/factura/emision', body, key),
    credit: (body, key) => send('POST', '/api/credito/emision', body, key),
    get: (path, key) => send('GET', path, undefined, key),
    settled: (claveacceso, key) =>
      eventually(async () => {
        const { body } = await client.get(`/api/comprobante/consulta/${claveacceso}`, key);
        return body.estado !== 1 && body;
      }, `${claveacceso} decided`),
  };
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: tests break the body in every way.
type Loose = Record<string, any>;

/** A correct factura: 15 % and 0 %, a discount, shipping, two payments; 47.98 in all. */
export function factura(change: (body: Loose) => void = () => {}): Loose {
  const body: Loose = {
    emisor: {
      nombre_comercial: 'Tienda de Prueba',
      razon_social: 'EMISOR DE PRUEBA S.A.',
      ruc: '1792146739001',
      codigo_establecimiento: '001',
      codigo_puntoemision: '001',
      direccion_matriz: 'Av. Prueba 123, Quito',
      direccion_establecimiento: 'Av. Prueba 123, Quito',
      obligado_contabilidad: 'SI',
      secuencial: '000000123',
      fecha_emision: today,
    },
    ambiente: 1,
    comprador: {
      identificacion: '2459999997',
      tipo_identificacion: '05',
      razon_social: 'María José Peñafiel',
      direccion: 'Calle de Prueba 1',
      correo: 'comprador@example.com',
    },
    items: [
      {
        codigo_principal: 'SKU-A',
        descripcion: 'Camiseta',
        cantidad: 2,
        precio_unitario: 17.382609,
        tipoproducto: 1,
        tipo_iva: 4,
      },
      {
        codigo_principal: 'SKU-B',
        descripcion: 'Libro',
        cantidad: 1,
        precio_unitario: 5,
        descuento: 0.5,
        tipoproducto: 1,
        tipo_iva: 0,
      },
      {
        codigo_principal: 'ENVIO',
        descripcion: 'Envío',
        cantidad: 1,
        precio_unitario: 3.043478,
        tipoproducto: 2,
        tipo_iva: 4,
      },
    ],
    pagos: [
      { tipo: 19, total: 40 },
      { tipo: 20, total: 7.98 },
    ],
    informacion_adicional: [{ nombre: 'Pedido', detalle: '#1001' }],
  };
  change(body);
  return body;
}

/** A correct nota de crédito: one of the two shirts of `factura()` comes back; 19.99 in all. */
export function notaCredito(change: (body: Loose) => void = () => {}): Loose {
  const { emisor, comprador, items } = factura();
  const body: Loose = {
    emisor: { ...emisor, secuencial: '000000007' },
    ambiente: 1,
    comprador,
    documento_modificado: {
      codigo_documento_sustento: 1,
      numero_documento_sustento: '001001000000123',
      fecha_documento_sustento: today,
      motivo: 'Devolución parcial del pedido #1001',
    },
    items: [{ ...items[0], cantidad: 1 }],
  };
  change(body);
  return body;
}

/** The same as clients sent it before a description was known: with dashes, its type as text. */
export const formerNotaCredito = (change: (body: Loose) => void = () => {}): Loose =>
  notaCredito((b) => {
    b.documento_modificado.codigo_documento_sustento = '01';
    b.documento_modificado.numero_documento_sustento = '001-001-000000123';
    change(b);
  });

/** A correct guía de remisión: the goods of `factura()` go from Quito to Cuenca on the next day. */
export function guiaRemision(change: (body: Loose) => void = () => {}): Loose {
  const { emisor, comprador } = factura();
  const body: Loose = {
    emisor: { ...emisor, secuencial: '000000031' },
    ambiente: 1,
    transportista: {
      tipo_identificacion: '04',
      identificacion: '1790016919001',
      razon_social: 'Transportes de Prueba S.A.',
      placa: 'PBA-1234',
    },
    destinatario: { ...comprador },
    traslado: {
      direccion_destino: 'Calle de Prueba 1, Cuenca',
      fecha_inicio_transporte: today,
      fecha_fin_transporte: '2026/11/21',
      punto_partida: 'Bodega Norte, Quito',
      ruta: 'Quito - Ambato - Cuenca',
      motivo_traslado: 'Venta',
    },
    items: [{ codigo_principal: 'SKU-A', descripcion: 'Camiseta', cantidad: 2 }],
    documento_sustento: {
      codigo_documento_sustento: 1,
      numero_documento_sustento: '001001000000123',
      fecha_emision_documento_sustento: today,
      autorizacion_documento_sustento: '2011202601179214673900110010010000001231234567814',
    },
    informacion_adicional: [{ nombre: 'Pedido', detalle: '#1001' }],
  };
  change(body);
  return body;
}

/** A correct retención: renta of 1.75 % and 30 % of the IVA of a supplier's factura of 115.00. */
export function retencion(change: (body: Loose) => void = () => {}): Loose {
  const { emisor } = factura();
  const body: Loose = {
    emisor: { ...emisor, secuencial: '000000041' },
    ambiente: 1,
    codigoDoc: '07',
    proveedor: {
      tipo_identificacion: '04',
      identificacion: '1790016919001',
      razon_social: 'Proveedor de Prueba S.A.',
      direccion: 'Av. Prueba 9, Quito',
      correo: 'proveedor@example.com',
    },
    sustento: {
      codigo_sustento_tributario: '01',
      codigo_documento_sustento: '01',
      numero_documento_sustento: '002003000000456',
      numero_autorizacion: '1911202601179001691900120020030000004561234567815',
      fecha_documento_sustento: '2026/11/19',
      fecha_registro_contable: today,
      items: [
        {
          codigo_principal: 'SERV-1',
          descripcion: 'Servicio de embalaje',
          cantidad: 2,
          precio_unitario: 50,
          tipo_iva: 4,
        },
      ],
    },
    retenciones: [
      {
        base_imponible: 100,
        codigoimpuesto: 1,
        codigo_retencion: '312',
        porcentaje_retencion: 1.75,
        valor_retenido: 1.75,
      },
      {
        base_imponible: 15,
        codigoimpuesto: 2,
        codigo_retencion: '1',
        porcentaje_retencion: 30,
        valor_retenido: 4.5,
      },
    ],
    informacion_adicional: [{ nombre: 'Compra', detalle: '#77' }],
  };
  change(body);
  return body;
}

/** A body of the types nobody describes: the blocks every type shares, and blocks of its own. */
export function otherDocument(change: (body: Loose) => void = () => {}): Loose {
  const { emisor } = factura();
  const body: Loose = {
    emisor,
    ambiente: 1,
    informacion_adicional: [{ nombre: 'Pedido', detalle: '#1001' }],
    proveedor: { identificacion: '1790016919001' },
    motivos: [{ razon: 'Interés por mora', valor: 10 }],
  };
  change(body);
  return body;
}

/** The sums of the supplier's document of `retencion()` instead of its lines. */
export const gasto = {
  descripcion: 'Compra de embalaje',
  subtotal_iva: 100,
  subtotal_siniva: 20,
  subtotal_ivacero: 30,
  tipo_iva: 4,
};

export const ruc = '1792146739001';

/** The least a company needs, and whatever a test changes. */
export function company(change: Loose = {}): Loose {
  return { ruc, razon_social: 'EMISOR DE PRUEBA S.A.', ...change };
}

/** Custom mail settings without a fault. */
export const mail = {
  smtp: true,
  smtp_host: 'smtp.example.com',
  smtp_port: 587,
  smtp_user: 'facturas',
  smtp_password: 'secreto-smtp',
  smtp_from_email: 'facturas@example.com',
};

export const create = (client: Client, body: unknown = company()): Promise<Answer> =>
  client.send('POST', '/api/empresa/crear', body);

export const edit = (client: Client, body: unknown): Promise<Answer> =>
  client.send('PUT', '/api/empresa/editar', body);

/** A sandbox with that company. */
export async function withCompany(): Promise<Client> {
  const client = await start();
  await create(client);
  return client;
}

/** Sends a multipart form: strings as fields, bytes as files. */
export async function sendForm(
  { sandbox }: Client,
  path: string,
  parts: Record<string, string | Buffer>,
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'archivo.bin');
  }
  return post(sandbox, path, form);
}

/** Sends bytes as they are under a multipart Content-Type. */
export function sendRawForm({ sandbox }: Client, path: string, contentType: string, body: string | Buffer) {
  return post(sandbox, path, typeof body === 'string' ? body : new Uint8Array(body), contentType);
}

async function post(
  sandbox: Sandbox,
  path: string,
  body: NonNullable<RequestInit['body']>,
  contentType?: string,
): Promise<Answer> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { 'X-API-KEY': apiKey, ...(contentType ? { 'content-type': contentType } : {}) },
    body,
  });
  const answer = { status: response.status, headers: response.headers, body: await response.json() };
  await expectDescribed(sandbox, undefined, 'POST', path, answer);
  return answer;
}

export interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at events of any shape.
  body: any;
}

/** A receiver of webhooks on loopback that answers the statuses or leads to the addresses given, then 200. */
export async function listen(
  ...answers: (number | { redirect: string })[]
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    received.push({ headers: request.headers, raw, body: JSON.parse(raw) });
    const answer = answers.shift() ?? 200;
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.writeHead(307, { location: answer.redirect }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/á?x=/`, received };
}
