import type { Account } from '../accounts/accounts.ts';
import type { Company } from '../accounts/companies.ts';
import type { Logo } from '../accounts/logo.ts';
import type { Journal } from './journal.ts';

/** Writes accounts with what their companies' logos say of themselves, and each logo's bytes once. */
export interface AccountWriter {
  /** What was kept before, logos whole again. */
  accounts: readonly Account[];
  write(account: Account): void;
}

type KeptLogo = Pick<Account, 'apiKey'> & Pick<Company, 'ruc'> & { base64: string };
const placeOf = ({ apiKey, ruc }: Omit<KeptLogo, 'base64'>) => `${apiKey} ${ruc}`;

// An account is written again with every delivery; logos of 2 MB would fill the disk within the hour.
export function openAccountWriter(journal: Journal): AccountWriter {
  const accounts = journal.kept('account') as Account[];
  const bytes = new Map(
    (journal.kept('logo') as KeptLogo[]).map((logo) => [placeOf(logo), logo.base64] as const),
  );
  const onDisk = new WeakSet<Logo>();
  for (const { apiKey, companies = {} } of accounts) {
    for (const company of Object.values(companies)) {
      const base64 = bytes.get(placeOf({ apiKey, ruc: company.ruc }));
      company.logo = company.logo && base64 !== undefined ? { ...company.logo, base64 } : null;
      if (company.logo) onDisk.add(company.logo);
    }
  }
  return {
    accounts,
    write(account) {
      const { apiKey, companies } = account;
      for (const { ruc, logo } of Object.values(companies)) {
        if (!logo || onDisk.has(logo)) continue;
        const kept: KeptLogo = { apiKey, ruc, base64: logo.base64 };
        journal.write('logo', placeOf(kept), kept);
        onDisk.add(logo);
      }
      journal.write('account', apiKey, { ...account, companies: withoutBytes(companies) });
    },
  };
}

function withoutBytes(companies: Account['companies']): Account['companies'] {
  return Object.fromEntries(
    Object.entries(companies).map(([ruc, company]) => [
      ruc,
      { ...company, logo: company.logo && { ...company.logo, base64: '' } },
    ]),
  );
}
