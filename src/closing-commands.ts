import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { CloseAnswer, Closing } from './accounting/closing.ts';
import type { CommandAnswer } from './core/commands.ts';
import { LedgerError } from './core/errors.ts';

const asked = z.strictObject({
  day: z.iso.date(),
  store: z.string().max(63).optional(),
  save: z.boolean(),
  by: z.string().max(200),
});

/** A question at the door ends before whoever asks gives up: a long close is asked for again. */
const answerWithinMs = 60_000;

/** What the command says while the close goes on. */
export interface StillClosing {
  running: true;
}

/**
 * The command `close` (accounting/closing.ts). `data` is the CloseAnswer, or StillClosing: whoever asks the same again
 * waits for the same close.
 */
export function closingCommands({
  close,
}: Closing): Record<string, (input: unknown) => Promise<CommandAnswer>> {
  return {
    async close(input) {
      const read = asked.safeParse(input);
      if (!read.success)
        throw new LedgerError(
          'command-unreadable',
          'Indique el día como 2026-11-20.',
          `The command close could not be read: ${z.prettifyError(read.error)}`,
        );
      const { by: _by, ...day } = read.data;
      const answer = await Promise.race([close(day), pause(answerWithinMs, null, { ref: false })]);
      if (answer === null) {
        const data: StillClosing = { running: true };
        return { done: false, says: 'El cierre sigue en marcha.', data };
      }
      return { done: true, says: said(answer), data: answer };
    },
  };
}

function said({ close: { day, result, differences } }: CloseAnswer): string {
  if (result === 'green') return `El ${day} cuadra.`;
  if (result === 'incomplete') return `El ${day} no se pudo conciliar: falta una respuesta.`;
  return `El ${day} no cuadra: ${differences.length === 1 ? 'hay una diferencia' : `hay ${differences.length} diferencias`}.`;
}
