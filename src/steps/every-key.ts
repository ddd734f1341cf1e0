import type { Attempt, Document } from '../core/document.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ServiceCalls } from '../service/client.ts';
import { keyNames } from './key-names.ts';

const isKey = (text: unknown): text is string => typeof text === 'string' && /^\d{49}$/.test(text);

/**
 * Every access key that was ever told of a document or foreseen for it, also those that were taken from it since: its
 * history keeps them.
 */
export async function everyKey(
  { documents }: Pick<Ledger, 'documents'>,
  document: Document,
  attempts: readonly Attempt[],
): Promise<string[]> {
  const notes = (await documents.history(document.id)).map(
    ({ note }) => note as Record<string, unknown> | null,
  );
  const told = [
    ...attempts.flatMap(({ accessKey, foreseenKey }) => [accessKey, foreseenKey]),
    document.accessKey,
    ...notes.flatMap((note) => [note?.accessKey, note?.foreignKey]),
  ];
  return [...new Set(told.filter(isKey))].filter((key) => keyNames(document, key));
}

/** The keys on a document's number in the service's list of its last webhooks, which may never have arrived here. */
export async function keysOfWebhooks(
  every: readonly Pick<ServiceCalls, 'leerWebhook'>[],
  document: Document,
): Promise<{ keys: string[]; read: boolean }> {
  const keys = new Set<string>();
  let read = false;
  for (const calls of every) {
    const answer = await calls.leerWebhook();
    if (answer.kind !== 'webhook') continue;
    read = true;
    for (const { claveacceso } of answer.ultimasEntregas)
      if (isKey(claveacceso) && keyNames(document, claveacceso)) keys.add(claveacceso);
  }
  return { keys: [...keys], read };
}
