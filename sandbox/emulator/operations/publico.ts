import { z } from 'zod';
import { freeQueriesPerMonth, queryPrice, rechargeTiers, verificationPrices } from '../accounts/prices.ts';
import { isoInEcuador } from '../clock.ts';
import type { Operation } from '../operation.ts';
import { statusWords } from '../status.ts';

const shared = { tag: 'Público', access: 'public', words: 'plain' } as const;
const word = z.enum(statusWords);
const usd = z.number().describe('USD, before VAT.');

const status = {
  ...shared,
  method: 'get',
  inferred: true,
  answers: {
    200: {
      says: 'The state of the service and of the tax authority behind it',
      json: z.looseObject({
        success: z.literal(true),
        estado: word,
        sri: z.object({ recepcion: word, autorizacion: word }).describe('The tax authority.'),
        actualizado_en: z.string().describe('ISO 8601'),
      }),
    },
  },
  handle: ({ world: { status, clock } }) => ({
    status: 200,
    body: { success: true, ...status, actualizado_en: isoInEcuador(clock.now()) },
  }),
} satisfies Partial<Operation>;

/** What anybody may ask, without an API key (spec, "Authentication" 1 and 4; assumption A27). */
export const publicOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'ping',
    method: 'post',
    path: '/api/ping',
    inferred: false,
    summary: 'Alive, with or without a key',
    answers: { 200: { says: 'Alive', json: z.object({ pong: z.literal(true) }) } },
    handle: () => ({ status: 200, body: { pong: true } }),
  },
  { ...status, id: 'estado_servicio', path: '/api/public/status', summary: 'How the service is doing' },
  {
    ...status,
    id: 'estado_servicio_alias',
    path: '/api/status',
    summary: 'How the service is doing; alias of /api/public/status',
  },
  {
    ...shared,
    id: 'tabla_precios',
    method: 'get',
    path: '/api/public/precios',
    inferred: true,
    summary: 'The price table',
    answers: {
      200: {
        says: 'Prices in USD',
        json: z.looseObject({
          success: z.literal(true),
          facturacion: z
            .array(z.object({ recarga: z.number(), precio_documento: z.number() }))
            .describe('What a document costs, by the recharge that pays for it.'),
          verificaciones: z
            .object({ prueba_de_vida: usd, cedula_ocr: usd, completa: usd })
            .describe('Identity verifications by tipo.'),
          consultas: z.object({ gratis_por_mes: z.int(), precio: z.number() }),
        }),
      },
    },
    handle: () => ({
      status: 200,
      body: {
        success: true,
        facturacion: rechargeTiers,
        verificaciones: verificationPrices,
        consultas: { gratis_por_mes: freeQueriesPerMonth, precio: queryPrice },
      },
    }),
  },
];
