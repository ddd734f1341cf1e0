/** A JSON Schema, as far as zod writes them for the config. */
export interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/** One row of the reference. */
export interface Setting {
  path: string;
  type: string;
  default: string;
  meaning: string;
}

/** All settings below a schema, in its own order; throws for one that does not tell its meaning. */
export function settingsOf(schema: Schema, at = ''): Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    if (inner.description === undefined)
      throw new Error(`The setting ${path} tells no meaning: give its schema .describe('…').`);
    const required = schema.required?.includes(name) ?? false;
    return [row(path, inner, required), ...below(inner, path)];
  });
}

/** What lies inside: of a group, of a group by names, of a list of groups, of one of several groups. */
function below(schema: Schema, path: string): Setting[] {
  const { additionalProperties: named, items, anyOf, oneOf } = schema;
  if (schema.properties) return settingsOf(schema, path);
  if (typeof named === 'object') return below(named, `${path}.<id>`);
  if (items) return below(items, `${path}[]`);
  const kinds = (anyOf ?? oneOf ?? []).filter(({ properties }) => properties !== undefined);
  return kinds.flatMap((kind) => settingsOf(withoutKind(kind), `${path}${nameOf(kind)}`));
}

/** Which of several groups: by the value of its `kind`, where it has one. */
const nameOf = ({ properties: { kind } = {} }: Schema) =>
  kind?.const === undefined ? '' : `(${String(kind.const)})`;

function withoutKind(schema: Schema): Schema {
  const { kind, ...properties } = schema.properties ?? {};
  return kind?.const === undefined ? schema : { ...schema, properties };
}

function row(path: string, schema: Schema, required: boolean): Setting {
  const [example] = schema.examples ?? [];
  const meaning = [schema.description, example === undefined ? '' : `Example: \`${example}\`.`];
  return {
    path,
    type: typeOf(schema),
    default: required ? '**required**' : defaultOf(schema),
    meaning: meaning.filter(Boolean).join(' '),
  };
}

function defaultOf({ default: value }: Schema): string {
  if (value === undefined || JSON.stringify(value) === '{}' || JSON.stringify(value) === '[]') return '';
  const text = JSON.stringify(value);
  if (text.length <= 60) return `\`${text}\``;
  const entries = (value as unknown[]).map((entry) =>
    typeof entry === 'string' ? `\`${entry}\`` : `\`${shortened(JSON.stringify(entry))}\``,
  );
  return entries.join(', ');
}

const shortened = (text: string) => (text.length > 130 ? `${text.slice(0, 120)} …` : text);

function typeOf(schema: Schema): string {
  const { enum: values, const: value, anyOf, oneOf, items, additionalProperties: named, type } = schema;
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values) return values.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (anyOf ?? oneOf) return [...new Set((anyOf ?? oneOf ?? []).map(typeOf))].join(' or ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  if (type === 'object')
    return typeof named === 'object' && !schema.properties ? `${typeOf(named)}, by name` : 'group';
  if (type === 'integer' || type === 'number') return numberOf(schema);
  return { string: 'text', boolean: 'true or false', null: 'null' }[type ?? ''] ?? 'anything';
}

function numberOf({ type, minimum, maximum, exclusiveMinimum: above }: Schema): string {
  const word = type === 'integer' ? 'whole number' : 'number';
  const to = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : '';
  if (above !== undefined) return `${word} above ${above}${to && `, up${to}`}`;
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return word;
  return to ? `${word} ${minimum}${to}` : `${word} from ${minimum}`;
}
