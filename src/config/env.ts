import type { Problem } from './messages.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `${NAME}`: the only way the environment enters the config. */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Replaces every `${NAME}` in the strings of a parsed config. A variable that is unset, or empty as compose
 * files leave it, becomes a problem at its path; what a variable holds is never read again for references.
 */
export function replaceReferences(
  value: unknown,
  env: Environment,
  problems: Problem[],
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string')
    return value.replace(reference, (written, name: string) => {
      const found = env[name];
      if (found !== undefined && found !== '') return found;
      problems.push({
        path: path.join('.'),
        message: `La variable de entorno ${name} no está definida: defínala o escriba el valor aquí.`,
      });
      return written;
    });
  if (Array.isArray(value))
    return value.map((item, index) => replaceReferences(item, env, problems, [...path, String(index)]));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        replaceReferences(item, env, problems, [...path, key]),
      ]),
    );
  return value;
}

// Private-use characters: no config holds them, YAML takes them for letters.
const [open, close] = ['\uE000', '\uE001'];

/**
 * Lets `[${NAME}]` be written in YAML: inside brackets YAML would read the braces as a mapping, so references
 * are disguised as plain letters while YAML is parsed. The values come later and cannot change the structure.
 */
export function disguiseReferences(yaml: string): string {
  return yaml.replace(reference, `${open}$1${close}`);
}

/** For a YAML reviver. */
export function uncoverReferences(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(open, '${').replaceAll(close, '}');
}
