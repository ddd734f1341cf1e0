import { z } from 'zod';
import { type Body, put } from '../bodies.ts';
import { agrees, type Check, differs } from '../check.ts';
import { companyRefused, compare, judge, saw } from '../expectation.ts';
import { exampleCompanyRuc, unknownCompanyRuc } from '../settings.ts';

const section = 'Empresas';

/** The required fields of a company, under a RUC of no person. */
export const company = (ruc: string): Body => ({ ruc, razon_social: 'EMPRESA DE PRUEBA DE CONFORMIDAD' });

const smtp: Body = {
  smtp: true,
  smtp_host: 'smtp.example.com',
  smtp_port: 587,
  smtp_user: 'usuario',
  smtp_password: 'no-es-una-clave',
  smtp_from_email: 'facturas@example.com',
};

const row = 'Errors, 12';
const slips: readonly { what: string; row: string; change: Body }[] = [
  { what: 'falta ruc', row: 'Company (issuer), ruc', change: { ruc: undefined } },
  { what: 'falta razon_social', row: 'Company (issuer), razon_social', change: { razon_social: undefined } },
  { what: 'el RUC tiene 12 dígitos', row, change: { ruc: '179214673900' } },
  { what: 'el RUC tiene letras', row, change: { ruc: '17921467390AB' } },
  {
    what: 'los dos regímenes RIMPE están activos',
    row,
    change: { regimen_rimpe: true, regimen_rimpe_popular: true },
  },
  { what: 'agenteretencion va sin numero_resolucion', row, change: { agenteretencion: true } },
  ...['smtp_host', 'smtp_port', 'smtp_user', 'smtp_password', 'smtp_from_email'].map((name) => ({
    what: `smtp va sin ${name}`,
    row,
    change: { ...smtp, [name]: undefined },
  })),
  {
    what: 'smtp_encryption no es tls, ssl ni null',
    row: 'Company (issuer), smtp_encryption',
    change: { ...smtp, smtp_encryption: 'starttls' },
  },
  {
    what: 'contabilidad es un texto',
    row: 'Company (issuer), contabilidad',
    change: { contabilidad: 'tal vez' },
  },
  {
    what: 'smtp_port es un texto',
    row: 'Company (issuer), smtp_port',
    change: { ...smtp, smtp_port: 'cualquiera' },
  },
];

const uploads = [
  { route: 'subirfirma', json: { firma_base64: 'AAAA', password: 'no-es-una-clave' } },
  { route: 'subirlogo', json: { logo_base64: 'AAAA' } },
] as const;

/** What company routes refuse; nothing is created by a service that keeps to the specification. */
export const companyChecks: readonly Check[] = [
  ...slips.map(
    ({ what, row, change }): Check => ({
      id: `empresa-${what.replace(/[^\p{L}\d]+/gu, '-').toLowerCase()}`,
      section,
      row,
      title: `crear empresa se rechaza si ${what}`,
      async run({ service }) {
        const json = company(exampleCompanyRuc);
        for (const [name, value] of Object.entries(change)) put(json, name, value);
        return judge(await service.ask({ method: 'POST', path: '/api/empresa/crear', json }), companyRefused);
      },
    }),
  ),
  ...uploads.map(
    ({ route, json }): Check => ({
      id: `${route}-empresa-desconocida`,
      section,
      row: 'Errors, 5',
      title: `${route} de una empresa que no existe responde 404`,
      async run({ service }) {
        const path = `/api/empresa/${route}`;
        const answer = await service.ask({ method: 'POST', path, json: { ruc: unknownCompanyRuc, ...json } });
        return answer.status === 404 ? agrees() : differs('HTTP 404', saw(answer));
      },
    }),
  ),
  {
    id: 'supuesto-empresa-desconocida',
    section,
    row: 'Errors, 3 and 5',
    inferred: 'A28',
    title: 'el 404 de empresa trae respuesta=false y errors por campo',
    async run({ service }) {
      const json = { ruc: unknownCompanyRuc, logo_base64: 'AAAA' };
      return compare(await service.ask({ method: 'POST', path: '/api/empresa/subirlogo', json }), {
        says: 'HTTP 404 con respuesta=false y errors.ruc',
        status: 404,
        shape: z.looseObject({
          respuesta: z.literal(false),
          errors: z.looseObject({ ruc: z.array(z.string()) }),
        }),
      });
    },
  },
];
