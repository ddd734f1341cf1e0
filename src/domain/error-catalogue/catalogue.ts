import { alerts } from './alerts.ts';
import { assistant } from './assistant.ts';
import { closing } from './closing.ts';
import { documents } from './documents.ts';
import type { Entry, Group } from './entry.ts';
import { findings } from './findings.ts';
import { holds } from './holds.ts';
import { keeping } from './keeping.ts';
import { reading } from './reading.ts';
import { setup } from './setup.ts';
import { shops } from './shops.ts';

/** Every code the product shows, by origin; test/docs/errors.test.ts holds it against the sources. */
export const catalogue: readonly Group[] = [
  holds,
  documents,
  alerts,
  closing,
  shops,
  setup,
  keeping,
  reading,
  assistant,
  findings,
];

/** What a code means, in each group that has it. */
export function lookUp(code: string): { title: string; entry: Entry }[] {
  return catalogue.flatMap(({ title, entries }) => {
    const entry = Object.hasOwn(entries, code) ? entries[code] : undefined;
    return entry ? [{ title, entry }] : [];
  });
}
