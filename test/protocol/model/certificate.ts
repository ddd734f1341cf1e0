import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importsOf } from '../../architecture/imports.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const file = `${root}test/protocol/model/explored.json`;

/** What was explored to its end, by the name of its world, and of which sources. */
export interface Certificate {
  sources: string;
  worlds: Record<string, { states: number; transitions: number; depth: number }>;
}

export const certificate: Certificate = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Certificate)
  : { sources: '', worlds: {} };

/** Of the model and everything it imports: the protocol, the times it waits and what these are made of. */
export function sourcesHash(): string {
  const texts = new Map<string, string>();
  const read = (path: string): void => {
    if (texts.has(path)) return;
    const text = readFileSync(`${root}${path}`, 'utf8');
    texts.set(path, text);
    for (const { target, typeOnly } of importsOf({ path, text })) if (target && !typeOnly) read(target);
  };
  read('test/protocol/model/explore.ts');
  read('test/protocol/model/worlds.ts');
  const judge = 'test/protocol/model/explore.test.ts';
  texts.set(judge, readFileSync(`${root}${judge}`, 'utf8'));
  const sorted = [...texts].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
