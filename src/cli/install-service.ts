import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { userAgent } from '../app/platforms.ts';
import type { LiveSettings } from '../app/settings.ts';
import { type Config, openClock } from '../config/load.ts';
import { item } from '../domain/checks.ts';
import { ConfigError } from '../domain/errors.ts';
import type { InstallItem } from '../domain/platform.ts';
import type { Account, Issuer, Settings, Store } from '../domain/settings.ts';
import { openServiceClient } from '../service/index.ts';
import { checkKey, setUpWebhook } from '../setup/account.ts';
import type { LedgerHealth, SetupLedger } from '../setup/health.ts';
import { type IssuerToSetUp, rimpeItems, setUpIssuer } from '../setup/issuer.ts';
import type { FileGiven, SignatureGiven } from '../setup/signature.ts';

export interface ServiceFlags extends FileFlags {
  store?: string | undefined;
  production: boolean;
  replace: boolean;
  resend: boolean;
}

export interface Section {
  title: string;
  items: InstallItem[];
}

export async function setUpService(
  { config, live, setupLedger }: { config: Config; live: LiveSettings; setupLedger: SetupLedger },
  { store, production, replace, resend, ...files }: ServiceFlags,
  apply: boolean,
): Promise<Section[]> {
  const { now } = openClock(config.testClock);
  const { settings } = live;
  const issuers = await issuersOf({ ...config, issuers: live.issuers }, settings, { store, files });
  const sections: Section[] = [];
  for (const [account, mine] of Map.groupBy(issuers, (one) => one.account)) {
    const service = openClient(account);
    try {
      const deps = { service, records: setupLedger, now: now(), apply, replace, resend, production };
      sections.push(...(await setUpAccount(deps, account, mine, settings.publicUrl)));
    } finally {
      await service.close();
    }
  }
  const stores = [...settings.stores.values()].filter(({ id }) => store === undefined || id === store);
  if (stores.length > 0)
    sections.push({ title: 'Series', items: seriesItems(stores, await setupLedger.health()) });
  return sections;
}

export function openClient({ baseUrl, keys }: Account) {
  return openServiceClient({ baseUrl, apiKey: keys[0]?.apiKey ?? '', userAgent });
}

async function setUpAccount(
  deps: Parameters<typeof setUpIssuer>[0],
  account: Account,
  issuers: readonly (IssuerToSetUp & { title: string })[],
  publicUrl: string,
): Promise<Section[]> {
  const producing = issuers.some(({ issuer }) => issuer.ambiente === 2);
  const key = await checkKey(deps, producing);
  const first = { title: `Servicio de comprobantes, cuenta «${account.id}»`, items: key };
  // Every other call would fail too.
  if (key[0]?.state === 'problem')
    return [
      first,
      ...issuers.map((one) => section(one, rimpeItems(one.issuer))).filter(({ items }) => items[0]),
    ];
  first.items.push(await setUpWebhook(deps, account, publicUrl));
  const sections: Section[] = [first];
  for (const one of issuers) sections.push(section(one, await setUpIssuer(deps, one)));
  return sections;
}

const section = ({ title }: { title: string }, items: InstallItem[]): Section => ({
  title: `Emisor «${title}»`,
  items,
});

function seriesItems(stores: readonly Store[], { stopped }: LedgerHealth): InstallItem[] {
  return stores.map(({ id, series }) => {
    const { establecimiento, puntoEmision, first, firstCreditNote } = series;
    const about = { series: `${establecimiento}-${puntoEmision}`, store: id, first, firstCreditNote };
    const halted = stopped.find(({ storeId }) => storeId === id);
    if (!halted) return item('series', 'ok', about);
    const setting = halted.kind === 'factura' ? 'series.first' : 'series.firstCreditNote';
    return item('series', 'problem', { ...about, reason: halted.reason, setting });
  });
}

interface FileFlags {
  signature?: string | undefined;
  signaturePasswordEnv?: string | undefined;
  logo?: string | undefined;
}

interface Found {
  title: string;
  account: Account;
  issuer: Issuer;
  written?: Config['issuers'][string] | undefined;
}

async function issuersOf(
  config: Config,
  { accounts, stores }: Settings,
  { store, files }: { store: string | undefined; files: FileFlags },
): Promise<(IssuerToSetUp & { title: string })[]> {
  const found = new Map<string, Found>();
  const add = (one: Found) => {
    const key = `${one.account.id} ${one.issuer.ruc} ${one.issuer.ambiente}`;
    if (!found.has(key)) found.set(key, one);
  };
  const writtenOf = (accountId: string, { ruc, ambiente }: Issuer) =>
    Object.entries(config.issuers).find(
      ([, one]) => one.account === accountId && one.ruc === ruc && one.ambiente === ambiente,
    );
  for (const { id, account, issuer } of stores.values()) {
    if (store !== undefined && id !== store) continue;
    const [title, written] = writtenOf(account.id, issuer) ?? [issuer.ruc];
    add({ title, account, issuer, written });
  }
  if (store === undefined)
    for (const [title, written] of Object.entries(config.issuers)) {
      const { account: id, signature: _signature, logo: _logo, smtp: _smtp, ...issuer } = written;
      const account = accounts.get(id);
      if (account) add({ title, account, issuer, written });
    }
  if ((files.signature ?? files.logo) !== undefined && found.size !== 1)
    throw new ConfigError('input-invalid', { why: 'issuers', issuers: found.size });
  const folder = dirname(config.file);
  return Promise.all(
    [...found.values()].map(async ({ title, account, issuer, written }) => ({
      title,
      account,
      issuer,
      signature: await signatureOf(written, files, folder),
      logo: await logoOf(written, files, folder),
      smtp: written?.smtp ?? null,
    })),
  );
}

async function signatureOf(
  written: Found['written'],
  flags: FileFlags,
  folder: string,
): Promise<SignatureGiven | null> {
  const file = flags.signature
    ? resolve(flags.signature)
    : written?.signature && resolve(folder, written.signature.file);
  if (file === undefined) return null;
  const passwordEnv = flags.signaturePasswordEnv ?? written?.signature?.passwordEnv ?? 'FIRMA_PASSWORD';
  return { file: await read(file), password: process.env[passwordEnv] || null, passwordEnv };
}

async function logoOf(written: Found['written'], { logo }: FileFlags, folder: string) {
  if (logo !== undefined) return read(resolve(logo));
  return written?.logo === undefined ? null : read(resolve(folder, written.logo));
}

async function read(path: string): Promise<FileGiven> {
  return readFile(path).then(
    (bytes) => ({ bytes }),
    () => ({ unread: path }),
  );
}
