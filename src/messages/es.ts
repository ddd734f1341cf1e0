import { alerts } from './alerts.ts';
import { authority } from './authority.ts';
import { checks } from './checks.ts';
import { closing } from './closing.ts';
import { documents } from './documents.ts';
import { keeping } from './keeping.ts';
import { type Group, type Message, say } from './message.ts';
import { reading } from './reading.ts';
import { holds } from './reasons.ts';
import { assistant, setup } from './setup.ts';
import { shops } from './shops.ts';

/** Every code the product shows, by origin; test/docs/errors.test.ts compares it with the sources. */
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
  checks,
];

export function lookUp(code: string): { title: string; means: string; fix: string }[] {
  return catalogue.flatMap(({ title, entries }) => {
    const [means, fix]: Partial<Message> = Object.hasOwn(entries, code) ? (entries[code] ?? []) : [];
    return means && fix ? [{ title, means: say(means), fix: say(fix) }] : [];
  });
}

export function authorityMeaning(code: string): { means: string; fix: string } | undefined {
  const [means, fix]: Partial<Message> = Object.hasOwn(authority, code)
    ? authority[code as keyof typeof authority]
    : [];
  return means && fix ? { means: say(means), fix: say(fix) } : undefined;
}
