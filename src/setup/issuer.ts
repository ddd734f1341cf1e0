import { did, item } from '../domain/checks.ts';
import { rucOwner } from '../domain/identification.ts';
import { IssuerRecord, issuerName, issuersUnder } from '../domain/issuer-record.ts';
import type { InstallItem } from '../domain/platform.ts';
import type { Account, Issuer } from '../domain/settings.ts';
import type { CompanyRequest } from '../service/index.ts';
import { failed, fingerprint, type OpenRecord, openRecord, type SetupDeps } from './deps.ts';
import { type FileGiven, type SignatureGiven, setUpSignature } from './signature.ts';

export interface IssuerToSetUp {
  account: Account;
  issuer: Issuer;
  signature: SignatureGiven | null;
  logo: FileGiven | null;
  /** Null: the mail server of the service. */
  smtp: CompanyMail | null;
}

/** In ambiente 2 only after a person confirmed production. */
export async function setUpIssuer(
  deps: SetupDeps,
  { account, issuer, signature, logo, smtp }: IssuerToSetUp,
): Promise<InstallItem[]> {
  const record = await openRecord(
    deps.records,
    {
      under: issuersUnder,
      name: issuerName(account.id, issuer.ruc),
      shape: IssuerRecord,
      empty: emptyRecord(account),
    },
    account,
  );
  const items = rimpeItems(issuer);
  if (issuer.ambiente === 2) {
    const confirmed = await confirmProduction(deps, record);
    items.push(confirmed);
    if (confirmed.state !== 'ok') return items;
  }
  const company = await setUpCompany(deps, { issuer, smtp }, record);
  items.push(company);
  // The service takes files only of a registered company.
  if (deps.apply && company.state === 'problem') return items;
  items.push(await setUpSignature(deps, issuer.ruc, signature, record));
  if (logo) items.push(await setUpLogo(deps, issuer.ruc, logo, record));
  return items;
}

export function emptyRecord({ baseUrl, keyHash }: Account): IssuerRecord {
  const nothing = { production: false, company: null, signature: null, logo: null };
  return { service: fingerprint(baseUrl), keyHash, ...nothing };
}

async function confirmProduction(
  { apply, production }: SetupDeps,
  record: OpenRecord<IssuerRecord>,
): Promise<InstallItem> {
  if (record.value.production) return item('production', 'ok', {});
  if (!production || !apply) return item('production', apply ? 'problem' : 'missing', {});
  await record.save({ production: true });
  return did('production', {});
}

async function setUpLogo(
  { service, apply, resend }: SetupDeps,
  ruc: string,
  file: FileGiven,
  record: OpenRecord<IssuerRecord>,
): Promise<InstallItem> {
  if ('unread' in file) {
    if (record.value.logo !== null) return item('logo', 'ok', {});
    return item('logo', 'problem', { why: 'unread', path: file.unread });
  }
  const wanted = fingerprint(file.bytes);
  if (record.value.logo === wanted && !(resend && apply)) return item('logo', 'ok', {});
  if (!apply) return item('logo', record.value.logo === null ? 'missing' : 'differs', { why: 'unsent' });
  const saved = await service.subirLogoEmpresa({ ruc, logo_file: file.bytes });
  if (saved.kind === 'not-found') return item('logo', 'problem', { why: 'no-company' });
  if (saved.kind !== 'saved') return failed('logo', {}, saved);
  await record.save({ logo: wanted });
  return did('logo', {});
}

interface CompanyMail {
  host: string;
  port: number;
  user: string;
  password: string;
  encryption?: 'tls' | 'ssl' | undefined;
  fromEmail: string;
  fromName?: string | undefined;
}

/** Spec, "Company (issuer)". */
function companyOf(issuer: Issuer, razonSocial: string, smtp: CompanyMail | null): CompanyRequest {
  return {
    ruc: issuer.ruc,
    razon_social: razonSocial,
    ncontribuyenteespecial: issuer.contribuyente_especial ?? null,
    calificacionartesanal: issuer.calificacion_artesanal ?? null,
    exportador_habitual: issuer.exportador_habitual ?? false,
    grancontribuyente: issuer.gran_contribuyente ?? false,
    agenteretencion: issuer.agente_retencion ?? false,
    contabilidad: issuer.obligado_contabilidad === 'SI',
    regimen_rimpe: issuer.regimen_rimpe ?? false,
    regimen_rimpe_popular: issuer.regimen_rimpe_popular ?? false,
    numero_resolucion: issuer.numero_resolucion ?? null,
    // Left out where there is none, so that fingerprints of earlier versions match.
    ...(smtp && mailOf(smtp)),
  };
}

function mailOf({ host, port, user, password, encryption, fromEmail, fromName }: CompanyMail) {
  return {
    smtp: true,
    smtp_host: host,
    smtp_port: port,
    smtp_user: user,
    smtp_password: password,
    smtp_encryption: encryption ?? null,
    smtp_from_email: fromEmail,
    smtp_from_name: fromName ?? null,
  };
}

/** What another system entered is replaced only with `replace`. */
async function setUpCompany(
  deps: SetupDeps,
  { issuer, smtp }: { issuer: Issuer; smtp: CompanyMail | null },
  record: OpenRecord<IssuerRecord>,
): Promise<InstallItem> {
  const { service, apply, replace, resend } = deps;
  const { ruc } = issuer;
  if (issuer.razon_social === undefined) return item('company', 'problem', { ruc, why: 'unnamed' });
  const company = companyOf(issuer, issuer.razon_social, smtp);
  const wanted = fingerprint(company);
  const { company: sent } = record.value;
  const stands = sent?.done === wanted && sent.begun === wanted;
  if (stands && !(resend && apply)) return item('company', 'ok', { ruc });
  if (!apply)
    return sent === null
      ? item('company', 'missing', { ruc, why: 'unsent' })
      : item('company', 'differs', { ruc, why: 'changed', smtp: smtp !== null });
  // Stored first: after a lost answer the company in the service is ours.
  await record.save({ company: { begun: wanted, done: sent?.done ?? null } });
  const mine = sent !== null || replace;
  const done = await send(service, company, { mine, known: sent?.done != null });
  if (done.kind !== 'saved') {
    if (sent === null) await record.save({ company: done.kind === 'unknown' ? record.value.company : null });
    if (done.kind === 'there') return item('company', 'problem', { ruc, why: 'theirs', errors: done.errors });
    return failed('company', { ruc }, done);
  }
  await record.save({ company: { begun: wanted, done: wanted } });
  return did('company', { ruc });
}

async function send(
  { crearEmpresa, editarEmpresa }: SetupDeps['service'],
  company: CompanyRequest,
  { mine, known }: { mine: boolean; known: boolean },
) {
  if (known) {
    const edited = await editarEmpresa(company);
    if (edited.kind !== 'not-found') return edited;
  }
  const made = await crearEmpresa(company);
  // Refused for its RUC: the company exists, or the RUC is invalid.
  if (made.kind !== 'refused' || made.status === null || !('ruc' in made.fields)) return made;
  if (!mine) return { kind: 'there' as const, errors: made.errors };
  const edited = await editarEmpresa(company);
  return edited.kind === 'not-found' ? made : edited;
}

export const looksLikeCompany = (ruc: string): boolean => rucOwner(ruc) === 'company';

export function rimpeItems({ ruc, regimen_rimpe_popular }: Issuer): InstallItem[] {
  if (regimen_rimpe_popular !== true) return [];
  return [item('tax-rules', 'warning', { of: 'rimpe', ruc, looksLikeCompany: looksLikeCompany(ruc) })];
}
