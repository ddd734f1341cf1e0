import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { eventSchemas } from '../../../sandbox/emulator/openapi/events.ts';
import { type JsonSchema, toJsonSchema } from '../../../sandbox/emulator/openapi/json-schema.ts';
import type { DescribedAnswer } from '../../../sandbox/emulator/operation.ts';
import { allOperations } from '../../../sandbox/emulator/operations/all.ts';
import { otherDocumentPaths } from '../../../sandbox/emulator/operations/emision.ts';
import { listenOnLoopback } from '../../../sandbox/shops/loopback.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import { openServiceClient, type ServiceCalls } from '../../../src/service/client.ts';
import { verifyServiceWebhook } from '../../../src/service/event.ts';
import { operations } from '../../service/operations.ts';
import type { Reader } from './cost.ts';
import { type Path, placesIn, withValue } from './texts.ts';

const clave = '2011202601179214673900110010010000000011234567813';
/** Values of fields whose others would end the reading at once. */
const known: Readonly<Record<string, unknown>> = {
  claveacceso: clave,
  numero_autorizacion: clave,
  tipo_comprobante: '01',
  numero: '001-001-000000001',
  ruc_emisor: '1792146739001',
  ambiente: 1,
  estado: 4,
};

/** A value of a schema with every field it names. */
function sampleOf(type: z.ZodType, io: 'input' | 'output'): unknown {
  const { schema, defs } = toJsonSchema(type, io);
  const sample = (one: JsonSchema, name: string): unknown => {
    const { $ref, const: constant, enum: choices, anyOf, type: kind, properties, items } = one;
    if ($ref) return sample(defs[String($ref).replace('#/$defs/', '')] ?? {}, name);
    if (constant !== undefined) return constant;
    if (name in known && kind !== 'array') return known[name];
    if (Array.isArray(choices)) return choices[0];
    if (Array.isArray(anyOf)) return sample(anyOf[0], name);
    if (kind === 'array') return [sample((items ?? {}) as JsonSchema, name)];
    if (properties || kind === 'object')
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([field, inner]) => [
          field,
          sample(inner, field),
        ]),
      );
    if (kind === 'boolean') return true;
    return kind === 'integer' || kind === 'number' ? 1 : 'x';
  };
  return sample(schema, '');
}

/** What comes back for each call, by its place: "200 data.ruc". */
interface Place {
  status: number;
  type: string;
  /** The answer with the text in it. */
  body(text: string): string;
}

function placesOf(status: number, answer: DescribedAnswer): [string, Place][] {
  if (!('json' in answer)) {
    const { type } = answer;
    const begins = type.includes('xml') ? '<?xml version="1.0"?><factura>' : '%PDF-1.7 ';
    return [
      [`${status}`, { status, type, body: (text) => text }],
      [`${status} inside`, { status, type, body: (text) => `${begins}${text}` }],
    ];
  }
  const sample = sampleOf(answer.json, 'output');
  const at = (path: Path): Place => ({
    status,
    type: 'application/json',
    body: (text) => JSON.stringify(withValue(sample, path, text)),
  });
  return [...placesIn(sample)].map(([kind, path]) => [`${status} ${kind}`, at(path)]);
}

/** Every call of the client, with every answer the service is described to give. */
async function openAnswers(): Promise<{ readers: readonly Reader[]; close(): Promise<void> }> {
  let next = { status: 200, type: 'application/json', bytes: Buffer.alloc(0) };
  const server = await listenOnLoopback((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(next.status, { 'content-type': next.type }).end(next.bytes);
    });
  });
  const client = openServiceClient({
    baseUrl: server.url,
    apiKey: 'clave',
    userAgent: 'facturapuente/test',
    log: silentLog,
  });
  const calls = client.with({ take: async () => {}, slow: async () => {} });
  const described = allOperations({
    settings: { otherDocumentPaths, dialect: 'described', arithmetic: 'totals' },
  } as never);
  const readers = Object.entries(operations).map(([name, { route, call }]): Reader => {
    const [method = '', asked = ''] = route.replace(/\?.*/, '').split(' ');
    const operation = described.find(
      (one) =>
        one.method === method.toLowerCase() &&
        new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(asked),
    );
    if (!operation) throw new Error(`The emulator has no ${route}.`);
    const places = new Map(
      Object.entries(operation.answers).flatMap(([status, answer]) => placesOf(Number(status), answer)),
    );
    return {
      name: `the service: ${name}`,
      places: [...places.keys()],
      ...(name.startsWith('descargar') ? {} : { keeps: 6_000 }),
      prepare(place, text) {
        const { status, type, body } = places.get(place) as Place;
        const bytes = Buffer.from(body(text));
        return async () => {
          next = { status, type, bytes };
          return readWhole(await call(calls as ServiceCalls));
        };
      },
    };
  });
  return {
    readers,
    async close() {
      await client.close();
      await server.close();
    },
  };
}

/** A file is read to its end, as who hands it on does. */
async function readWhole(answer: { kind: string }): Promise<unknown> {
  if ('stream' in answer && answer.stream instanceof Readable) for await (const _part of answer.stream);
  return answer;
}

const now = new Date('2026-11-20T15:00:00Z');
const secret = 'secreto-de-los-avisos';

/** What the service tells by itself. */
const events: readonly Reader[] = Object.entries(eventSchemas).map(([name, schema]) => {
  const sample = sampleOf(schema, 'output');
  const places = placesIn(sample);
  return {
    name: `the event ${name}`,
    places: [...places.keys()],
    keeps: 6_000,
    prepare(kind, text) {
      const body = Buffer.from(JSON.stringify(withValue(sample, places.get(kind) ?? [], text)));
      const t = now.getTime() / 1000;
      const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
      const headers = { 'x-service-signature-v2': `t=${t},v1=${v1}`, 'x-service-delivery': 'e1' };
      return () => verifyServiceWebhook(headers, body, [secret], now);
    },
  };
});

/** What the service answers and tells. */
export async function openServiceReaders(): Promise<{ readers: readonly Reader[]; close(): Promise<void> }> {
  const { readers, close } = await openAnswers();
  return { readers: [...events, ...readers], close };
}
