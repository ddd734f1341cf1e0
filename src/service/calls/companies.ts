import { FormData } from 'undici';
import type { z } from 'zod';
import { limitText, limitTexts } from '../../domain/text.ts';
import { type ReadReply, readAnswer, readJson, type Unknown } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { companyBody, readMessages } from '../inferred.ts';
import {
  type CedulaFacts,
  cedulaData,
  lookUpBody,
  type RucFacts,
  readMessage,
  rucData,
} from '../inferred-accounts.ts';
import {
  type CompanyAnswer,
  type CompanyRefused,
  type CompanyRequest,
  cedula,
  check,
  companyRequest,
  type FieldErrors,
  imageType,
  type LogoRequest,
  type LookUpAnswer,
  type LookUpOptions,
  logoRequest,
  type NewCompanyAnswer,
  ruc,
  type SavedCompany,
  type SignatureRequest,
  sentencesOf,
  signatureRequest,
} from '../shapes.ts';

/** Sent as a part of a multipart body (default), or as base64 in JSON. */
export interface UploadOptions {
  as?: 'multipart' | 'json';
}

/**
 * Companies, the issuers of documents (spec, "Company (issuer)" and "Errors" 3 to 6, 12). A request that breaks the
 * specification is `refused` with `status` null and never sent.
 */
export interface CompanyCalls {
  /** `POST /api/empresa/crear`. After `unknown` the company may exist: `editarEmpresa` settles it. */
  crearEmpresa(company: CompanyRequest): Promise<NewCompanyAnswer>;
  /** `PUT /api/empresa/editar`: all fields again, `ruc` names the company; those left out take their defaults (A29). */
  editarEmpresa(company: CompanyRequest): Promise<CompanyAnswer>;
  /** `POST /api/empresa/subirfirma`: the bytes of the .p12 (at most 10 MB) and its password. */
  subirFirmaElectronica(signature: SignatureRequest, options?: UploadOptions): Promise<CompanyAnswer>;
  /** `POST /api/empresa/subirlogo`: the bytes of a PNG or JPEG (at most 2 MB). */
  subirLogoEmpresa(logo: LogoRequest, options?: UploadOptions): Promise<CompanyAnswer>;
}

export function companyCalls({ ask, act }: Exchange): CompanyCalls {
  const save = (operation: string, method: 'POST' | 'PUT', path: string, body: string | FormData) =>
    ask({ operation, slot: 'question', method, path, body, read: readExisting });
  return {
    async crearEmpresa(company) {
      const checked = check(companyRequest, company);
      if (!checked.ok) return refusedHere(checked.fields);
      const body = JSON.stringify(checked.data);
      const path = '/api/empresa/crear';
      return act({
        operation: 'crearEmpresa',
        slot: 'question',
        method: 'POST',
        path,
        body,
        read: readCompany,
      });
    },
    async editarEmpresa(company) {
      const checked = check(companyRequest, company);
      if (!checked.ok) return refusedHere(checked.fields);
      return save('editarEmpresa', 'PUT', '/api/empresa/editar', JSON.stringify(checked.data));
    },
    async subirFirmaElectronica(signature, { as = 'multipart' } = {}) {
      const checked = check(signatureRequest, signature);
      if (!checked.ok) return refusedHere(checked.fields);
      const { ruc, firma_file, password } = checked.data;
      const body =
        as === 'json'
          ? JSON.stringify({ ruc, firma_base64: base64(firma_file), password })
          : form({ ruc, password }, 'firma_file', firma_file, 'firma.p12', 'application/x-pkcs12');
      return save('subirFirmaElectronica', 'POST', '/api/empresa/subirfirma', body);
    },
    async subirLogoEmpresa(logo, { as = 'multipart' } = {}) {
      const checked = check(logoRequest, logo);
      if (!checked.ok) return refusedHere(checked.fields);
      const { ruc, logo_file } = checked.data;
      const type = imageType(logo_file) ?? 'png';
      const body =
        as === 'json'
          ? JSON.stringify({ ruc, logo_base64: base64(logo_file) })
          : form({ ruc }, 'logo_file', logo_file, type === 'png' ? 'logo.png' : 'logo.jpg', `image/${type}`);
      return save('subirLogoEmpresa', 'POST', '/api/empresa/subirlogo', body);
    },
  };
}

