import { FormData } from 'undici';
import { limitText } from '../../domain/text.ts';
import type { Unknown } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { readMessages } from '../inferred.ts';
import { type ReadReply, readJson, readSaid } from '../replies.ts';
import { check, type FieldErrors, sentencesOf } from '../shapes/checked.ts';
import {
  type CompanyAnswer,
  type CompanyRefused,
  type CompanyRequest,
  companyRequest,
  imageType,
  type LogoRequest,
  logoRequest,
  type NewCompanyAnswer,
  type SavedCompany,
  type SignatureRequest,
  signatureRequest,
} from '../shapes/company.ts';
import { companyBody } from '../wire.ts';

/** How a file leaves: as a part of a multipart body (default), or as base64 in JSON. */
export interface UploadOptions {
  as?: 'multipart' | 'json';
}

/**
 * Companies, the issuers of documents (spec, "Company (issuer)"). The rules of the specification are checked
 * first: what breaks them is `refused` with `status` null and never leaves. Errors: spec, "Errors" 3 to 6, 12.
 */
export interface CompanyCalls {
  /** `POST /api/empresa/crear`. After `unknown` the company may exist: `editarEmpresa` settles it. */
  crearEmpresa(company: CompanyRequest): Promise<NewCompanyAnswer>;
  /** `PUT /api/empresa/editar`: all fields again, `ruc` says of which company; those left out take their defaults (A29). */
  editarEmpresa(company: CompanyRequest): Promise<CompanyAnswer>;
  /** `POST /api/empresa/subirfirma`: the bytes of the .p12 (at most 10 MB) and its password. */
  subirFirmaElectronica(signature: SignatureRequest, options?: UploadOptions): Promise<CompanyAnswer>;
  /** `POST /api/empresa/subirlogo`: the bytes of a PNG or JPEG (at most 2 MB). */
  subirLogoEmpresa(logo: LogoRequest, options?: UploadOptions): Promise<CompanyAnswer>;
}

export function companyCalls({ ask, act }: Exchange): CompanyCalls {
  const save = (operation: string, method: 'POST' | 'PUT', path: string, body: string | FormData) =>
    ask({ operation, slot: 'question', call: { method, path, body }, read: readExisting });
  return {
    async crearEmpresa(company) {
      const checked = check(companyRequest, company);
      if (!checked.ok) return refusedHere(checked.fields);
      const body = JSON.stringify(checked.data);
      const call = { method: 'POST', path: '/api/empresa/crear', body } as const;
      return act({ operation: 'crearEmpresa', slot: 'question', call, read: readCompany });
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
  // A copy: a view into a larger buffer must not bring its neighbours along.
  parts.append(field, new File([Uint8Array.from(file)], fileName, { type }));
  return parts;
}

function readExisting(reply: ReadReply) {
  return reply.status === 404 ? ({ kind: 'not-found' } as const) : readCompany(reply);
}

/** `respuesta` decides, and must stand there (spec, `EmpresaResponse`; failures: assumption A28). */
function readCompany(reply: ReadReply) {
  const said = readSaid(reply);
  if (said.kind === 'refused') return { ...said, fields: readFields(reply.text) };
  if (said.kind !== 'said') return said;
  const read = companyBody.safeParse(said.body);
  if (!read.success) {
    return { kind: 'unknown', reason: 'answered without "respuesta"' } satisfies Unknown;
  }
  const { data, mensaje } = read.data;
  return {
    kind: 'saved',
    empresa: { id: data?.id ?? null, ruc: data?.ruc ?? null, razonSocial: data?.razon_social ?? null },
    mensaje: mensaje ?? null,
    aviso: said.aviso,
  } satisfies SavedCompany;
}

/** `errors` by field name; those without one stand only among the sentences. */
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
