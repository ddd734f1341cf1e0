import { resolve } from 'node:path';
import { LedgerError } from '../domain/errors.ts';
import type { Exported } from '../reports/export/export-month.ts';
import { carryOut } from './carry-out.ts';

export interface ExportFlags {
  config?: string;
  month: string;
  out?: string;
  store?: string;
  ruc?: string;
  plain: boolean;
  json: boolean;
}

/** 0: everything is in the archive; 1: files are missing, and named in it. Throws ConfigError and LedgerError. */
export async function runExport(flags: ExportFlags): Promise<{ text: string; code: 0 | 1 }> {
  const { month, store, ruc, plain, json } = flags;
  const out = resolve(flags.out ?? `comprobantes-${month}.zip`);
  const { says, data } = await carryOut('export', { month, out, store, ruc, plain }, flags);
  const exported = data as Exported | undefined;
  if (exported?.out === undefined) throw new LedgerError('export-unread', says, `export answered: ${says}`);
  const text = json ? JSON.stringify(exported, null, 2) : says;
  return { text: `${text}\n`, code: exported.missing === 0 ? 0 : 1 };
}
