import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { CommandAnswer } from '../domain/commands.ts';
import type { CloseAnswer, Closing } from '../reports/close/closing.ts';
import type { Exported } from '../reports/export/export-month.ts';
import type { Exporting } from '../reports/export/exporting.ts';
import { type Command, readInput } from './commands-input.ts';

const closeAsked = z.strictObject({
  day: z.iso.date(),
  store: z.string().max(63).optional(),
  save: z.boolean(),
  by: z.string().max(200),
});

const exportAsked = z.strictObject({
  month: z.string().max(7),
  out: z.string().min(1).max(4096),
  store: z.string().max(63).optional(),
  ruc: z.string().max(13).optional(),
  plain: z.boolean(),
  by: z.string().max(200),
});

/** A question at the door ends before whoever asks gives up: what takes long is asked for again. */
const answerWithinMs = 60_000;

/** What a command says while it goes on. */
export interface StillRunning {
  running: true;
}

/**
 * The commands `close` and `export` (src/reports). `data` is the CloseAnswer or Exported, or StillRunning: whoever
 * asks the same again waits for the same one.
 */
export function closingCommands({ closing, exporting }: { closing: Closing; exporting: Exporting }): {
  close: Command;
  export: Command;
} {
  return {
    async close(input, { scope }) {
      const { by: _by, ...asked } = readInput(closeAsked, input);
      return soon(closing.close({ ...asked, scope }), saidClose);
    },
    async export(input) {
      const { by: _by, ...asked } = readInput(exportAsked, input);
      return soon(exporting.month(asked), saidExport);
    },
  };
}

async function soon<T extends object>(
  running: Promise<T>,
  says: (done: T) => string,
): Promise<CommandAnswer> {
  const answer = await Promise.race([running, pause(answerWithinMs, null, { ref: false })]);
  if (answer !== null) return { done: true, says: says(answer), data: answer };
  const data: StillRunning = { running: true };
  return { done: false, says: 'Sigue en marcha.', data };
}

function saidClose({ close: { day, result, differences } }: CloseAnswer): string {
  if (result === 'green') return `El ${day} cuadra.`;
  if (result === 'incomplete') return `El ${day} no se pudo conciliar: falta una respuesta.`;
  if (result === 'partial')
    return `El ${day} cuadra entre el registro y el servicio; a una tienda no se le puede preguntar.`;
  return `El ${day} no cuadra: ${differences.length === 1 ? 'hay una diferencia' : `hay ${differences.length} diferencias`}.`;
}

function saidExport({ out, facturas, creditNotes, missing }: Exported): string {
  const what = `${facturas} facturas y ${creditNotes} notas de crédito en ${out}.`;
  if (missing === 0) return what;
  return `${what} Faltan ${missing} archivos que ni el registro ni el servicio pudieron dar; están nombrados en faltantes.csv: repita la exportación más tarde.`;
}
