import { z } from 'zod';
import { creditsLeft, freeQueriesLeft, nextExpiry } from '../accounts/wallets.ts';
import { isoInEcuador } from '../clock.ts';
import type { Operation } from '../operation.ts';
import { plainFailures } from './shapes.ts';

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
          facturacion: z.object({
            creditos_disponibles: z.int(),
            vence_en: z.string().nullable().describe('When the next credits expire.'),
          }),
          consultas: z.object({ saldo: z.number().describe('USD'), gratis_restantes: z.int() }),
        }),
      },
      ...plainFailures,
    },
    handle({ world, account: { wallets } }) {
      const now = world.clock.now();
      const expires = nextExpiry(wallets, now);
      return {
        status: 200,
        body: {
          success: true,
          facturacion: {
            creditos_disponibles: creditsLeft(wallets, now),
            vence_en: expires && isoInEcuador(expires),
          },
          consultas: { saldo: wallets.consultas / 100, gratis_restantes: freeQueriesLeft(wallets, now) },
        },
      };
    },
  },
];
