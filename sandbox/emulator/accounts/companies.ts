import type { Signature } from '../../../src/setup/certificates/signature.ts';
import { dayInEcuador } from '../clock.ts';
import { type CompanyFields, type CompanyInput, companySchema } from './company-fields.ts';
import { type FieldErrors, readFields } from './field-errors.ts';
import type { Logo } from './logo.ts';

/** An issuer of the account. Of its signature only the certificate's facts are kept: no key, no password. */
export interface Company extends CompanyFields {
  /** From 1, within the account. */
  id: number;
  firma: Signature | null;
  logo: Logo | null;
}

/** The account's companies by RUC. */
export type Companies = Record<string, Company>;

/** Reads the fields of crear and editar; what is wrong hangs under each field's name. */
export function readCompany(value: unknown): { fields: CompanyFields } | { errors: FieldErrors } {
  return readFields(companySchema, value);
}

/** Adds a company; null when the RUC already has one. */
export function addCompany(companies: Companies, fields: CompanyFields): Company | null {
  if (Object.hasOwn(companies, fields.ruc)) return null;
  const id = Object.keys(companies).length + 1;
  const company: Company = { id, ...fields, firma: null, logo: null };
  companies[fields.ruc] = company;
  return company;
}

/** Replaces every field, those not sent by their defaults; signature and logo stay. Null when there is none. */
export function editCompany(companies: Companies, fields: CompanyFields): Company | null {
  const company = findCompany(companies, fields.ruc);
  return company && Object.assign(company, fields);
}

/** The company with this RUC, or null. */
export function findCompany(companies: Companies, ruc: string): Company | null {
  return Object.hasOwn(companies, ruc) ? (companies[ruc] ?? null) : null;
}

/** The companies an account starts with; throws RangeError on one that crear_empresa would refuse. */
export function openCompanies(inputs: readonly CompanyInput[] = []): Companies {
  const companies: Companies = {};
  for (const input of inputs) {
    const read = readCompany(input);
    if ('errors' in read) {
      const sentences = Object.values(read.errors).flat().join(' ');
      throw new RangeError(`La empresa ${input.ruc} de la cuenta no es válida. ${sentences}`);
    }
    if (!addCompany(companies, read.fields)) {
      throw new RangeError(`La empresa ${input.ruc} está dos veces en la cuenta.`);
    }
  }
  return companies;
}

/** Why production would not let this RUC emit now, as one sentence; undefined when it would. */
export function issuerRefusal(companies: Companies, ruc: string, now: Date): string | undefined {
  const company = findCompany(companies, ruc);
  if (!company) {
    return `emisor.ruc: la empresa ${ruc} no está registrada en esta cuenta; regístrela con POST /api/empresa/crear.`;
  }
  if (!company.firma) {
    return `emisor.ruc: la empresa ${ruc} no tiene firma electrónica; súbala con POST /api/empresa/subirfirma.`;
  }
  const expires = new Date(company.firma.valido_hasta);
  if (now <= expires) return undefined;
  return (
    `emisor.ruc: la firma electrónica de la empresa ${ruc} caducó el ${dayInEcuador(expires)}; ` +
    'suba una vigente con POST /api/empresa/subirfirma.'
  );
}
