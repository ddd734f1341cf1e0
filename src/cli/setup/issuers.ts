import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/load.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Account, Issuer, Settings } from '../../domain/settings.ts';
import type { IssuerToSetUp } from '../../setup/issuer.ts';
import type { FileGiven, SignatureGiven } from '../../setup/signature.ts';

/** Files given as flags, for the one issuer at hand. */
export interface FileFlags {
  signature?: string;
  signaturePasswordEnv?: string;
  logo?: string;
}

interface Found {
  title: string;
  account: Account;
  issuer: Issuer;
  written?: Config['issuers'][string] | undefined;
}

/** Every issuer of the config and of the stores that are known, or only that of one store; each once. */
export async function issuersOf(
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
  if ((files.signature ?? files.logo) !== undefined && found.size !== 1) throw whoseFiles(found.size);
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
  const path = flags.signature === undefined ? undefined : resolve(flags.signature);
  const file = path ?? (written?.signature && resolve(folder, written.signature.file));
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
    () => ({ problem: `No se pudo leer ${path}: revise la ruta y los permisos.` }),
  );
}

function whoseFiles(count: number): ConfigError {
  return new ConfigError(
    'install-files',
    `--signature y --logo son de un solo emisor y hay ${count}: escríbalos en su emisor de la configuración, o nombre una tienda con --store.`,
    `--signature and --logo need exactly one issuer, found ${count}.`,
  );
}
