import type { StoredDocument } from '../../emission/documents.ts';
import { Bytes } from '../../operation.ts';
import { documentOperations } from '../../operations/comprobante.ts';
import type { World } from '../../world.ts';

/**
 * What the document's owner would download: the authorised XML or the RIDE. Undefined while there is none, or
 * when the sandbox makes none of this type.
 */
export async function download(
  world: World,
  document: StoredDocument,
  operation: 'descargar_xml' | 'descargar_pdf',
): Promise<Bytes | undefined> {
  const account = world.accounts.get(document.apiKey);
  const found = documentOperations.find(({ id }) => id === operation);
  if (!account || !found) return undefined;
  const reply = await found.handle({
    world,
    account,
    params: { claveacceso: document.claveacceso },
    query: {},
    json: () => null,
    form: async () => null,
  });
  return reply.body instanceof Bytes ? reply.body : undefined;
}
