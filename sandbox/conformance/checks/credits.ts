import { z } from 'zod';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import { type Context, createdKey } from '../context.ts';
import { compare, sawShape } from '../expectation.ts';
import { isRecord } from '../service.ts';

const section = 'Créditos';
const balance = ({ service }: Context) => service.ask({ method: 'GET', path: '/api/creditos/saldo' });

/** The billing wallet's documents, wherever the answer carries them. */
function creditsIn(json: unknown): number | null {
  if (!isRecord(json)) return null;
  for (const [name, value] of Object.entries(json)) {
    if (name === 'creditos_disponibles' && typeof value === 'number') return value;
    const inner = creditsIn(value);
    if (inner !== null) return inner;
  }
  return null;
}

/** The wallets, and that the test environment costs nothing. */
export const creditChecks: readonly Check[] = [
  {
    id: 'saldo-con-clave',
    section,
    row: 'Paths known, GET /api/creditos/saldo',
    title: 'el saldo responde a una clave válida',
    async run(context) {
      const answer = await balance(context);
      return answer.status === 200 ? agrees() : differs('HTTP 200', sawShape(answer));
    },
  },
  {
    id: 'pruebas-gratis',
    section,
    row: 'Limits, Test environment',
    title:
      'un documento autorizado en ambiente 1 no gasta créditos (si otra aplicación emite a la vez, repita)',
    async run(context) {
      await context.reference();
      const before = creditsIn((await balance(context)).json);
      if (before === null) throw new Unseen('El saldo no trae creditos_disponibles (A7).');
      const key = createdKey((await context.emit()).answer);
      if (!key || !(await context.settled(key)).report?.authorised)
        throw new Unseen('El documento no se autorizó a tiempo; pida más con --wait.');
      const after = creditsIn((await balance(context)).json);
      return after === before ? agrees() : differs('el mismo saldo', 'otro saldo');
    },
  },
  {
    id: 'supuesto-saldo',
    section,
    row: 'Paths known, GET /api/creditos/saldo',
    inferred: 'A7',
    title: 'el saldo trae creditos_disponibles, estado_saldo y consultas',
    run: async (context) =>
      compare(await balance(context), {
        says: 'HTTP 200 con creditos_disponibles, estado_saldo y consultas {saldo, gratis_restantes}',
        status: 200,
        shape: z.looseObject({
          success: z.literal(true),
          creditos_disponibles: z.number(),
          estado_saldo: z.enum(['suficiente', 'bajo', 'agotado']),
          consultas: z.looseObject({ saldo: z.number(), gratis_restantes: z.number() }),
        }),
      }),
  },
];
