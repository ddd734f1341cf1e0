import { z } from 'zod';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import { type Context, scene } from '../context.ts';
import { compare, sawShape } from '../expectation.ts';
import type { Answer } from '../service.ts';

const section = 'Límites';
const limit = 300;
/** A service that counts by the clock's minute may let two full minutes pass before it refuses. */
const most = 2 * limit + 20;
const together = 20;

/** Asks until the service refuses. */
const refusal = scene(async ({ service }: Context): Promise<{ answer: Answer | null; sent: number }> => {
  for (let sent = 0; sent < most; sent += together) {
    const asked = Array.from({ length: together }, () =>
      service.burst({ method: 'GET', path: '/api/creditos/saldo' }),
    );
    const answer = (await Promise.all(asked)).find(({ status }) => status === 429);
    if (answer) return { answer, sent: sent + together };
  }
  return { answer: null, sent: most };
});

/** The request limit; burns a minute of the key, so it runs last and only when asked for. */
export const limitChecks: readonly Check[] = [
  {
    id: 'trescientas-por-minuto',
    section,
    row: 'Limits, Requests; Errors, 6',
    title: 'más de 300 solicitudes por minuto se responden con 429',
    needs: 'rateLimit',
    async run(context) {
      const { answer } = await refusal(context);
      return answer ? agrees() : differs('HTTP 429', `ninguno en ${most} solicitudes seguidas`);
    },
  },
  {
    id: 'supuesto-429',
    section,
    row: 'Errors, 6',
    inferred: 'A18',
    title: 'el 429 trae Retry-After en segundos, success=false y message',
    needs: 'rateLimit',
    async run(context) {
      const { answer } = await refusal(context);
      if (!answer) throw new Unseen('No hubo ningún 429.');
      const seconds = /^\d+$/.test(answer.retryAfter ?? '');
      const says = 'HTTP 429 con Retry-After, success=false y message';
      if (!seconds) return differs(says, `${sawShape(answer)}, sin Retry-After`);
      const shape = z.looseObject({ success: z.literal(false), message: z.string() });
      return compare(answer, { says, status: 429, shape });
    },
  },
];
