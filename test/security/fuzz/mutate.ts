import type { Chance } from './chance.ts';

/** Texts that have broken somebody's reader before. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '9007199254740993',
  '1e999',
  'null',
  'NaN',
  '\u0000',
  'a\r\nSet-Cookie: a=b',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' or 1=1 --",
  '$'.concat('{7*7}{{7*7}}'),
  '=HYPERLINK("http://127.0.0.1")',
  '../../../../etc/passwd',
  '..%2f..%2fsecret.key',
  '%00',
  '%ff%fe',
  '%',
  '\ud800',
  '\u202etxt.exe',
  'ñ'.repeat(300),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
  'http://169.254.169.254/latest/meta-data/',
];

export const hostileText = (chance: Chance): string => chance.one(hostileTexts);

function hostileValue(chance: Chance): unknown {
  return chance.one<() => unknown>([
    () => hostileText(chance),
    () => null,
    () => true,
    () => -1,
    () => 1e308,
    () => 0.1 + 0.2,
    () => [],
    () => ({}),
    () => [[[[[[]]]]]],
    () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
    () => Array.from({ length: 200 }, (_, at) => at),
  ])();
}

/** A copy with a few places changed: taken away, of another type, doubled, with names nobody expects. */
export function mutated(value: unknown, chance: Chance): unknown {
  const copy = structuredClone(value);
  if (typeof copy !== 'object' || copy === null) return hostileValue(chance);
  for (let times = 1 + chance.below(3); times > 0; times -= 1) change(copy, chance);
  return copy;
}

function change(root: object, chance: Chance): void {
  let at = root as Record<string, unknown>;
  for (let depth = chance.below(6); depth > 0; depth -= 1) {
    const inner = at[chance.one(Object.keys(at))];
    if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0) break;
    at = inner as Record<string, unknown>;
  }
  const name = chance.one(Object.keys(at));
  if (name === undefined || chance.often(0.15)) define(at, hostileText(chance) || 'x', hostileValue(chance));
  else if (chance.often(0.25)) delete at[name];
  else define(at, name, hostileValue(chance));
}

/** `__proto__` too as a name of its own, as JSON.parse makes it. */
function define(at: object, name: string, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
}

/** One character other, missing, or too many. */
export function oneOff(text: string, chance: Chance): string {
  const at = chance.below(text.length);
  const other = chance.one([...'abcXYZ019-_.~%']);
  return text.slice(0, at) + chance.one([other, '', `${text[at]}${other}`]) + text.slice(at + 1);
}

/** The bytes of a text in an encoding nobody asked for, cut, or with bytes of no encoding. */
export function spoiled(text: string, chance: Chance): Buffer {
  const whole = Buffer.from(text);
  return chance.one<() => Buffer>([
    () => whole.subarray(0, chance.below(whole.length + 1)),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), whole]),
    () => Buffer.from(whole.map((byte) => (chance.often(0.02) ? 0xff : byte))),
    () => Buffer.concat([whole, whole]),
    () => Buffer.from('['.repeat(20_000)),
    () => Buffer.from(`{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`),
    () => Buffer.alloc(70_000, 'x'),
    () => Buffer.from('{"id":1,"id":2,"__proto__":{"polluted":true}}'),
  ])();
}
