import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../support/chance.ts';
import { clave, openClient, openHostile } from './hostile.ts';
import { rows } from './operations.ts';

const names = [
  ...[
    'creado',
    'success',
    'respuesta',
    'pong',
    'claveacceso',
    'id_comprobante',
    'estado',
    'mensaje',
    'message',
  ],
  ...['errors', 'errores', 'data', 'comprobante', 'autorizado', 'requiere_correccion', 'aviso_proveedor_sri'],
  ...['facturacion', 'consultas', 'creditos_disponibles', 'verificaciones', 'id', 'code', 'url', 'secret'],
  ...[
    'clave_acceso',
    'error',
    'estado_texto',
    'numero_autorizacion',
    'estado_saldo',
    'historial',
    'enlace_xml',
  ],
  ...['ultimas_entregas', 'ruc', 'cedula', 'sri', 'costo', '__proto__', 'constructor', 'toString'],
];
const value = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(true, false, 'true', 'false', 1, 0, null, '', clave, Number(clave)),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
/** An answer that every call would take for good. */
const good = {
  creado: true,
  success: true,
  respuesta: true,
  pong: true,
  claveacceso: clave,
  estado: 'pendiente',
  id: 'v-1',
  url: 'https://example.com',
  data: { ruc: '1792146739001', cedula: '1710034065' },
  verificaciones: [],
  consultas: {},
  historial: [],
};
/** Some names of a good answer with other values, or gone (undefined). */
const spoilt = fc.dictionary(fc.constantFrom(...names), fc.option(value, { nil: undefined }), { maxKeys: 4 });
const body = fc.oneof(
  { weight: 8, arbitrary: spoilt.map((change) => JSON.stringify({ ...good, ...change })) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
);
const answer = fc.record({
  status: fc.constantFrom(
    200,
    200,
    200,
    200,
    200,
    200,
    201,
    204,
    302,
    400,
    401,
    402,
    403,
    404,
    409,
    418,
    429,
    500,
    503,
  ),
  body,
  keep: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  retryAfter: fc.constantFrom('', '1', '-1', 'NaN', '1e9', 'Wed, 21 Oct 2026 07:28:00 GMT'),
});

/** What may be called good only if the service said so with one of these flags. */
const needs: Record<string, string> = { created: 'creado|success', saved: 'respuesta|success' };

describe('whatever the service answers', () => {
  test.each(rows)(
    '$name ends with an answer of its own, and calls nothing good that was not said',
    async ({ name, call }) => {
      let current = { status: 200, text: '', retryAfter: '' };
      const url = await openHostile((req, res) => {
        const { status, text, retryAfter } = current;
        req.resume().on('end', () => res.writeHead(status, { 'retry-after': retryAfter }).end(text));
      });
      const { calls } = openClient(url);
      await fc.assert(
        fc.asyncProperty(answer, async ({ status, body, keep, retryAfter }) => {
          current = { status, text: body.slice(0, Math.ceil(body.length * keep)), retryAfter };
          const got = await call(calls);
          expect(got.kind).toMatch(/^[a-z-]+$/);
          if (got.kind === 'throttled') expect(got.retryAfterMs).toBeGreaterThan(0);
          if ('stream' in got) (got.stream as { destroy(): void }).destroy();
          const flags = needs[got.kind];
          if (flags === undefined || /Webhook$/.test(name)) return;
          expect(status).toBeLessThan(300);
          expect(current.text).toMatch(new RegExp(`"(${flags})":("true"|true)`));
        }),
        { numRuns: draws(25, 1_000) },
      );
    },
  );
});
