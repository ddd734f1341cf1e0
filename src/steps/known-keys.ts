import type { Attempt, Document } from '../core/document.ts';
import type { ErrorCause } from '../core/move-note.ts';
import type { FoundDocument } from '../service/answers.ts';
import type { ServiceCalls } from '../service/client.ts';
import type { ServiceMessage } from '../service/inferred.ts';
import { causeOf } from './authority-errors.ts';
import { readStored } from './compare-stored.ts';

/** 43 and 45: the authority has the number, so something under it is authorised or on its way. */
const taken = new Set<ErrorCause>(['registered', 'number-taken']);

/**
 * The other keys of a document that may be what holds its number, told or foreseen; none where the error does not speak
 * of that.
 */
export function keysInQuestion(
  attempts: readonly Attempt[],
  { claveacceso, errors }: { claveacceso: string; errors: readonly ServiceMessage[] },
): string[] {
  if (!taken.has(causeOf(errors).cause)) return [];
  const keys = attempts.flatMap(({ accessKey, foreseenKey }) => [accessKey, foreseenKey]);
  return [...new Set(keys)].filter((key): key is string => key !== null && key !== claveacceso);
}

/**
 * What holds the number, if it is one of our own sendings: one that ended with an error may have been reprocessed by
 * somebody else since. `unsure` while one of them is on its way or the service does not answer.
 */
export async function findHolder(
  calls: ServiceCalls,
  document: Document,
  attempts: readonly Attempt[],
  keys: readonly string[],
): Promise<{ found: FoundDocument; sending: Attempt } | 'none' | 'unsure'> {
  let unsure = false;
  for (const key of keys) {
    const answer = await calls.consultarComprobante(key);
    if (answer.kind === 'not-found' || (answer.kind === 'found' && answer.state === 'error')) continue;
    if (answer.kind === 'found' && answer.state === 'authorized') {
      const compared = await readStored(calls, key, document, attempts);
      if (compared.agreement === 'ours') return { found: answer, sending: compared.sending };
      if (compared.agreement === 'foreign') continue;
    }
    unsure = true;
  }
  return unsure ? 'unsure' : 'none';
}
