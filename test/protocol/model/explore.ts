import { type Action, actionsOf } from './actions.ts';
import { hashOf } from './encode.ts';
import { Broken } from './interpret.ts';
import { broken, isEnd } from './invariants.ts';
import { type Bounds, begin, type Keys, type World } from './world.ts';

/* Breadth first, every state once: the first trace that breaks something is a shortest one. */

export interface Explored {
  states: number;
  transitions: number;
  /** The longest of the shortest traces. */
  depth: number;
  /** States behind which something was not tried, because a document had left as often as the bounds let it. */
  cut: number;
  ends: number;
  ms: number;
  isComplete: boolean;
  violation: Violation | null;
}

export interface Violation {
  invariant: string;
  /** What happened, one after the other. */
  trace: string[];
}

/** Open addressing over the two halves of a hash; the place of a state is its number. */
class Seen {
  private high: Uint32Array;
  private low: Uint32Array;
  private number: Int32Array;
  private mask: number;
  size = 0;

  constructor(bits: number) {
    this.mask = 2 ** bits - 1;
    this.high = new Uint32Array(2 ** bits);
    this.low = new Uint32Array(2 ** bits);
    this.number = new Int32Array(2 ** bits).fill(-1);
  }

  /** The number of a state, and a new one where it was not seen: then it is `size - 1`. */
  numberOf(high: number, low: number): number {
    let at = low & this.mask;
    for (;;) {
      const number = this.number[at] ?? -1;
      if (number === -1) break;
      if (this.high[at] === high && this.low[at] === low) return number;
      at = (at + 1) & this.mask;
    }
    this.high[at] = high;
    this.low[at] = low;
    this.number[at] = this.size;
    this.size += 1;
    if (this.size * 2 > this.mask) this.grow();
    return this.size - 1;
  }

  private grow(): void {
    const { high, low, number, mask } = this;
    this.mask = mask * 2 + 1;
    this.high = new Uint32Array(this.mask + 1);
    this.low = new Uint32Array(this.mask + 1);
    this.number = new Int32Array(this.mask + 1).fill(-1);
    for (let from = 0; from <= mask; from += 1) {
      if (number[from] === -1) continue;
      let at = (low[from] ?? 0) & this.mask;
      while (this.number[at] !== -1) at = (at + 1) & this.mask;
      this.high[at] = high[from] ?? 0;
      this.low[at] = low[from] ?? 0;
      this.number[at] = number[from] ?? 0;
    }
  }
}

/** Whole numbers, as many as come. */
class Numbers {
  private all = new Int32Array(2 ** 16);
  length = 0;

  push(value: number): void {
    if (this.length === this.all.length) {
      const more = new Int32Array(this.length * 2);
      more.set(this.all);
      this.all = more;
    }
    this.all[this.length] = value;
    this.length += 1;
  }

  at(n: number): number {
    return this.all[n] ?? -1;
  }
}

/** @param most states; more are not looked at, and `isComplete` says so. */
export function explore(bounds: Bounds, most = Number.POSITIVE_INFINITY): Explored {
  const started = performance.now();
  const seen = new Seen(18);
  const parents = new Numbers();
  const ordinals = new Numbers();
  const from = new Numbers();
  const to = new Numbers();
  const good: number[] = [];
  const hash = { high: 0, low: 0 };
  let cut = 0;
  let transitions = 0;
  let depth = 0;
  const first = begin(bounds);
  hashOf(first, bounds, hash);
  seen.numberOf(hash.high, hash.low);
  parents.push(-1);
  ordinals.push(-1);
  let frontier: World[] = [first];
  let numbers: number[] = [0];
  let isComplete = true;
  const result = (violation: Violation | null): Explored => ({
    ...{ states: seen.size, transitions, depth, cut, ends: good.length, violation, isComplete },
    ms: Math.round(performance.now() - started),
  });
  const violated = (invariant: string, state: number, ordinal: number): Explored =>
    result({ invariant, trace: traceTo(bounds, parents, ordinals, state, ordinal) });

  while (frontier.length > 0) {
    const next: World[] = [];
    const nextNumbers: number[] = [];
    for (let n = 0; n < frontier.length; n += 1) {
      const world = frontier[n] as World;
      const number = numbers[n] as number;
      let isCut = false;
      if (isEnd(world)) good.push(number);
      const actions = actionsOf(world, bounds);
      for (let ordinal = 0; ordinal < actions.length; ordinal += 1) {
        const action = actions[ordinal] as Action;
        let after: World;
        try {
          after = action.run();
        } catch (error) {
          if (!(error instanceof Broken)) throw error;
          return violated(error.message, number, ordinal);
        }
        if (after.lines.some(({ state }) => state.attempts.length > bounds.attempts)) {
          isCut = true;
          continue;
        }
        transitions += 1;
        hashOf(after, bounds, hash);
        const known = seen.size;
        const reached = seen.numberOf(hash.high, hash.low);
        if (!action.isFault && reached !== number) {
          from.push(number);
          to.push(reached);
        }
        if (action.label.endsWith('is due') && reached === number)
          return violated('a job comes back at once and changes nothing', number, ordinal);
        if (reached < known) continue;
        parents.push(number);
        ordinals.push(ordinal);
        const said = broken(after, bounds);
        if (said !== null) return violated(said, number, ordinal);
        if (seen.size > most) {
          isComplete = false;
          continue;
        }
        next.push(after);
        nextNumbers.push(reached);
      }
      if (isCut) {
        cut += 1;
        good.push(number);
      }
    }
    frontier = next;
    numbers = nextNumbers;
    if (next.length > 0) depth += 1;
  }
  if (!isComplete) return result(null);
  const lost = withoutEnd(seen.size, from, to, good);
  if (lost === -1) return result(null);
  return result({
    invariant: 'from here no true end can be reached, though nothing goes wrong any more',
    trace: traceTo(bounds, parents, ordinals, parents.at(lost), ordinals.at(lost)),
  });
}

