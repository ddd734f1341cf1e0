import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

interface Declarations {
  /** The text of each interface, type and class by name; of values only the name. */
  texts: ReadonlyMap<string, string>;
  imported: ReadonlyMap<string, Place>;
  exported: ReadonlyMap<string, Place>;
}

interface Place {
  file: string;
  name: string;
}

const fileOf = (importer: string, from: string): string =>
  resolve(dirname(importer), from.replace(/\.[jt]s$/, '.d.ts'));

const read = new Map<string, Declarations>();

/** Reads a `.d.ts` as tsc writes it: imports and exports in braces, one declaration after another. */
function declarationsOf(file: string): Declarations {
  const known = read.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const lists = /^(import|export)\s+(?:type\s+)?\{([\s\S]*?)\}\s+from\s+'(\.[^']+)';/gm;
  const imported = new Map<string, Place>();
  const exported = new Map<string, Place>();
  for (const [, verb, names = '', from = ''] of text.matchAll(lists))
    for (const part of names.split(',').flatMap((one) => one.trim().replace(/^type /, '') || [])) {
      const [name = '', as = name] = part.split(/\s+as\s+/);
      const place = { file: fileOf(file, from), name };
      (verb === 'import' ? imported : exported).set(as, place);
    }
  for (const [, from = ''] of text.matchAll(/^export (?:type )?\* from '(\.[^']+)';/gm))
    for (const name of declarationsOf(fileOf(file, from)).exported.keys())
      exported.set(name, { file: fileOf(file, from), name });
  const body = text.replace(lists, '');
  const starts = [
    ...body.matchAll(
      /^(export )?(?:declare )?(?:abstract )?(interface|type|class|function|const)\s+([A-Za-z_$][\w$]*)/gm,
    ),
  ];
  const texts = new Map<string, string>();
  for (const [at, [, isExported, kind = '', name = '']] of starts.entries()) {
    const declared = body.slice(starts[at]?.index, starts[at + 1]?.index);
    texts.set(name, kind === 'const' ? '' : (texts.get(name) ?? '') + declared);
    if (isExported) exported.set(name, { file, name });
  }
  const declarations = { texts, imported, exported };
  read.set(file, declarations);
  return declarations;
}

function find({ file, name }: Place): Place | null {
  if (!existsSync(file)) return null;
  const { texts, imported, exported } = declarationsOf(file);
  if (texts.has(name)) return { file, name };
  const next = imported.get(name) ?? exported.get(name);
  return next ? find(next) : null;
}

/**
 * The types that something exported from `entry`, or a type behind it, names, while neither `entry` nor `beside` exports
 * them: "Type (in Other)". What stands behind an `inner` type is not published.
 */
export function unexportedTypes(entry: string, beside: string, inner: readonly string[]): string[] {
  const idOf = ({ file, name }: Place) => `${file}#${name}`;
  const exportedBy = (file: string) =>
    [...declarationsOf(file).exported.values()].flatMap((place) => find(place) ?? []);
  const queue = exportedBy(entry);
  const seen = new Set([...queue, ...exportedBy(beside)].map(idOf));
  const missing: string[] = [];
  for (const { file, name } of queue)
    for (const word of new Set((declarationsOf(file).texts.get(name) ?? '').match(/\b[A-Z]\w*/g))) {
      const found = inner.includes(word) ? null : find({ file, name: word });
      if (!found || seen.has(idOf(found)) || !declarationsOf(found.file).texts.get(found.name)) continue;
      seen.add(idOf(found));
      queue.push(found);
      missing.push(`${found.name} (in ${name})`);
    }
  return missing;
}
