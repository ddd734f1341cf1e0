import { emit } from '../emission/emit.ts';
import { type Kind, kindsOf, type Reading } from '../emission/kinds.ts';
import type { Operation } from '../operation.ts';
import { emitted, notCreated } from './shapes.ts';

/** Where each type without a shown route is emitted (assumption A22). */
export const otherDocumentPaths = {
  '03': '/api/liquidacion/emision',
  '05': '/api/debito/emision',
  '06': '/api/guia/emision',
  '07': '/api/retencion/emision',
} as const;
export type OtherDocumentPaths = Readonly<Record<keyof typeof otherDocumentPaths, string>>;

/** The emission routes. */
export function emissionOperations(
  settings: Reading & { otherDocumentPaths: OtherDocumentPaths },
): readonly Operation[] {
  const paths = settings.otherDocumentPaths;
  const kinds = kindsOf(settings);
  return [
    emission('emitir_factura', '/api/factura/emision', kinds['01'], 'Emits a factura (01)'),
    emission('emitir_nota_credito', '/api/credito/emision', kinds['04'], 'Emits a nota de crédito (04)'),
    emission('emitir_liquidacion_compra', paths['03'], kinds['03'], 'Emits a liquidación de compra (03)'),
    emission('emitir_nota_debito', paths['05'], kinds['05'], 'Emits a nota de débito (05)'),
    emission('emitir_guia_remision', paths['06'], kinds['06'], 'Emits a guía de remisión (06)'),
    emission('emitir_retencion', paths['07'], kinds['07'], 'Emits a comprobante de retención (07)'),
  ];
}

function emission(id: string, path: string, kind: Kind, summary: string): Operation {
  return {
    id,
    method: 'post',
    path,
    tag: 'Emisión',
    access: 'key',
    words: 'emision',
    // Only the factura's body is shown in full.
    inferred: kind.tipo !== '01',
    summary,
    json: kind.schema,
    issues: true,
    answers: {
      200: { says: 'Registered, or refused by validation with creado false', json: emitted.or(notCreated) },
      400: { says: 'The body cannot be read', json: notCreated },
      401: { says: 'Invalid API key', json: notCreated },
      409: { says: 'Duplicate access key; carries claveacceso', json: notCreated },
      429: { says: 'More than 300 requests per minute; Retry-After in seconds', json: notCreated },
      500: { says: 'Internal error; carries claveacceso', json: notCreated },
    },
    handle: ({ world, account, json, strike }) => emit(world, account, kind, json(), strike),
  };
}