/** The first state from which no end is reached without faults: backwards from the ends; -1 where there is none. */
function withoutEnd(states: number, from: Numbers, to: Numbers, good: readonly number[]): number {
  const start = new Int32Array(states + 1);
  for (let n = 0; n < to.length; n += 1) start[to.at(n) + 1] = (start[to.at(n) + 1] ?? 0) + 1;
  for (let n = 0; n < states; n += 1) start[n + 1] = (start[n + 1] ?? 0) + (start[n] ?? 0);
  const fill = start.slice();
  const before = new Int32Array(to.length);
  for (let n = 0; n < to.length; n += 1) {
    const at = fill[to.at(n)] ?? 0;
    before[at] = from.at(n);
    fill[to.at(n)] = at + 1;
  }
  const reaches = new Uint8Array(states);
  const open = [...good];
  for (const one of open) reaches[one] = 1;
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (let at = start[one] ?? 0; at < (start[one + 1] ?? 0); at += 1) {
      const earlier = before[at] ?? 0;
      if (reaches[earlier] === 1) continue;
      reaches[earlier] = 1;
      open.push(earlier);
    }
  return reaches.indexOf(0);
}

function traceTo(bounds: Bounds, parents: Numbers, ordinals: Numbers, state: number, last: number): string[] {
  const path = [last];
  for (let at = state; parents.at(at) !== -1; at = parents.at(at)) path.unshift(ordinals.at(at));
  const trace: string[] = [];
  let world = begin(bounds);
  for (const ordinal of path) {
    if (ordinal === -1) break;
    const actions = actionsOf(world, bounds);
    const action = actions[ordinal];
    if (!action) break;
    trace.push(nameIn(actions, ordinal));
    try {
      world = action.run();
    } catch {
      break;
    }
  }
  return trace;
}

/** The label of an action in a trace; the second of the same label says so. */
function nameIn(actions: readonly Action[], ordinal: number): string {
  const { label } = actions[ordinal] as Action;
  const before = actions.slice(0, ordinal).filter((one) => one.label === label).length;
  return before === 0 ? label : `${label} (${before + 1})`;
}

/** Lives a trace through again: what is broken at its end, or the world as it stands then. */
export function replay(bounds: Bounds, trace: readonly string[]): { invariant: string | null; world: World } {
  let world = begin(bounds);
  for (const label of trace) {
    const actions = actionsOf(world, bounds);
    const action = actions.find((_one, ordinal) => nameIn(actions, ordinal) === label);
    if (!action) throw new Error(`Nothing of this name can happen here: ${label}`);
    try {
      world = action.run();
    } catch (error) {
      if (error instanceof Broken) return { invariant: error.message, world };
      throw error;
    }
    const invariant = broken(world, bounds);
    if (invariant) return { invariant, world };
  }
  return { invariant: null, world };
}

/** What broke, as a test to paste into replay.test.ts. */
export function asTest(keys: Keys, world: string, { invariant, trace }: Violation): string {
  const steps = trace.map((label) => `    ${JSON.stringify(label)},`).join('\n');
  return `\nit('…', () => {\n  const trace = [\n${steps}\n  ];\n  expect(replay(worldNamed('${keys}', '${world}'), trace).invariant).not.toBe(\n    ${JSON.stringify(invariant)},\n  );\n});\n`;
}
