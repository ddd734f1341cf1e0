import { z } from 'zod';
import type { Account } from '../accounts/accounts.ts';
import { findCompany } from '../accounts/companies.ts';
import { wrapAuthorised } from '../authority/xml/wrapper.ts';
import { isAuthorised, isWritten, type StoredDocument, type WrittenDocument } from '../emission/documents.ts';
import { documentReport, reportSchema } from '../emission/reports.ts';
import { failure } from '../http/answers.ts';
import { Bytes, type Operation, type Reply } from '../operation.ts';
import type { World } from '../world.ts';
import { accessKeyParams, failed, plainFailures } from './shapes.ts';

const shared = {
  method: 'get',
  tag: 'Comprobantes',
  access: 'key',
  words: 'plain',
  inferred: true,
  params: accessKeyParams,
} as const;
const unknownKey = { says: 'No such document, or of another API key', json: failed };

/** Status, XML and PDF of one document. */
export const documentOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'consultar_comprobante',
    path: '/api/comprobante/consulta/:claveacceso',
    summary: 'The state of a document',
    answers: {
      200: { says: 'The state', json: z.looseObject({ success: z.literal(true), ...reportSchema.shape }) },
      404: unknownKey,
      ...plainFailures,
    },
    handle: ({ world, account, params }) =>
      own(world, account, params.claveacceso, (document) => ({
        status: 200,
        body: { success: true, ...documentReport(world, document) },
      })),
  },
  {
    ...shared,
    id: 'descargar_xml',
    path: '/api/comprobante/xml/:claveacceso',
    summary: 'The authorised XML in the wrapper of the tax authority',
    answers: { 200: { says: 'The XML', type: 'application/xml' }, 404: unknownKey, ...plainFailures },
    handle: ({ world, account, params }) =>
      authorised(world, account, params.claveacceso, (document) => ({
        status: 200,
        body: new Bytes('application/xml', wrapAuthorised(document)),
      })),
  },
  {
    ...shared,
    id: 'descargar_pdf',
    path: '/api/comprobante/pdf/:claveacceso',
    summary: 'The RIDE as PDF',
    answers: { 200: { says: 'The RIDE', type: 'application/pdf' }, 404: unknownKey, ...plainFailures },
    handle: ({ world, account, params }) =>
      authorised(world, account, params.claveacceso, async (document) => {
        // Loaded on the first PDF: the drawing libraries are slow to start and most runs never need them.
        const { drawRide } = await import('../ride/ride.ts');
        const logo = findCompany(account.companies, document.ruc)?.logo;
        const pdf = await drawRide(document, logo ? Buffer.from(logo.base64, 'base64') : undefined);
        return { status: 200, body: new Bytes('application/pdf', pdf, `${document.claveacceso}.pdf`) };
      }),
  },
];

/** The account's own document; a stranger's is answered like one that does not exist. */
export function own<T extends Reply | Promise<Reply>>(
  world: World,
  account: Account,
  claveacceso: string | undefined,
  then: (document: StoredDocument) => T,
): T | Reply {
  const document = world.documents.byKey(claveacceso ?? '');
  if (document?.apiKey === account.apiKey) return then(document);
  return failure('plain', 404, 'No existe un comprobante con esa clave de acceso.', { inferred: true });
}

function authorised(
  world: World,
  account: Account,
  claveacceso: string | undefined,
  then: (document: WrittenDocument) => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  return own<Reply | Promise<Reply>>(world, account, claveacceso, (document) => {
    const missing = (sentence: string) => failure('plain', 404, sentence, { inferred: true });
    if (!isAuthorised(document)) return missing('El comprobante aún no está autorizado.');
    if (!isWritten(document)) return missing('El sandbox no genera XML ni PDF de este tipo de comprobante.');
    return then(document);
  });
}
