import { readFile } from 'node:fs/promises';
import { NotTestable } from '../conformance/check.ts';
import { runConformance } from '../conformance/run.ts';
import { exampleIssuer, type Settings } from '../conformance/settings.ts';
import { parseJson } from '../domain/json.ts';
import { differences, toJson, toText } from './conformance-report.ts';

export interface ConformanceFlags {
  baseUrl: string;
  apiKey: string;
  secondKey?: string;
  emisor?: string;
  series: { establecimiento: string; puntoEmision: string };
  wait: number;
  listen?: number;
  publicUrl?: string;
  webhookUrl?: string;
  ruc?: string;
  withCompanies: boolean;
  withVerification: boolean;
  withRateLimit: boolean;
  json: boolean;
}

/** Runs the checks, prints the report and answers the exit code: 0 nothing differs, 1 something does, 2 no run. */
export async function conform(flags: ConformanceFlags): Promise<0 | 1 | 2> {
  let stopping = false;
  const stop = () => {
    process.off('SIGINT', stop);
    stopping = true;
    process.stderr.write(
      '\nTerminando; el webhook de la cuenta queda como estaba. Otra vez Ctrl+C corta en seco.\n',
    );
  };
  process.on('SIGINT', stop);
  let done = 0;
  const heard = () => {
    done += 1;
    if (process.stderr.isTTY && !flags.json) process.stderr.write(`\r${done} comprobaciones`);
  };
  try {
    const settings = await toSettings(flags);
    const report = await runConformance(settings, { stopped: () => stopping, heard });
    if (process.stderr.isTTY && !flags.json) process.stderr.write('\r\x1b[K');
    process.stdout.write(flags.json ? toJson(report, flags.baseUrl) : toText(report, flags.baseUrl));
    return differences(report).length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof NotTestable)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  } finally {
    process.off('SIGINT', stop);
  }
}

async function toSettings(flags: ConformanceFlags): Promise<Settings> {
  const { baseUrl, apiKey, secondKey, series, wait, listen, publicUrl, webhookUrl, ruc } = flags;
  const emisor = flags.emisor === undefined ? exampleIssuer : await readIssuer(flags.emisor);
  if (ruc !== undefined && (!/^\d{13}$/.test(ruc) || ruc === emisor.ruc)) {
    throw new NotTestable('--ruc debe tener 13 dígitos y no ser el del emisor.');
  }
  return {
    ...{ baseUrl, apiKey, emisor, series, waitSeconds: wait },
    ...(secondKey === undefined ? {} : { secondKey }),
    ...(webhookUrl === undefined ? {} : { webhook: { url: webhookUrl } }),
    ...(listen === undefined ? {} : { webhook: { listen, ...(publicUrl ? { publicUrl } : {}) } }),
    ...(flags.withCompanies && ruc ? { companyRuc: ruc } : {}),
    withVerification: flags.withVerification,
    withRateLimit: flags.withRateLimit,
  };
}

async function readIssuer(file: string): Promise<Settings['emisor']> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'el archivo no existe' : error.message;
    throw new NotTestable(`No se puede leer ${file}: ${why}.`);
  });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new NotTestable(`${file} no contiene JSON válido.`);
  }
  if (typeof value !== 'object' || value === null || !('ruc' in value) || typeof value.ruc !== 'string') {
    throw new NotTestable(`${file} debe contener el bloque emisor, con su ruc como texto.`);
  }
  return value as Settings['emisor'];
}
