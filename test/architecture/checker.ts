import { codeOf, type Import, importsOf, type SourceFile } from './imports.ts';
import { impure, type Module, modules, reserved } from './modules.ts';

/** The longest a file under src, adapters or mappers may be: one idea each, told whole. */
const longest = 430;
/** One list of tables, which a reader looks through and does not read. */
const mayBeLonger: readonly string[] = ['src/ledger/migrations/0001-tables.ts'];

/** Every breach of the house rules in these files, as "file: what; rule". Empty when the house is in order. */
export function breaches(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    [...importBreaches(file), ...textBreaches(file)].map((said) => `${file.path}: ${said}`),
  );
}

/** "src/domain", "adapters/shopify", "sandbox/emulator", "mappers", "src" for its own files; null outside production code. */
function moduleOf(path: string): string | null {
  const [top = '', second = '', ...rest] = path.split('/');
  if (top === 'mappers') return 'mappers';
  if (top === 'adapters' || top === 'sandbox') return `${top}/${second}`;
  if (top === 'src') return rest.length === 0 ? 'src' : `src/${second}`;
  return null;
}

/** All adapters follow one rule. */
function ruleOf(module: string): Module | undefined {
  return modules[module.startsWith('adapters/') ? 'adapters' : module];
}

function importBreaches(file: SourceFile): string[] {
  const module = moduleOf(file.path);
  if (module === null) return [];
  const rule = ruleOf(module);
  if (rule === undefined)
    return [`the room ${module} is not in the table; add it to test/architecture/modules.ts`];
  return importsOf(file).flatMap((found) => breachOf(found, module, rule) ?? []);
}

function breachOf(found: Import, module: string, rule: Module): string | null {
  if (found.target !== null) return relativeBreach(found, found.target, module, rule);
  const { specifier } = found;
  const owner = reserved.find((one) => one.specifier.test(specifier));
  if (owner !== undefined && !owner.module.test(module))
    return `imports ${specifier}; only ${owner.module.source.replace(/[\\^$]/g, '')} may`;
  if (specifier.startsWith('node:'))
    return rule.pure ? `imports ${specifier}; ${module} is pure and may import nothing of node:*` : null;
  if (rule.packages === null || rule.packages.some((name) => isOf(specifier, name))) return null;
  return `imports ${specifier}; ${module} may import only the packages ${rule.packages.join(', ')}`;
}

function relativeBreach(found: Import, target: string, module: string, rule: Module): string | null {
  const to = moduleOf(target);
  if (to === null) return `imports ${target}; production code imports no tests, tools or data`;
  if (to === module) return null;
  const allowed = (names: readonly string[]) =>
    names.some(
      (name) => name === target || name === to || (name === 'adapters' && to.startsWith('adapters/')),
    );
  if (allowed(rule.own)) return null;
  if (allowed(rule.types))
    return found.typeOnly ? null : `imports values of ${target}; ${module} may import only its types`;
  const may = rule.own.length === 0 ? 'nothing of ours' : rule.own.join(', ');
  return `imports ${target}; ${module} may import ${may}`;
}

function isOf(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}

function textBreaches(file: SourceFile): string[] {
  const code = codeOf(file);
  const found: string[] = [];
  const module = moduleOf(file.path);
  if (module !== null && ruleOf(module)?.pure)
    for (const { pattern, word } of impure)
      if (pattern.test(code)) found.push(`uses ${word}; ${module} is pure`);
  if (/^export default\b/m.test(code) && file.path !== 'vitest.config.ts')
    found.push('has a default export; name it');
  if (/^\s*vi\.(mock|doMock|resetModules)\(/m.test(code) && !/\.alone\.test\.ts$/.test(file.path))
    found.push('replaces modules, which files after it would meet; name it *.alone.test.ts');
  const lines = file.text.split('\n').length - 1;
  if (module !== null && lines > longest && !mayBeLonger.includes(file.path))
    found.push(`has ${lines} lines; a file holds one idea in at most ${longest}`);
  return found;
}
