import type { InstallItem } from '../domain/install.ts';
import { IssuerRecord, issuerName, issuersUnder } from '../domain/issuer-record.ts';
import type { Account, Issuer } from '../domain/settings.ts';
import { type CompanyMail, setUpCompany } from './company.ts';
import type { SetupDeps } from './deps.ts';
import { failed, item } from './items.ts';
import { fingerprint, type OpenRecord, openRecord } from './records.ts';
import { rimpeItems } from './rimpe.ts';
import { type FileGiven, type SignatureGiven, setUpSignature } from './signature.ts';

/** Who issues, under which account, and the files that belong to it. */
export interface IssuerToSetUp {
  account: Account;
  issuer: Issuer;
  signature: SignatureGiven | null;
  logo: FileGiven | null;
  /** The mail server documents are sent from; null leaves the service's own. */
  smtp: CompanyMail | null;
}

/** Brings one issuer to the service: company, signature, logo; of production only what a person confirmed. */
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
  // Files hang on a company that is there.
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
  const what = 'Producción (ambiente 2)';
  if (record.value.production) return item('production', what, 'ok');
  if (!production || !apply)
    return item('production', what, apply ? 'problem' : 'missing', {
      cure: 'Cada factura tendrá valor tributario y gastará un crédito. Si es lo que quiere, confírmelo con «facturapuente install --production».',
    });
  await record.save({ production: true });
  return item('production', what, 'ok', { done: true });
}

async function setUpLogo(
  { service, apply, resend }: SetupDeps,
  ruc: string,
  file: FileGiven,
  record: OpenRecord<IssuerRecord>,
): Promise<InstallItem> {
  const [code, what] = ['logo', 'Logo'];
  if ('problem' in file) {
    if (record.value.logo !== null) return item(code, what, 'ok');
    return item(code, what, 'problem', { cure: file.problem });
  }
  const wanted = fingerprint(file.bytes);
  if (record.value.logo === wanted && !(resend && apply)) return item(code, what, 'ok');
  if (!apply)
    return item(code, what, record.value.logo === null ? 'missing' : 'differs', {
      cure: 'Todavía no se ha subido.',
    });
  const saved = await service.subirLogoEmpresa({ ruc, logo_file: file.bytes });
  if (saved.kind === 'not-found')
    return item(code, what, 'problem', {
      cure: 'El servicio no conoce la empresa: resuelva primero lo que se dice de ella.',
    });
  if (saved.kind !== 'saved') return failed(code, what, saved);
  await record.save({ logo: wanted });
  return item(code, what, 'ok', { done: true });
}
