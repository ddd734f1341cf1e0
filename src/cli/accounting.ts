import { resolve } from 'node:path';
import { openClock } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { dayMs, ecuadorDay } from '../domain/clock.ts';
import type { CloseAnswer } from '../reports/close/closing.ts';
import { openSigner, readKept, verifyChain } from '../reports/close/keep-close.ts';
import { closeText } from '../reports/close/text.ts';
import type { Exported } from '../reports/export/export-month.ts';
import { carryOut } from './carry-out.ts';
import { type ConfigFlag, jsonText, readConfig, withLedger } from './own-ledger.ts';

export interface CloseFlags extends ConfigFlag {
  date?: string;
  store?: string;
  save: boolean;
  json: boolean;
  verify: boolean;
  publicKey: boolean;
}

/** For scripts: 0 it adds up, 1 it does not, 2 unknown because a source did not answer or cannot be asked. */
interface Closed {
  text: string;
  code: 0 | 1 | 2;
}

const codes = { green: 0, red: 1, incomplete: 2, partial: 2 } as const;

/** Throws FacturapuenteError. */
export async function runClose(flags: CloseFlags): Promise<Closed> {
  const { store, save, json } = flags;
  if (flags.verify) return verify(flags);
  const config = await readConfig(flags);
  if (flags.publicKey) return { text: openSigner((await openSecrets(config)).closes[0]).pem, code: 0 };
  const yesterday = ecuadorDay(new Date(openClock(config.testClock).now().getTime() - dayMs));
  const { data } = await carryOut('close', { day: flags.date ?? yesterday, store, save }, flags);
  const answer = data as CloseAnswer;
  const code = codes[answer.close.result];
  if (!json) return { text: closeText(answer), code };
  return { text: jsonText({ ...answer, kept: answer.kept && signedJson(answer.kept) }), code };
}

const signedJson = ({ n, hash, signature, publicKey, content }: NonNullable<CloseAnswer['kept']>) => ({
  n,
  hash,
  signature,
  publicKey,
  previous: readKept({ content }).previous,
  content,
});

function verify(flags: CloseFlags): Promise<Closed> {
  return withLedger(flags, async (reader, config) => {
    const trusted = (await openSecrets(config)).closes.map((seed) => openSigner(seed).publicKey);
    const verified = await verifyChain(reader.closes, trusted);
    const { count, lastHash, broken } = verified;
    const code = broken.length === 0 ? 0 : 1;
    if (flags.json) return { text: jsonText(verified), code };
    if (count === 0) return { text: 'No hay cierres guardados.\n', code };
    const whole =
      count === 1
        ? 'El único cierre guardado está firmado.'
        : `Los ${count} cierres guardados están completos y firmados.`;
    const lines = code === 0 ? [whole] : broken.map(({ sentence }) => sentence);
    const last = `El último es ${lastHash}: anótelo fuera de este equipo, para saber mañana que no falta ninguno al final.`;
    return { text: `${[...lines, last].join('\n')}\n`, code };
  });
}

export interface ExportFlags extends ConfigFlag {
  month: string;
  out?: string;
  store?: string;
  ruc?: string;
  plain: boolean;
  json: boolean;
}

/** `code` is 1 where files are missing; the archive names them. Throws FacturapuenteError. */
export async function runExport(flags: ExportFlags): Promise<{ text: string; code: 0 | 1 }> {
  const { month, store, ruc, plain, json } = flags;
  const out = resolve(flags.out ?? `comprobantes-${month}.zip`);
  const { says, data } = await carryOut('export', { month, out, store, ruc, plain }, flags);
  const exported = data as Exported;
  return { text: json ? jsonText(exported) : `${says}\n`, code: exported.missing === 0 ? 0 : 1 };
}
