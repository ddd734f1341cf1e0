import { z } from 'zod';
import type { Account } from '../accounts/accounts.ts';
import { creditsLeft, freeQueriesLeft, nextExpiry } from '../accounts/wallets.ts';
import { isoInEcuador } from '../clock.ts';
import { isAuthorised } from '../emission/documents.ts';
import { failure } from '../http/answers.ts';
import type { Call, Operation, Reply } from '../operation.ts';
import type { World } from '../world.ts';
import { failed, plainFailures } from './shapes.ts';

/** Below so many documents a balance is called low. */
const fewCredits = 20;

/** The balance, which also checks a key, and what became of the credits (assumption A7). */
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
        says: 'Both wallets; the dialect "former" has the first under `facturacion`',
        json: z.looseObject({
          success: z.literal(true),
          creditos_disponibles: z.int().optional(),
          estado_saldo: z.enum(['suficiente', 'bajo', 'agotado']).optional(),
          facturacion: z
            .object({
              creditos_disponibles: z.int(),
              vence_en: z.string().nullable().describe('When the next credits expire.'),
            })
            .optional(),
          consultas: z.object({ saldo: z.number().describe('USD'), gratis_restantes: z.int() }),
        }),
      },
      ...plainFailures,
    },
    handle: balance,
  },
  {
    id: 'consultar_historial_creditos',
    method: 'get',
    path: '/api/creditos/historial',
    tag: 'Créditos',
    access: 'key',
    words: 'plain',
    inferred: true,
    summary: 'The movements of the billing wallet, newest first',
    query: z.object({
      limit: z.string().optional().describe('Entries of a page: 20, at most 100.'),
      page: z.string().optional().describe('Counts from 1.'),
      tipo: z.string().optional().describe('consumo, recarga or rollback.'),
      ambiente: z.string().optional().describe('1 or 2; a recharge is of neither.'),
    }),
    answers: {
      200: {
        says: 'One page',
        json: z.looseObject({
          success: z.literal(true),
          historial: z.array(
            z.object({ fecha: z.string(), tipo: z.string(), cantidad: z.int(), descripcion: z.string() }),
          ),
          page: z.int(),
          limit: z.int(),
          total: z.int(),
        }),
      },
      400: { says: 'A filter that is none', json: failed },
      404: { says: 'The dialect "former" has no such route', json: failed },
      ...plainFailures,
    },
    handle: history,
  },
];

function balance({ world, account: { wallets } }: Call): Reply {
  const now = world.clock.now();
  const left = creditsLeft(wallets, now);
  const expires = nextExpiry(wallets, now);
  const billing =
    world.settings.dialect === 'former'
      ? { facturacion: { creditos_disponibles: left, vence_en: expires && isoInEcuador(expires) } }
      : {
          creditos_disponibles: left,
          estado_saldo: left === 0 ? 'agotado' : left < fewCredits ? 'bajo' : 'suficiente',
        };
  const consultas = { saldo: wallets.consultas / 100, gratis_restantes: freeQueriesLeft(wallets, now) };
  return { status: 200, body: { success: true, ...billing, consultas } };
}

const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  page: z.coerce.number().int().min(1).default(1),
  tipo: z.enum(['consumo', 'recarga', 'rollback']).optional(),
  ambiente: z.enum(['1', '2']).optional(),
});

function history({ world, account, query }: Call): Reply {
  if (world.settings.dialect === 'former')
    return failure('plain', 404, 'La ruta no existe.', { inferred: true });
  const read = page.safeParse(query);
  if (!read.success)
    return failure('plain', 400, `${read.error.issues[0]?.path.join('.')}: no vale.`, { inferred: true });
  const { limit, page: n, tipo, ambiente } = read.data;
  const found = movements(world, account)
    .filter((one) => (tipo ?? one.tipo) === one.tipo && (ambiente ?? one.ambiente) === one.ambiente)
    .sort((a, b) => Date.parse(b.fecha) - Date.parse(a.fecha));
  const historial = found
    .slice((n - 1) * limit, n * limit)
    .map(({ fecha, tipo, cantidad, descripcion }) => ({ fecha, tipo, cantidad, descripcion }));
  return { status: 200, body: { success: true, historial, page: n, limit, total: found.length } };
}

/** Each authorised document of ambiente 2 took one credit; none ever comes back here. */
function movements({ documents }: World, { apiKey, wallets }: Account) {
  const spent = documents
    .all()
    .filter((one) => one.apiKey === apiKey && one.ambiente === 2 && isAuthorised(one))
    .map(({ tipo, numero, recibido, fechaAutorizacion }) => ({
      fecha: fechaAutorizacion ?? recibido,
      tipo: 'consumo',
      cantidad: 1,
      descripcion: `Comprobante ${tipo} ${numero}`,
      ambiente: '2' as string | undefined,
    }));
  const bought = wallets.facturacion.map(({ comprados, documentos }) => ({
    fecha: isoInEcuador(new Date(comprados)),
    tipo: 'recarga',
    cantidad: documentos,
    descripcion: `Recarga de ${documentos} comprobantes`,
    ambiente: undefined,
  }));
  return [...spent, ...bought];
}
