import { z } from 'zod';
import { isCedula, isRuc } from '../accounts/identifications.ts';
import { lookUpCedula, lookUpRuc } from '../accounts/registry.ts';
import type { Operation } from '../operation.ts';
import { answerLookUp, type Registry } from './look-up.ts';
import { failed, plainFailures } from './shapes.ts';

interface DescribedRegistry extends Registry {
  summary: string;
  data: z.ZodObject;
}

const ruc: DescribedRegistry = {
  id: 'ruc',
  summary: 'A taxpayer in the registry of the tax authority',
  possible: isRuc,
  rule: '13 dígitos, provincia y establecimiento',
  lookUp: lookUpRuc,
  data: z.looseObject({
    ruc: z.string(),
    razon_social: z.string(),
    nombre_comercial: z.string(),
    estado: z.enum(['ACTIVO', 'SUSPENDIDO']),
    tipo_contribuyente: z.enum(['SOCIEDAD', 'PERSONA NATURAL']),
    obligado_contabilidad: z.enum(['SI', 'NO']),
    actividad: z.string(),
  }),
};

const cedula: DescribedRegistry = {
  id: 'cedula',
  summary: 'A person in the civil registry',
  possible: isCedula,
  rule: '10 dígitos, provincia y dígito verificador',
  lookUp: lookUpCedula,
  data: z.looseObject({ cedula: z.string(), nombre: z.string().describe('Family names first.') }),
};

/** Both registries, by GET and POST, under `/api/sri` and its alias `/api/consulta`. */
export const registryOperations: readonly Operation[] = [ruc, cedula].flatMap((registry) => [
  byPath(registry, 'sri', ''),
  byBody(registry, 'sri', '_post'),
  byPath(registry, 'consulta', '_alias'),
  byBody(registry, 'consulta', '_alias_post'),
]);

function byPath(registry: DescribedRegistry, prefix: string, suffix: string): Operation {
  return {
    ...described(registry, suffix),
    method: 'get',
    path: `/api/${prefix}/${registry.id}/:${registry.id}`,
    params: z.object({ [registry.id]: z.string().describe(`The number: ${digits(registry)} digits.`) }),
    handle: ({ world, account, params }) => answerLookUp(world, account, registry, params[registry.id] ?? ''),
  };
}

function byBody(registry: DescribedRegistry, prefix: string, suffix: string): Operation {
  const schema = z.strictObject({
    [registry.id]: z.string().describe(`The number: ${digits(registry)} digits.`),
  });
  return {
    ...described(registry, suffix),
    method: 'post',
    path: `/api/${prefix}/${registry.id}`,
    json: schema,
    handle({ world, account, json }) {
      const read = schema.safeParse(json());
      if (read.success) return answerLookUp(world, account, registry, read.data[registry.id] ?? '');
      const message = `El cuerpo debe ser {"${registry.id}": "…"}, con el número como texto y nada más.`;
      return { status: 400, body: { success: false, message } };
    },
  };
}

function digits({ id }: Registry): number {
  return id === 'ruc' ? 13 : 10;
}

function described({ id, summary, data }: DescribedRegistry, suffix: string) {
  return {
    id: `consultar_${id}${suffix}`,
    summary: suffix.startsWith('_alias') ? `${summary}; alias under /api/consulta` : summary,
    tag: 'Consultas',
    access: 'key',
    words: 'plain',
    inferred: true,
    answers: {
      200: {
        says: 'What the registry knows, or success false when it knows nobody under the number',
        json: z
          .looseObject({
            success: z.literal(true),
            data,
            cache: z.boolean().describe('Answered from the last 24 hours: free and not counted.'),
            costo: z.number().describe('USD'),
            gratis_restantes: z.int(),
          })
          .or(failed),
      },
      400: { says: 'An impossible number, or another body', json: failed },
      402: { says: 'No free queries this month and no money in the queries wallet', json: failed },
      502: { says: 'The registry does not answer', json: failed },
      ...plainFailures,
    },
  } as const;
}
