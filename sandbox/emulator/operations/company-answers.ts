import { z } from 'zod';
import type { Company } from '../accounts/companies.ts';
import type { FieldErrors } from '../accounts/field-errors.ts';
import type { Reply } from '../operation.ts';
import { aviso, plainFailures } from './shapes.ts';

const refused = z
  .looseObject({
    respuesta: z.literal(false),
    errors: z.record(z.string(), z.array(z.string())).describe('Sentences by field name.'),
    ...aviso,
  })
  .meta({ id: 'EmpresaError' });

/** `EmpresaResponse` (spec, "Company (issuer)"). */
export const savedCompany = {
  says: 'Saved',
  json: z
    .looseObject({
      respuesta: z.literal(true),
      mensaje: z.string(),
      data: z.object({ id: z.int(), ruc: z.string(), razon_social: z.string() }),
      ...aviso,
    })
    .meta({ id: 'EmpresaResponse' }),
};

/** How company routes fail (spec, "Errors" 3, 5 and 12; assumption A28). */
export const companyFailures = {
  400: { says: 'Validation error; errors by field name', json: refused },
  404: { says: 'The account has no company with this RUC', json: refused },
  ...plainFailures,
} as const;

/** The company as every company route answers it. */
export function showCompany({ id, ruc, razon_social }: Company, mensaje: string): Reply {
  return { status: 200, body: { respuesta: true, mensaje, data: { id, ruc, razon_social } } };
}

/** A validation error. */
export function refuseFields(errors: FieldErrors): Reply {
  return { status: 400, body: { respuesta: false, errors } };
}

/** The account has no such company. */
export function noCompany(ruc: string): Reply {
  const sentence = `La empresa ${ruc} no existe en esta cuenta; créela con POST /api/empresa/crear.`;
  return { status: 404, body: { respuesta: false, errors: { ruc: [sentence] } } };
}
