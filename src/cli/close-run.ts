import { openClock } from '../config/clock.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { ecuadorDay } from '../domain/calendar.ts';
import { LedgerError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import { openLedgerReader } from '../ledger/read.ts';
import type { CloseAnswer } from '../reports/close/closing.ts';
import { readKept, verifyChain } from '../reports/close/keep-close.ts';
import { openSigner } from '../reports/close/signing.ts';
import { closeText } from '../reports/close/text.ts';
import { carryOut } from './carry-out.ts';

export interface CloseFlags {
  config?: string;
  date?: string;
  store?: string;
  save: boolean;
  json: boolean;
  verify: boolean;
  publicKey: boolean;
}

/** For scripts: 0 it adds up, 1 it does not, 2 nobody can say because a source did not answer or cannot be asked. */
type Code = 0 | 1 | 2;

const codes = { green: 0, red: 1, incomplete: 2, partial: 2 } as const;
const dayMs = 24 * 3_600_000;

/** Throws ConfigError and LedgerError. */
export async function runClose(flags: CloseFlags): Promise<{ text: string; code: Code }> {
  const { config: path, store, save, json } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  if (flags.publicKey) return { text: await publicKey(config), code: 0 };
  if (flags.verify) return verify(config, json);
  const yesterday = ecuadorDay(new Date(openClock(config.testClock).now().getTime() - dayMs));
  const { says, data } = await carryOut('close', { day: flags.date ?? yesterday, store, save }, flags);
  const answer = data as CloseAnswer | undefined;
  if (answer?.close === undefined) throw new LedgerError('close-unread', says, `close answered: ${says}`);
  const code = codes[answer.close.result];
  if (!json) return { text: closeText(answer), code };
  const kept = answer.kept && signedJson(answer.kept);
  return { text: `${JSON.stringify({ ...answer, kept }, null, 2)}\n`, code };
}

const signedJson = ({ n, hash, signature, publicKey, content }: NonNullable<CloseAnswer['kept']>) => ({
  n,
  hash,
  signature,
  publicKey,
  previous: readKept({ content }).previous,
  content,
});

async function publicKey(config: Config): Promise<string> {
  const [newest] = (await openSecrets(config)).closes;
  return newest ? openSigner(newest).pem : '';
}

async function verify(config: Config, json: boolean): Promise<{ text: string; code: Code }> {
  const trusted = (await openSecrets(config)).closes.map((seed) => openSigner(seed).publicKey);
  const reader = openLedgerReader(config.ledger, silentLog);
  try {
    const verified = await verifyChain(reader.closes, trusted);
    const code = verified.broken.length === 0 ? 0 : 1;
    if (json) return { text: `${JSON.stringify(verified, null, 2)}\n`, code };
    const { count, lastHash, broken } = verified;
    if (count === 0) return { text: 'No hay cierres guardados.\n', code };
    const whole = `Los ${count} cierres guardados están completos y firmados.`;
    const told =
      code === 0
        ? [count === 1 ? 'El único cierre guardado está firmado.' : whole]
        : broken.map(({ sentence }) => sentence);
    const last = `El último es ${lastHash}: anótelo fuera de este equipo, para saber mañana que no falta ninguno al final.`;
    return { text: `${[...told, last].join('\n')}\n`, code };
  } finally {
    await reader.close();
  }
}
