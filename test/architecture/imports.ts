import { readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';

/** A TypeScript file of the repository: path from its root with "/", and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

export interface Import {
  /** As written: "../domain/money.ts", "zod", "node:fs". */
  specifier: string;
  /** For a relative import, the path from the root of the repository; else null. */
  target: string | null;
  typeOnly: boolean;
  /** By `import()`: when its code runs. */
  lazy: boolean;
}

const statement = /^[ \t]*(?:import|export)\s+(type\s+)?(?:([\w*${},\s]*?)\s*from\s*)?['"]([^'"\n]+)['"]/gm;
const dynamic = /\bimport\(\s*['"]([^'"\n]+)['"]/g;

/** The file's code without comments, so that examples in docstrings are no imports. */
export function codeOf({ text }: SourceFile): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Every static and dynamic import and re-export. The repository is formatted, so patterns suffice. */
export function importsOf(file: SourceFile): Import[] {
  const code = codeOf(file);
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean, lazy: boolean) =>
    found.push({
      specifier,
      typeOnly,
      lazy,
      target: specifier.startsWith('.')
        ? posix.normalize(posix.join(posix.dirname(file.path), specifier))
        : null,
    });
  for (const [, type, names, specifier = ''] of code.matchAll(statement))
    add(specifier, type !== undefined || onlyTypes(names), false);
  for (const [, specifier = ''] of code.matchAll(dynamic)) add(specifier, false, true);
  return found;
}

/** `{ type A, type B }`. */
function onlyTypes(names: string | undefined): boolean {
  const listed = names?.match(/^\{([^}]*)\}$/)?.[1];
  if (listed === undefined) return false;
  const parts = listed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => part.startsWith('type '));
}

const read = new Map<string, SourceFile>();
function fileAt(path: string): SourceFile {
  const file = read.get(path) ?? { path, text: readFileSync(path, 'utf8') };
  read.set(path, file);
  return file;
}
const targets = new Map<string, string[]>();

/**
 * The files that some files load, directly or not, themselves included; paths from the root of the repository, where this
 * runs. Types are not loaded.
 */
export function loadedBy(entries: readonly string[]): SourceFile[] {
  const loaded = new Map<string, SourceFile>();
  const add = (path: string): void => {
    if (loaded.has(path) || !statSync(path, { throwIfNoEntry: false })?.isFile()) return;
    const file = fileAt(path);
    loaded.set(path, file);
    const found =
      targets.get(path) ??
      importsOf(file).flatMap(({ target, typeOnly }) => (target === null || typeOnly ? [] : [target]));
    targets.set(path, found);
    found.forEach(add);
  };
  entries.forEach(add);
  return [...loaded.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}
