import { addCompany, type Company, editCompany, readCompany } from '../accounts/companies.ts';
import { companySchema } from '../accounts/company-fields.ts';
import type { Call, Operation, Reply } from '../operation.ts';
import { companyFailures, noCompany, refuseFields, savedCompany, showCompany } from './company-answers.ts';
import { signatureOperation } from './empresa-firma.ts';
import { logoOperation } from './empresa-logo.ts';

const shared = {
  tag: 'Empresas',
  access: 'key',
  words: 'empresa',
  inferred: false,
  json: companySchema,
} as const;

/** The account's companies: created, edited, given a signature and a logo. */
export const companyOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'crear_empresa',
    method: 'post',
    path: '/api/empresa/crear',
    summary: 'Creates a company (issuer)',
    answers: {
      200: savedCompany,
      400: companyFailures[400],
      401: companyFailures[401],
      429: companyFailures[429],
    },
    handle: (call) =>
      save(call, (companies, fields) => {
        const company = addCompany(companies, fields);
        if (company) return showCompany(company, `La empresa ${company.razon_social} quedó registrada.`);
        const sentence = `La empresa ${fields.ruc} ya existe en esta cuenta; cámbiela con PUT /api/empresa/editar.`;
        return refuseFields({ ruc: [sentence] });
      }),
  },
  {
    ...shared,
    id: 'editar_empresa',
    method: 'put',
    path: '/api/empresa/editar',
    summary: 'Replaces the fields of a company; those not sent take their defaults',
    answers: { 200: savedCompany, ...companyFailures },
    handle: (call) =>
      save(call, (companies, fields) => {
        const company = editCompany(companies, fields);
        return company
          ? showCompany(company, `Los datos de la empresa ${company.razon_social} quedaron actualizados.`)
          : noCompany(fields.ruc);
      }),
  },
  signatureOperation,
  logoOperation,
];

function save(
  { world, account, json }: Call,
  change: (companies: Record<string, Company>, fields: Parameters<typeof addCompany>[1]) => Reply,
): Reply {
  const read = readCompany(json());
  if ('errors' in read) return refuseFields(read.errors);
  const reply = change(account.companies, read.fields);
  if (reply.status === 200) world.touch(account);
  return reply;
}
