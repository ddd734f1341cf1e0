/** A node of the syntax tree as Vite's parser gives it (ESTree with TypeScript). */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** Another text for what stands at this place. */
export interface Change {
  start: number;
  end: number;
  text: string;
  /** The test of a loop. */
  loops?: boolean;
}

const binary: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};
const logical: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
const assignment: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=' };

/** Methods, of amounts too, and what each is mistaken for. */
const methods: Readonly<Record<string, string>> = {
  plus: 'minus',
  minus: 'plus',
  times: 'div',
  div: 'times',
  gt: 'gte',
  gte: 'gt',
  lt: 'lte',
  lte: 'lt',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
/** Methods and functions whose call may be forgotten: what they are called on, or with, stands instead. */
const forgotten = ['abs', 'filter', 'negated', 'sort', 'toSorted', 'toReversed', 'toLowerCase', 'trim'];
const forgottenAround = ['roundCents', 'limitText', 'cutText', 'oneLine'];

/** What a comparison, a call or a value at this node may be mistaken for. `within`: the function it returns from. */
export function changesOf(node: Node, parent: Node | null, within: Node | null, source: string): Change[] {
  const text = (of: unknown) => source.slice((of as Node).start, (of as Node).end);
  const as = (...texts: string[]) => texts.map((one) => ({ start: node.start, end: node.end, text: one }));
  const sidesOf = (of: Node, between: string) => `${text(of.left)} ${between} ${text(of.right)}`;
  const sides = (between: string) => sidesOf(node, between);
  const operator = String(node.operator);
  switch (node.type) {
    case 'BinaryExpression':
      if (operator === '+' && (isText(node.left) || isText(node.right))) return [];
      return as(...(binary[operator] ?? []).map(sides));
    case 'LogicalExpression':
      return operator === '??' ? as(text(node.left)) : as(sides(logical[operator] ?? operator));
    case 'UnaryExpression':
      return operator === '!' || operator === '-' ? as(text(node.argument)) : [];
    case 'ConditionalExpression':
      return as(text(node.consequent), text(node.alternate));
    case 'ArrayExpression':
      return (node.elements as unknown[]).length > 0 ? as('[]') : [];
    case 'Literal':
      return as(...literals(node, parent));
    case 'CallExpression':
      return as(...calls(node, text));
    case 'ExpressionStatement':
      return statements(node.expression as Node, sidesOf);
    case 'IfStatement':
      return at(node.test, 'true', 'false');
    case 'WhileStatement':
    case 'ForStatement':
      return node.test ? at(node.test, 'false').map((one) => ({ ...one, loops: true })) : [];
    case 'ReturnStatement':
      return node.argument ? returned(node.argument as Node, within, text) : [];
    case 'ArrowFunctionExpression':
      return node.expression ? returned(node.body as Node, node, text) : [];
    default:
      return [];
  }
}

const at = (place: unknown, ...texts: string[]): Change[] =>
  texts.map((text) => ({ start: (place as Node).start, end: (place as Node).end, text }));

const isText = (node: unknown): boolean => {
  const { type, value, left, right } = node as Node;
  if (type === 'BinaryExpression') return isText(left) || isText(right);
  return type === 'TemplateLiteral' || typeof value === 'string';
};

/** Words and numbers only: texts for people are tried as texts. */
function literals({ value, regex }: Node, parent: Node | null): string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return [String(value + 1)];
  const pattern = (regex as { pattern: string; flags: string } | undefined) ?? null;
  if (pattern !== null) {
    const ends = [pattern.pattern.replace(/^\^/, ''), pattern.pattern.replace(/(?<!\\)\$$/, '')];
    return ends.filter((one) => one !== pattern.pattern).map((one) => `/${one}/${pattern.flags}`);
  }
  if (typeof value !== 'string' || /\s/.test(value)) return [];
  if (['BinaryExpression', 'SwitchCase', 'ExpressionStatement'].includes(parent?.type ?? '')) return [];
  return [/^\d+(\.\d+)?$/.test(value) ? `'${Number(value) + 1}'` : value === '' ? "'x'" : "''"];
}

function calls({ callee, arguments: given }: Node, text: (of: unknown) => string): string[] {
  const { type, object, property, name, end } = callee as Node;
  const [first] = given as Node[];
  if (type === 'Identifier') return first && forgottenAround.includes(String(name)) ? [text(first)] : [];
  if (type !== 'MemberExpression') return [];
  const method = String((property as Node).name);
  if (forgotten.includes(method)) return [text(method === 'abs' && first ? first : object)];
  const other = Object.hasOwn(methods, method) ? methods[method] : undefined;
  const rest = `(${(given as Node[]).map(text).join(', ')})`;
  return other && end > 0 ? [`${text(object)}.${other}${rest}`] : [];
}

/** A call or an assignment that does not happen, or goes the other way. */
function statements(expression: Node, sides: (of: Node, between: string) => string): Change[] {
  const { type, argument, callee, operator } = expression;
  const call = type === 'AwaitExpression' ? (argument as Node) : expression;
  if (call.type === 'CallExpression')
    return (callee as Node | undefined)?.type === 'Super' ? [] : at(expression, 'undefined');
  if (type !== 'AssignmentExpression') return [];
  const other = assignment[String(operator)];
  return at(expression, 'undefined', ...(other ? [sides(expression, other)] : []));
}

/** Where a function says that it may return null, or a yes or no, it does so always. */
function returned(value: Node, within: Node | null, text: (of: unknown) => string): Change[] {
  const type = within?.returnType ? text(within.returnType) : '';
  if (value.type === 'Literal') return [];
  if (/\|\s*null\b|\bnull\s*\|/.test(type)) return at(value, 'null');
  return /^:\s*(boolean$|\w+ is )/.test(type) ? at(value, 'true', 'false') : [];
}
