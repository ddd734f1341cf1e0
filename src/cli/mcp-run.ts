import { z } from 'zod';
import { packageVersion } from '../app/platforms.ts';
import { serveOverStdio } from '../assistant/endpoint.ts';
import type { ToolAnswer } from '../assistant/tools.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import { carryOut } from './carry-out.ts';
import type { ConfigFlag } from './own-ledger.ts';
import { readableError } from './spanish.ts';

const answerShape = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.record(z.string(), z.unknown()) }),
  z.object({ ok: z.literal(false), says: z.string() }),
]);

/** Serves an assistant over stdio; each call runs where the ledger is held, by `start` or in this process. */
export async function serveAssistant(flags: ConfigFlag): Promise<void> {
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  serveOverStdio(packageVersion, async (tool, input): Promise<ToolAnswer> => {
    try {
      const { data } = await carryOut('assistant', { tool, input: input ?? {} }, flags);
      return answerShape.parse(data);
    } catch (error) {
      const reported = await readableError(error);
      if (!(reported instanceof FacturapuenteError)) throw reported;
      return { ok: false, says: reported.merchant };
    }
  });
  await closed;
}
