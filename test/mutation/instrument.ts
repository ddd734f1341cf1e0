import { parseSync } from 'vite';
import { type Change, changesOf, type Node } from './operators.ts';

export interface Mutant extends Change {
  /** Of its file. */
  number: number;
  line: number;
  column: number;
  original: string;
}

export interface Instrumented {
  mutants: Mutant[];
  /** The source with all its mutants, each behind a switch, line by line where it was. */
  code: string;
  /** The source with nothing but its loops counted: one that a mutant elsewhere makes endless has to end. */
  counted: string;
}

/** `file` is relative to the repository; its switches ask `globalThis.mutation` (switches.ts). */
export function instrument(file: string, source: string): Instrumented {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const changes: Change[] = [];
  collect(program as unknown as Node, null, null, source, changes);
  const mutants = changes
    .filter(({ start, end, text }) => source.slice(start, end) !== text)
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .map((change, number): Mutant => {
      const before = source.slice(0, change.start).split('\n');
      const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
      return { ...change, ...place, number, original: source.slice(change.start, change.end) };
    });
  const head = `const __mutation = globalThis.mutation.of(${JSON.stringify(file)}); `;
  const loops = mutants.filter((one) => one.loops);
  return { mutants, code: head + render(source, mutants), counted: head + render(source, loops) };
}

/** Types are not carried out; what is assigned to is no value. A key, an import and a call of a chain stay as they are. */
const skipped: Readonly<Record<string, readonly string[]>> = {
  AssignmentExpression: ['left'],
  UpdateExpression: ['argument'],
  ForOfStatement: ['left'],
  ExportNamedDeclaration: ['source'],
};
const types = ['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeArguments'];
const stripped = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

function collect(node: Node, parent: Node | null, within: Node | null, source: string, into: Change[]): void {
  const { type } = node;
  if (/^TS/.test(type) && !stripped.includes(type)) return;
  if (['ImportDeclaration', 'ExportAllDeclaration'].includes(type)) return;
  if (type === 'UnaryExpression' && node.operator === 'delete') return;
  // `list[at] ?? 0` is there for the compiler: the place exists.
  const left = node.operator === '??' ? (node.left as Node) : null;
  const isThere = left?.type === 'MemberExpression' && left.computed === true;
  if (!isThere && !isLink(node, parent)) into.push(...changesOf(node, parent, within, source));
  const inner = /Function/.test(type) ? node : within;
  for (const [key, value] of Object.entries(node)) {
    if (types.includes(key) || skipped[type]?.includes(key) || (isThere && key === 'right')) continue;
    if (key === 'key' && node.computed !== true) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) collect(chained(child, node), node, inner, source, into);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Links of `a?.b.c()`: parentheses around one would end the chain early. */
const links = new WeakSet<Node>();
const isLink = (node: Node, parent: Node | null): boolean =>
  links.has(node) || parent?.type === 'ChainExpression';

function chained(child: Node, parent: Node): Node {
  const isSpine = child === parent.callee || child === parent.object;
  if (parent.type === 'ChainExpression' || (links.has(parent) && isSpine)) links.add(child);
  return child;
}

/** Mutants lie in one another; `mutants` are in order, the outer before the inner. */
function render(source: string, mutants: readonly Mutant[], start = 0, end = source.length): string {
  let text = '';
  let from = start;
  for (let at = 0; at < mutants.length; ) {
    const place = mutants[at] as Mutant;
    let last = at;
    while ((mutants[last]?.start ?? end) < place.end) last += 1;
    const inside = mutants.slice(at, last);
    const isOwn = (one: Mutant) => one.start === place.start && one.end === place.end;
    const switches = inside.filter(isOwn).map((one) => `__mutation(${one.number}) ? (${one.text}) : `);
    const rest = inside.filter((one) => !isOwn(one));
    const original = render(source, rest, place.start, place.end);
    text += `${source.slice(from, place.start)}(${switches.join('')}(${original}))`;
    from = place.end;
    at = last;
  }
  return text + source.slice(from, end);
}
