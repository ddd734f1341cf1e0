import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../domain/errors.ts';
import { defaultDirectory } from './load.ts';

export type Keys = readonly [newest: Uint8Array, ...old: Uint8Array[]];

/** 32 bytes each, by HKDF-SHA256. The newest key encrypts and signs; the others only decrypt and verify. */
export interface Secrets {
  /** For attempt bodies, credentials, answers and files at rest. */
  cipher: Keys;
  links: Keys;
  tickets: Uint8Array;
  /** Seeds of the keys that sign closes of days. */
  closes: Keys;
}

interface SecretConfig {
  file?: string;
  secret?: string | undefined;
  oldSecrets?: readonly string[];
  ledger: { directory: string } | { url: string };
}

/** Without `secret` a SQLite ledger makes `secret.key` (mode 0600); PostgreSQL requires one. Throws ConfigError. */
export async function openSecrets(config: SecretConfig): Promise<Secrets> {
  const master =
    'directory' in config.ledger
      ? await secretBeside(join(config.ledger.directory, 'secret.key'), config)
      : (config.secret ?? missing(config));
  const old = (config.oldSecrets ?? []).filter((one) => one !== master);
  const keysFor = (use: string): Keys => [derive(master, use), ...old.map((one) => derive(one, use))];
  return {
    cipher: keysFor('encryption'),
    links: keysFor('links'),
    tickets: derive(master, 'tickets'),
    closes: keysFor('closes'),
  };
}

function derive(master: string, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', master, '', `facturapuente/${use}`, 32));
}

function missing({ file }: SecretConfig): never {
  const beside = file === undefined ? null : join(defaultDirectory(file), 'secret.key');
  // A moved ledger can be read only with its own secret.
  const kept = beside !== null && existsSync(beside) ? beside : undefined;
  throw new ConfigError('secret-missing', { kept });
}

async function secretBeside(file: string, config: SecretConfig): Promise<string> {
  const kept = await readKept(file);
  if (config.secret === undefined) return kept ?? (await generate(file));
  // Values encrypted with the generated secret cannot be read with another one.
  if (kept !== null && kept !== config.secret && !config.oldSecrets?.includes(kept))
    throw new ConfigError('secret-changed', { place: file });
  return config.secret;
}

async function readKept(file: string): Promise<string | null> {
  try {
    const kept = (await readFile(file, 'utf8')).trim();
    if (kept.length >= 32) return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw new ConfigError('data-damaged', { what: file });
}

/** Atomic: of two processes that start at once, the first one's file stays. */
async function generate(file: string): Promise<string> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(36).toString('base64url')}\n`);
    await handle.sync();
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await handle.close();
    await unlink(draft);
  }
  const kept = await readKept(file);
  if (kept === null) throw new Error(`${file} vanished while it was written.`);
  return kept;
}
