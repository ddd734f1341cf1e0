import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../domain/errors.ts';
import { defaultDirectory } from './ledger-place.ts';

/**
 * Keys derived from the master secrets (HKDF-SHA256), 32 bytes each: one use, one key. Of several the first is the
 * newest, which seals and signs; those of `oldSecrets` only open and verify.
 */
export interface Secrets {
  /** Seals attempt bodies, credentials, answers and files at rest. */
  seal: readonly Uint8Array[];
  /** Signs the links of buyers and merchants. */
  links: readonly Uint8Array[];
  /** Signs what opens installation pages. */
  tickets: Uint8Array;
  /** Both ends of the admin channel prove that they have it. */
  admin: Uint8Array;
  /** Seeds of the keys that sign closes of days (reports/close/signing.ts). */
  closes: readonly Uint8Array[];
}

interface SecretConfig {
  /** The config's own, beside which a former SQLite ledger keeps its secret. */
  file?: string;
  secret?: string | undefined;
  oldSecrets?: readonly string[];
  ledger: { directory: string } | { url: string };
}

/**
 * The sub-keys of the config's `secret`. Without one, the SQLite ledger generates its own once and keeps it
 * beside the data (`secret.key`, mode 0600); several processes on PostgreSQL must be given the same one.
 */
export async function openSecrets(config: SecretConfig): Promise<Secrets> {
  const master =
    'directory' in config.ledger
      ? await secretBeside(join(config.ledger.directory, 'secret.key'), config)
      : (config.secret ?? missing(config));
  const masters = [master, ...(config.oldSecrets ?? []).filter((old) => old !== master)];
  const keysFor = (use: string) => masters.map((one) => derive(one, use));
  return {
    seal: keysFor('seal'),
    links: keysFor('links'),
    tickets: derive(master, 'tickets'),
    admin: derive(master, 'admin'),
    closes: keysFor('closes'),
  };
}

function derive(master: string, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', master, '', `facturapuente/${use}`, 32));
}

function missing({ file }: SecretConfig): never {
  const kept = file === undefined ? null : join(defaultDirectory(file), 'secret.key');
  // What a ledger that was moved holds is read with its own secret only.
  const cure =
    kept !== null && existsSync(kept)
      ? `ponga en FACTURAPUENTE_SECRET el contenido de ${kept}, el del registro que se movió`
      : 'genere uno con «openssl rand -base64 32» y póngalo en FACTURAPUENTE_SECRET';
  throw new ConfigError(
    'secret-missing',
    `Con PostgreSQL hace falta secret: ${cure}.`,
    'A PostgreSQL ledger is shared by processes, so `secret` (32 characters or more) must be configured; after a move, the content of secret.key.',
  );
}

async function secretBeside(file: string, config: SecretConfig): Promise<string> {
  const kept = await readKept(file);
  if (config.secret === undefined) return kept ?? (await generate(file));
  // What was sealed with the generated secret could never be read again with another one.
  if (kept !== null && kept !== config.secret && !config.oldSecrets?.includes(kept))
    throw new ConfigError(
      'secret-changed',
      `La configuración trae otro secret que ${file}: use como secret el contenido de ese archivo, quite secret, o conserve ese contenido en oldSecrets.`,
      `\`secret\` differs from the one generated in ${file}; configure that file's content, remove \`secret\`, or keep that content in \`oldSecrets\`.`,
    );
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
  throw new ConfigError(
    'secret-damaged',
    `${file} está dañado: recupérelo de un respaldo.`,
    `${file} holds less than 32 characters; restore it from a backup.`,
  );
}

/** Two processes may start at once: the file appears whole or not at all, and the first one's stays. */
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
