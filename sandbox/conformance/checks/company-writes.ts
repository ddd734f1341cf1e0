import { FormData } from 'undici';
import { z } from 'zod';
import { agrees, type Check, differs, type Finding, Unseen } from '../check.ts';
import { type Context, scene } from '../context.ts';
import { companyRefused, companySaved, compare, judge, saw } from '../expectation.ts';
import type { Answer } from '../service.ts';
import { unknownCompanyRuc } from '../settings.ts';
import { tinyPng } from '../tiny-png.ts';
import { company } from './companies.ts';

const section = 'Empresas';
const needs = 'companies';
const megabyte = 1024 * 1024;

/** Creates the company, but only where none can be overwritten. */
const created = scene(async ({ service, settings }: Context): Promise<{ ruc: string; answer: Answer }> => {
  const ruc = settings.companyRuc ?? '';
  // An upload that is refused in any case shows whether the company exists.
  const json = { ruc, logo_base64: 'AAAA' };
  const probe = await service.ask({ method: 'POST', path: '/api/empresa/subirlogo', json });
  if (probe.status !== 404) {
    throw new Unseen('La empresa de --ruc ya existe en la cuenta, o no se puede saber: no se toca.');
  }
  return {
    ruc,
    answer: await service.ask({ method: 'POST', path: '/api/empresa/crear', json: company(ruc) }),
  };
});

async function existing(context: Context): Promise<string> {
  const { ruc, answer } = await created(context);
  if (answer.status !== 200) throw new Unseen('La empresa de prueba no se pudo crear.');
  return ruc;
}

function form(fields: Record<string, string>, files: Record<string, Buffer>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  for (const [name, bytes] of Object.entries(files))
    body.set(name, new Blob([new Uint8Array(bytes)]), `${name}.png`);
  return body;
}

const saves = (answer: Answer, ruc: string): Finding => {
  const finding = judge(answer, companySaved);
  const { data } = (answer.json ?? {}) as { data?: { ruc?: unknown } };
  if (finding.verdict === 'agrees' && data?.ruc !== ruc) return differs(`data.ruc ${ruc}`, saw(answer));
  return finding;
};

type Upload = { json: object } | { form: FormData };
const uploads: readonly {
  id: string;
  row: string;
  title: string;
  route: string;
  saved: boolean;
  make(ruc: string): Upload;
}[] = [
  {
    id: 'logo-json',
    row: 'Endpoints, POST /api/empresa/subirlogo (JSON)',
    title: 'subirlogo toma un PNG en base64',
    route: 'subirlogo',
    saved: true,
    make: (ruc) => ({ json: { ruc, logo_base64: tinyPng().toString('base64') } }),
  },
  {
    id: 'logo-multipart',
    row: 'Endpoints, POST /api/empresa/subirlogo (multipart)',
    title: 'subirlogo toma un PNG como archivo',
    route: 'subirlogo',
    saved: true,
    make: (ruc) => ({ form: form({ ruc }, { logo_file: tinyPng() }) }),
  },
  {
    id: 'logo-dos-metodos',
    row: 'Endpoints, Use only one method per request',
    title: 'subirlogo rechaza archivo y base64 a la vez',
    route: 'subirlogo',
    saved: false,
    make: (ruc) => ({
      form: form({ ruc, logo_base64: tinyPng().toString('base64') }, { logo_file: tinyPng() }),
    }),
  },
  {
    id: 'logo-no-imagen',
    row: 'Limits, Logo',
    title: 'subirlogo rechaza lo que no es PNG ni JPG',
    route: 'subirlogo',
    saved: false,
    make: (ruc) => ({ json: { ruc, logo_base64: Buffer.from('esto no es una imagen').toString('base64') } }),
  },
  {
    id: 'logo-pesado',
    row: 'Limits, Logo',
    title: 'subirlogo rechaza un PNG de más de 2 MB',
    route: 'subirlogo',
    saved: false,
    make: (ruc) => ({ json: { ruc, logo_base64: tinyPng(2 * megabyte + 1).toString('base64') } }),
  },
  {
    id: 'firma-no-p12',
    row: 'Endpoints, POST /api/empresa/subirfirma (400)',
    title: 'subirfirma rechaza lo que no es un .p12',
    route: 'subirfirma',
    saved: false,
    make: (ruc) => ({
      json: { ruc, firma_base64: Buffer.from('esto no es una firma').toString('base64'), password: 'x' },
    }),
  },
];

/** What company routes take; only with permission, and only on a company of the run's own. */
export const companyWriteChecks: readonly Check[] = [
  {
    id: 'crear-empresa',
    section,
    row: 'Endpoints, POST /api/empresa/crear',
    title: 'crear responde con la empresa',
    needs,
    async run(context) {
      const { ruc, answer } = await created(context);
      return saves(answer, ruc);
    },
  },
  {
    id: 'editar-empresa',
    section,
    row: 'Endpoints, PUT /api/empresa/editar',
    title: 'editar responde con la empresa',
    needs,
    async run(context) {
      const ruc = await existing(context);
      const json = { ...company(ruc), contabilidad: true };
      return saves(await context.service.ask({ method: 'PUT', path: '/api/empresa/editar', json }), ruc);
    },
  },
  {
    id: 'editar-empresa-invalida',
    section,
    row: 'Endpoints, PUT /api/empresa/editar (400); Errors, 12',
    title: 'editar se rechaza con los dos regímenes RIMPE',
    needs,
    async run(context) {
      const json = { ...company(await existing(context)), regimen_rimpe: true, regimen_rimpe_popular: true };
      return judge(
        await context.service.ask({ method: 'PUT', path: '/api/empresa/editar', json }),
        companyRefused,
      );
    },
  },
  {
    id: 'editar-empresa-desconocida',
    section,
    row: 'Errors, 5',
    title: 'editar una empresa que no existe responde 404',
    needs,
    async run({ service }) {
      const json = company(unknownCompanyRuc);
      const answer = await service.ask({ method: 'PUT', path: '/api/empresa/editar', json });
      return answer.status === 404 ? agrees() : differs('HTTP 404', saw(answer));
    },
  },
  {
    id: 'supuesto-crear-dos-veces',
    section,
    row: 'Endpoints, POST /api/empresa/crear (400)',
    inferred: 'A29',
    title: 'crear una empresa que ya existe se rechaza bajo ruc',
    needs,
    async run(context) {
      const json = company(await existing(context));
      return compare(await context.service.ask({ method: 'POST', path: '/api/empresa/crear', json }), {
        says: 'HTTP 400 con respuesta=false y errors.ruc',
        status: 400,
        shape: z.looseObject({
          respuesta: z.literal(false),
          errors: z.looseObject({ ruc: z.array(z.string()) }),
        }),
      });
    },
  },
  ...uploads.map(
    ({ id, row, title, route, saved, make }): Check => ({
      ...{ id, section, row, title, needs },
      async run(context) {
        const ruc = await existing(context);
        const path = `/api/empresa/${route}`;
        const answer = await context.service.ask({ method: 'POST', path, ...make(ruc) });
        return saved ? saves(answer, ruc) : judge(answer, companyRefused);
      },
    }),
  ),
];
