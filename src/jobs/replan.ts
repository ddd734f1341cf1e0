import type { Document } from '../domain/document.ts';
import type { Tables } from '../ledger/ledger.ts';
import { askSync } from './ask.ts';

/** More held documents than anybody lets pile up; the rest comes with their next webhook. */
const limit = 10_000;

/**
 * Asks for held orders to be looked at again. All of them when work starts: the person who waited may have corrected
 * the configuration (a tax rule, the consumidor final limit, the issuer that made its factura), which no webhook tells.
 * @param isMeant which of them; every one unless said otherwise.
 */
export async function replanHeld(
  { documents, work }: Pick<Tables, 'documents' | 'work'>,
  now: Date,
  isMeant: (held: Document) => boolean = () => true,
): Promise<void> {
  for (const held of await documents.list({ states: ['held', 'manual'], limit }))
    if (isOfPlan(held) && isMeant(held)) await askSync({ work }, held, now);
}

/** What was never numbered is for a person by the plan alone; once it has a number, only its own protocol moves it. */
const isOfPlan = ({ state, secuencial }: Document): boolean => state === 'held' || secuencial === null;
