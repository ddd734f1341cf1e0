import { z } from 'zod';
import type { Check } from '../check.ts';
import { badKey, badKeyOnEmission, compare, type Expectation, judge } from '../expectation.ts';
import type { Ask } from '../service.ts';

const section = 'Claves y rutas';
const noKey = '0'.repeat(49);
/** A key no service has given out. */
export const strangeKey = 'conformidad-clave-que-no-existe';

const keyed: readonly (readonly [Ask['method'], string])[] = [
  ['POST', '/api/factura/emision'],
  ['POST', '/api/credito/emision'],
  ['POST', '/api/empresa/crear'],
  ['PUT', '/api/empresa/editar'],
  ['POST', '/api/empresa/subirfirma'],
  ['POST', '/api/empresa/subirlogo'],
  ['POST', '/api/id/verificaciones'],
  ['GET', `/api/comprobante/consulta/${noKey}`],
  ['GET', `/api/comprobante/xml/${noKey}`],
  ['GET', `/api/comprobante/pdf/${noKey}`],
  ['POST', '/api/comprobante/reprocesar'],
  ['GET', '/api/webhook'],
  ['POST', '/api/webhook'],
  ['PUT', '/api/webhook'],
  ['GET', '/api/creditos/saldo'],
];

const pong: Expectation = {
  says: 'HTTP 200 con pong=true',
  status: 200,
  shape: z.looseObject({ pong: z.literal(true) }),
};
const ping = (key: string | null) => ({ method: 'POST', path: '/api/ping', key }) as const;

/** Spec, "Authentication", and that every route asks for a key. */
export const accessChecks: readonly Check[] = [
  {
    id: 'ping-sin-clave',
    section,
    row: 'Endpoints, POST /api/ping',
    title: 'ping responde sin clave',
    run: async ({ service }) => judge(await service.ask(ping(null)), pong),
  },
  {
    id: 'ping-no-valida-la-clave',
    section,
    row: 'Authentication, 4',
    title: 'ping no valida la clave',
    run: async ({ service }) => judge(await service.ask(ping(strangeKey)), pong),
  },
  ...keyed.map(([method, path]): Check => {
    const route = path.replace(noKey, '{claveacceso}');
    const emission = route.endsWith('/emision');
    return {
      id: `clave-invalida-${method.toLowerCase()}-${route.replace(/^\/api\//, '').replace(/[^a-z]+/g, '-')}`,
      section,
      row: emission ? 'Authentication, 3 (emission)' : 'Authentication, 3; Errors, 4',
      title: `${method} ${route} rechaza una clave inválida`,
      run: async ({ service }) => {
        const json = method === 'GET' ? {} : { json: {} };
        const answer = await service.ask({ method, path, key: strangeKey, ...json });
        return judge(answer, emission ? badKeyOnEmission : badKey);
      },
    };
  }),
  {
    id: 'sin-clave',
    section,
    row: 'Authentication, 1',
    title: 'sin el encabezado X-API-KEY no se responde',
    run: async ({ service }) =>
      judge(await service.ask({ method: 'GET', path: '/api/creditos/saldo', key: null }), badKey),
  },
  {
    id: 'supuesto-clave-desconocida',
    section,
    row: 'Paths known, consulta',
    inferred: 'A2',
    title: 'una clave de acceso desconocida se responde con 404',
    run: async ({ service }) =>
      compare(await service.ask({ method: 'GET', path: `/api/comprobante/consulta/${noKey}` }), {
        says: 'HTTP 404 con success=false y message',
        status: 404,
        shape: z.looseObject({ success: z.literal(false), message: z.string() }),
      }),
  },
];
