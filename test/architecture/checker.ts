import { codeOf, type Import, importsOf, type SourceFile } from './imports.ts';
import { impure, type Room, reserved, rooms } from './rooms.ts';

/** The longest a file under src, adapters or mappers may be: one idea each, told whole. */
const longest = 400;
const mayBeLonger: readonly string[] = [];

/** Every breach of the house rules in these files, as "file: what; rule". Empty when the house is in order. */
export function breaches(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    [...importBreaches(file), ...textBreaches(file)].map((said) => `${file.path}: ${said}`),
  );
}

/** "src/domain", "adapters/shopify", "sandbox/emulator", "mappers", "src" for its own files; null outside production code. */
function roomOf(path: string): string | null {
  const [top = '', second = '', ...rest] = path.split('/');
  if (top === 'mappers') return 'mappers';
  if (top === 'adapters' || top === 'sandbox') return `${top}/${second}`;
  if (top === 'src') return rest.length === 0 ? 'src' : `src/${second}`;
  return null;
}

/** All adapters follow one rule. */
function ruleOf(room: string): Room | undefined {
  return rooms[room.startsWith('adapters/') ? 'adapters' : room];
}

function importBreaches(file: SourceFile): string[] {
  const room = roomOf(file.path);
  if (room === null) return [];
  const rule = ruleOf(room);
  if (rule === undefined)
    return [`the room ${room} is not in the table; add it to test/architecture/rooms.ts`];
  return importsOf(file).flatMap((found) => breachOf(found, room, rule) ?? []);
}

function breachOf(found: Import, room: string, rule: Room): string | null {
  if (found.target !== null) return relativeBreach(found, found.target, room, rule);
  const { specifier } = found;
  const owner = reserved.find((one) => one.specifier.test(specifier));
  if (owner !== undefined && !owner.room.test(room))
    return `imports ${specifier}; only ${owner.room.source.replace(/[\\^$]/g, '')} may`;
  if (specifier.startsWith('node:'))
    return rule.pure ? `imports ${specifier}; ${room} is pure and may import nothing of node:*` : null;
  if (rule.packages === null || rule.packages.some((name) => isOf(specifier, name))) return null;
  return `imports ${specifier}; ${room} may import only the packages ${rule.packages.join(', ')}`;
}

function relativeBreach(found: Import, target: string, room: string, rule: Room): string | null {
  const to = roomOf(target);
  if (to === null) return `imports ${target}; production code imports no tests, tools or data`;
  if (to === room) return null;
  const allowed = (names: readonly string[]) =>
    names.some(
      (name) => name === target || name === to || (name === 'adapters' && to.startsWith('adapters/')),
    );
  if (allowed(rule.own)) return null;
  if (allowed(rule.types))
    return found.typeOnly ? null : `imports values of ${target}; ${room} may import only its types`;
  const may = rule.own.length === 0 ? 'nothing of ours' : rule.own.join(', ');
  return `imports ${target}; ${room} may import ${may}`;
}

function isOf(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}

function textBreaches(file: SourceFile): string[] {
  const code = codeOf(file);
  const found: string[] = [];
  const room = roomOf(file.path);
  if (room !== null && ruleOf(room)?.pure)
    for (const { pattern, word } of impure)
      if (pattern.test(code)) found.push(`uses ${word}; ${room} is pure`);
  if (/^export default\b/m.test(code) && file.path !== 'vitest.config.ts')
    found.push('has a default export; name it');
  if (/^\s*vi\.(mock|doMock|resetModules)\(/m.test(code) && !/\.alone\.test\.ts$/.test(file.path))
    found.push('replaces modules, which files after it would meet; name it *.alone.test.ts');
  const lines = file.text.split('\n').length - 1;
  if (room !== null && lines > longest && !mayBeLonger.includes(file.path))
    found.push(`has ${lines} lines; a file holds one idea in at most ${longest}`);
  return found;
}
