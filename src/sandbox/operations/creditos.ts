import { z } from 'zod';
import { isoInEcuador } from '../clock.ts';
import type { Operation } from '../operation.ts';
import { plainFailures } from './shapes.ts';

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Both wallets; the way to check that a key is valid (assumption A7). */
export const creditOperations: readonly Operation[] = [
  {
    id: 'consultar_saldo',
    method: 'get',
    path: '/api/creditos/saldo',
    tag: 'Créditos',
    access: 'key',
    words: 'plain',
    inferred: true,
    summary: 'The balances of the billing wallet and the queries wallet',
    answers: {
      200: {
        says: 'Both wallets',
        json: z.looseObject({
          success: z.literal(true),
          facturacion: z.object({ creditos_disponibles: z.int(), vence_en: z.string() }),
          consultas: z.object({ saldo: z.number(), gratis_restantes: z.int() }),
        }),
      },
      ...plainFailures,
    },
    handle({ world, account: { credits, queries } }) {
      const expires = new Date(world.clock.now().getTime() + yearMs);
      return {
        status: 200,
        body: {
          success: true,
          facturacion: { creditos_disponibles: credits, vence_en: isoInEcuador(expires) },
          consultas: { saldo: 0, gratis_restantes: queries },
        },
      };
    },
  },
];
