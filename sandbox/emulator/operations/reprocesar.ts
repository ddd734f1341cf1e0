import { z } from 'zod';
import { sendToAuthority } from '../authority/authority.ts';
import { isRefused } from '../emission/documents.ts';
import { productionClosed } from '../emission/production.ts';
import { failure } from '../http/answers.ts';
import type { Call, Operation, Reply } from '../operation.ts';
import { own } from './comprobante.ts';
import { failed, plainFailures } from './shapes.ts';

const reprocessSchema = z.object({ claveacceso: z.string() });

const shared = {
  method: 'post',
  tag: 'Comprobantes',
  access: 'key',
  words: 'plain',
  inferred: true,
  handle: reprocess,
  answers: {
    200: {
      says: 'On its way to the tax authority again',
      json: z.looseObject({
        success: z.literal(true),
        claveacceso: z.string(),
        estado: z.string(),
        mensaje: z.string(),
      }),
    },
    400: { says: 'No access key', json: failed },
    404: { says: 'No such document, or of another API key', json: failed },
    402: { says: 'No credit for a document of ambiente 2', json: failed },
    409: {
      says: 'The document did not end with an error',
      json: failed.safeExtend({ claveacceso: z.string() }),
    },
    ...plainFailures,
  },
} as const;

/** The current route and the historic one (assumption A13). */
export const reprocessOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'reprocesar_comprobante',
    path: '/api/comprobante/reprocesar',
    summary: 'Sends a document that ended with an error to the tax authority again',
    json: reprocessSchema,
  },
  {
    ...shared,
    id: 'reprocesar_comprobante_historico',
    tag: 'Procesamiento',
    path: '/api/consultaprocesar',
    summary: 'The historic route of reprocesar_comprobante',
    json: reprocessSchema.extend({ ruc: z.string().optional(), id_comprobante: z.int().optional() }),
  },
];

function reprocess({ world, account, json }: Call): Reply {
  const read = reprocessSchema.safeParse(json());
  if (!read.success) return failure('plain', 400, 'claveacceso: es obligatorio.', { inferred: true });
  return own(world, account, read.data.claveacceso, (document) => {
    const { claveacceso } = document;
    if (!isRefused(document)) {
      const message = 'El comprobante no necesita reproceso: no terminó con un error.';
      return { status: 409, body: { success: false, message, claveacceso } };
    }
    const closed = document.ambiente === 2 && productionClosed(world, account);
    if (closed) return failure('plain', 402, closed, { inferred: true });
    document.estado = 1;
    document.errores = [];
    world.documents.changed(document);
    sendToAuthority(world, document);
    const mensaje = 'El comprobante se envió otra vez al SRI.';
    return { status: 200, body: { success: true, claveacceso, estado: 'En procesamiento', mensaje } };
  });
}
