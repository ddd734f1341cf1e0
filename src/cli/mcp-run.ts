import { z } from 'zod';
import { packageVersion } from '../app/version.ts';
import { serveOverStdio } from '../assistant/stdio.ts';
import type { ToolAnswer } from '../assistant/tools.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import { carryOut } from './carry-out.ts';
import { tellable } from './tellable.ts';

const answerShape = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.record(z.string(), z.unknown()) }),
  z.object({ ok: z.literal(false), says: z.string() }),
]);

/** Each call is carried out by whoever holds the ledger: the `start` that runs, else this process for as long as it takes. */
export async function serveAssistant(flags: { config?: string }): Promise<void> {
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  serveOverStdio(packageVersion, async (tool, input): Promise<ToolAnswer> => {
    try {
      const { data } = await carryOut('assistant', { tool, input: input ?? {} }, flags);
      return answerShape.parse(data);
    } catch (error) {
      const told = await tellable(error);
      if (!(told instanceof FacturapuenteError)) throw told;
      return { ok: false, says: told.merchant };
    }
  });
  await closed;
}
