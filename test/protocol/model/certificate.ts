import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { loadedBy } from '../../architecture/imports.ts';

const file = 'test/protocol/model/explored.json';

/** What was explored to its end, by the name of its world, and of which sources. */
export interface Certificate {
  sources: string;
  /** Arms of src/protocol, and the first lines of those that no world reaches. */
  arms: number;
  unreached: string[];
  worlds: Record<string, { states: number; transitions: number; depth: number }>;
}

export const certificate: Certificate = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Certificate)
  : { sources: '', arms: 0, unreached: [], worlds: {} };

/** Of the model and everything it loads: the protocol, the times it waits and what these are made of; and of what judges it. */
export function sourcesHash(): string {
  const model = loadedBy(['test/protocol/model/explore.ts', 'test/protocol/model/worlds.ts']);
  const judge = readFileSync('test/protocol/model/explore.test.ts', 'utf8');
  return createHash('sha256')
    .update(JSON.stringify([model, judge]))
    .digest('hex');
}
