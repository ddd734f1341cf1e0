import { z } from 'zod';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import { type Context, scene } from '../context.ts';
import { compare, type Expectation, sawShape } from '../expectation.ts';
import { type Answer, isRecord } from '../service.ts';

const section = 'Consultas al registro';

/** The issuer's own RUC, so that no other person is looked up. At most this look-up is charged. */
const first = scene(({ service, settings }: Context) =>
  service.ask({ method: 'GET', path: `/api/sri/ruc/${settings.emisor.ruc}` }),
);
const again = scene(async (context: Context) => {
  await found(context);
  const { service, settings } = context;
  return service.ask({ method: 'GET', path: `/api/sri/ruc/${settings.emisor.ruc}` });
});

async function found(context: Context): Promise<Answer> {
  const answer = await first(context);
  if (isRecord(answer.json) && answer.json.success === true) return answer;
  throw new Unseen(`GET /api/sri/ruc/{ruc} no devolvió datos (A24): ${sawShape(answer)}`);
}

const data: Expectation = {
  says: 'HTTP 200 con data {ruc, razon_social, …}, cache, costo y gratis_restantes',
  status: 200,
  shape: z.looseObject({
    success: z.literal(true),
    data: z.looseObject({ ruc: z.string(), razon_social: z.string() }),
    cache: z.boolean(),
    costo: z.number(),
    gratis_restantes: z.number(),
  }),
};

/** Registry look-ups. Answers are about a taxpayer: only their shape is reported. */
export const registryChecks: readonly Check[] = [
  {
    id: 'supuesto-consulta-ruc',
    section,
    row: 'Paths known, /api/sri/...',
    inferred: 'A24',
    title: 'GET /api/sri/ruc/{ruc} devuelve el contribuyente',
    run: async (context) => compare(await first(context), data),
  },
  ...(['GET', 'POST'] as const).map(
    (method): Check => ({
      id: `alias-consulta-${method.toLowerCase()}`,
      section,
      row: 'Paths known, /api/consulta/... alias of /api/sri/...',
      title: `${method} /api/consulta/ruc responde lo mismo que /api/sri/ruc`,
      async run(context) {
        const { json } = await found(context);
        const { ruc } = context.settings.emisor;
        const answer = await context.service.ask(
          method === 'GET'
            ? { method, path: `/api/consulta/ruc/${ruc}` }
            : { method, path: '/api/consulta/ruc', json: { ruc } },
        );
        const same = (value: unknown) => JSON.stringify(isRecord(value) ? value.data : value);
        return answer.status === 200 && same(answer.json) === same(json)
          ? agrees()
          : differs('los mismos datos', sawShape(answer));
      },
    }),
  ),
  {
    id: 'supuesto-consulta-cache',
    section,
    row: 'Limits, Free registry queries: cache 24 hours',
    inferred: 'A24',
    title: 'la misma consulta, repetida, viene con cache=true',
    async run(context) {
      const { json } = await again(context);
      const cache = isRecord(json) ? json.cache : undefined;
      return cache === true ? agrees('cache: true') : differs('cache: true', `cache: ${String(cache)}`);
    },
  },
  {
    id: 'consulta-repetida-gratis',
    section,
    row: 'Behavior of the queries routes; Limits, cache 24 hours',
    title: 'la misma consulta, repetida, no gasta otra consulta gratis',
    async run(context) {
      const left = ({ json }: Answer) => (isRecord(json) ? json.gratis_restantes : undefined);
      const before = left(await found(context));
      const after = left(await again(context));
      if (typeof before !== 'number') throw new Unseen('La consulta no trae gratis_restantes (A24).');
      return after === before
        ? agrees()
        : differs(`gratis_restantes ${before}`, `gratis_restantes ${String(after)}`);
    },
  },
  {
    id: 'supuesto-consulta-imposible',
    section,
    row: 'Behavior of the queries routes',
    inferred: 'A24',
    title: 'un número imposible se responde con 400',
    run: async ({ service }) =>
      compare(await service.ask({ method: 'GET', path: '/api/sri/cedula/123' }), {
        says: 'HTTP 400 con success=false y message',
        status: 400,
        shape: z.looseObject({ success: z.literal(false), message: z.string() }),
      }),
  },
  {
    id: 'supuesto-consulta-precio',
    section,
    row: 'Behavior of the queries routes',
    inferred: 'A25',
    title: 'una consulta después de las gratis cuesta 0,01 USD',
    async run(context) {
      const { json } = await found(context);
      const { costo, gratis_restantes } = json as { costo?: unknown; gratis_restantes?: unknown };
      if (gratis_restantes !== 0 || !costo) throw new Unseen('Esta consulta no se cobró.');
      return costo === 0.01 ? agrees('costo: 0.01') : differs('costo: 0.01', `costo: ${String(costo)}`);
    },
  },
];