function refusedHere(fields: FieldErrors): CompanyRefused {
  return { kind: 'refused', status: null, errors: sentencesOf(fields), fields };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

function form(
  texts: Record<string, string>,
  field: string,
  file: Uint8Array,
  fileName: string,
  type: string,
): FormData {
  const parts = new FormData();
  for (const [name, value] of Object.entries(texts)) parts.append(name, value);
  parts.append(field, new File([Uint8Array.from(file)], fileName, { type }));
  return parts;
}

function readExisting(reply: ReadReply) {
  return reply.status === 404 ? ({ kind: 'not-found' } as const) : readCompany(reply);
}

/** `respuesta` is required and decides (spec, `EmpresaResponse`; failures: assumption A28). */
function readCompany(reply: ReadReply) {
  const answer = readAnswer(reply);
  if (answer.kind === 'refused') return { ...answer, fields: readFields(reply.text) };
  if (answer.kind !== 'success') return answer;
  const read = companyBody.safeParse(answer.body);
  if (!read.success) {
    return { kind: 'unknown', reason: 'answered without "respuesta"' } satisfies Unknown;
  }
  const { data, mensaje } = read.data;
  return {
    kind: 'saved',
    empresa: { id: data?.id ?? null, ruc: data?.ruc ?? null, razonSocial: data?.razon_social ?? null },
    mensaje: mensaje ?? null,
    aviso: answer.aviso,
  } satisfies SavedCompany;
}

function readFields(text: string): FieldErrors {
  const { errors } = readJson(text) as { errors?: unknown };
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, said]) => [
      limitText(field),
      readMessages(said).map(({ mensaje }) => mensaje),
    ]),
  );
}

/**
 * Look-ups in the registries (spec, "Behavior of the queries routes"; A24). 20 found ones a month are free.
 * Errors: spec, "Errors" 4 and 6; an impossible number is `refused`.
 */
export interface LookUpCalls {
  /** `GET /api/sri/ruc/{ruc}`, or another route by `options`: a taxpayer. */
  consultarRuc(ruc: string, options?: LookUpOptions): Promise<LookUpAnswer<RucFacts>>;
  /** `GET /api/sri/cedula/{cedula}`, or another route by `options`: a person. */
  consultarCedula(cedula: string, options?: LookUpOptions): Promise<LookUpAnswer<CedulaFacts>>;
}

export function lookUpCalls({ ask }: Exchange): LookUpCalls {
  const lookUp = async <Facts>(
    operation: string,
    name: 'ruc' | 'cedula',
    number: z.ZodType<string>,
    value: string,
    facts: z.ZodType<Facts>,
    { prefix = 'sri', method = 'GET' }: LookUpOptions = {},
  ): Promise<LookUpAnswer<Facts>> => {
    const checked = check(number, value);
    if (!checked.ok) {
      const errors = sentencesOf({ [name]: checked.fields.cuerpo ?? [] });
      return { kind: 'refused', status: null, errors };
    }
    const path = `/api/${prefix}/${name}`;
    const call =
      method === 'GET'
        ? { method, path: `${path}/${checked.data}` }
        : { method, path, body: JSON.stringify({ [name]: checked.data }) };
    return ask({ operation, slot: 'question', ...call, read: (reply) => readLookUp(reply, facts) });
  };
  return {
    consultarRuc: (value, options) => lookUp('consultarRuc', 'ruc', ruc, value, rucData, options),
    consultarCedula: (value, options) =>
      lookUp('consultarCedula', 'cedula', cedula, value, cedulaData, options),
  };
}

function readLookUp<Facts>(reply: ReadReply, schema: z.ZodType<Facts>): LookUpAnswer<Facts> {
  const mensaje = readMessage(readJson(reply.text));
  if (reply.status === 402) return { kind: 'no-funds', mensaje };
  const answer = readAnswer(reply);
  // "Only a query that returns data (`success` true) is counted" (spec); a 404 may concern the route.
  if (answer.kind === 'refused' && reply.status < 300) return { kind: 'not-found', mensaje };
  if (answer.kind !== 'success') return answer;
  const { data, cache, costo, gratis_restantes } = lookUpBody.parse(answer.body);
  const found = limitTexts(data ?? answer.body) as Record<string, unknown>;
  const facts = schema.parse(found);
  if (Object.values(facts as object).every((fact) => fact === null)) {
    return { kind: 'unknown', reason: 'answered without data' };
  }
  const counted = { cache, costo, gratisRestantes: gratis_restantes };
  return { kind: 'found', facts, data: found, ...counted, aviso: answer.aviso };
}
