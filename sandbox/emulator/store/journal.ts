import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { takeLock } from './lock.ts';

/** What is kept: documents by access key, accounts by API key, logos by API key and RUC, deliveries by id, one clock. */
export type Kind = 'document' | 'account' | 'logo' | 'delivery' | 'clock';

/** The newest version of everything in one directory, as lines of JSON appended to one file. */
export interface Journal {
  /** What was kept before, in the order in which each thing first came. */
  kept(kind: Kind): unknown[];
  /** On disk when it returns. Null deletes. */
  write(kind: Kind, id: string, value: unknown): void;
  clear(): void;
  close(): void;
}

const header = JSON.stringify({ 'facturapuente-sandbox': 1 });

/**
 * Opens or makes a data directory. Throws with a sentence when another sandbox uses it or its file cannot be
 * read; a last line cut off by a sudden end is left out.
 */
export function openJournal(directory: string): Journal {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = takeLock(directory);
  const path = join(directory, 'sandbox.jsonl');
  let newest: Map<string, Line>;
  let file: number;
  try {
    newest = readLines(path);
    file = rewrite(path, newest);
  } catch (error) {
    unlock();
    throw error;
  }
  return {
    kept: (kind) => [...newest.values()].filter((line) => line[0] === kind).map((line) => line[2]),
    write(kind, id, value) {
      appendFileSync(file, `${JSON.stringify([kind, id, value])}\n`);
    },
    clear() {
      newest.clear();
      closeSync(file);
      file = rewrite(path, newest);
    },
    close() {
      closeSync(file);
      unlock();
    },
  };
}

type Line = [kind: string, id: string, value: unknown];

function readLines(path: string): Map<string, Line> {
  const newest = new Map<string, Line>();
  if (!existsSync(path)) return newest;
  const [first, ...lines] = readFileSync(path, 'utf8').split('\n');
  if (first !== header) {
    throw new Error(`${path} no es de un sandbox de esta versión; elija otra carpeta de datos o bórrelo.`);
  }
  const cutOff = lines.pop();
  if (cutOff !== '' && cutOff !== undefined) lines.push(...wholeOnly(cutOff));
  for (const [index, text] of lines.entries()) {
    const line = parse(text);
    if (!line)
      throw new Error(
        `${path}, línea ${index + 2}: no se puede leer; recupere una copia o borre la carpeta.`,
      );
    if (line[2] === null) newest.delete(`${line[0]} ${line[1]}`);
    else newest.set(`${line[0]} ${line[1]}`, line);
  }
  return newest;
}

const wholeOnly = (text: string) => (parse(text) ? [text] : []);

function parse(text: string): Line | undefined {
  try {
    const line = JSON.parse(text);
    return Array.isArray(line) && line.length === 3 ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

// Under another name first: a sudden end leaves either the old file or the new one, never half of one.
function rewrite(path: string, lines: Map<string, Line>): number {
  const text = [header, ...[...lines.values()].map((line) => JSON.stringify(line)), ''].join('\n');
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return openSync(path, 'a');
}
