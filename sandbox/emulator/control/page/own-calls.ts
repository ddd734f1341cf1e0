import type { Account } from '../../accounts/accounts.ts';
import type { StoredDocument } from '../../emission/documents.ts';
import { Bytes, type Reply } from '../../operation.ts';
import { allOperations } from '../../operations/all.ts';
import type { World } from '../../world.ts';

/** Calls an operation of the service the way its account would, without the way over HTTP. */
export async function callOperation(
  world: World,
  account: Account,
  id: string,
  { params = {}, body = null }: { params?: Record<string, string>; body?: unknown },
): Promise<Reply> {
  const operation = allOperations(world).find((one) => one.id === id);
  if (!operation) throw new Error(`The sandbox has no operation ${id}.`);
  return operation.handle({ world, account, params, query: {}, json: () => body, form: async () => null });
}

/**
 * What the document's owner would download: the authorised XML or the RIDE. Undefined while there is none, or
 * when the sandbox makes none of this type.
 */
export async function download(
  world: World,
  { apiKey, claveacceso }: StoredDocument,
  operation: 'descargar_xml' | 'descargar_pdf',
): Promise<Bytes | undefined> {
  const account = world.accounts.get(apiKey);
  if (!account) return undefined;
  const { body } = await callOperation(world, account, operation, { params: { claveacceso } });
  return body instanceof Bytes ? body : undefined;
}
