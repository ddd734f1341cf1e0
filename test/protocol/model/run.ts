import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/*
 * Explores every world, and counts which arms of the protocol each reaches: branches, cases, and what follows an early return,
 * as V8 counts them. `npx node test/protocol/model/run.ts` prints a line for each world, and all of it as JSON in the last line.
 */

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

/** A place in a source file at which an arm begins, and the function it is in. */
interface Arm {
  url: string;
  at: number;
  within: Range;
}

export interface Run {
  worlds: Record<
    string,
    {
      states: number;
      transitions: number;
      depth: number;
      arms: number;
      isComplete: boolean;
      ends: number;
      violation: string | null;
    }
  >;
  arms: number;
  /** First lines of the arms that no world reaches. */
  unreached: string[];
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
// Loaded only now, so that functions which never run are known too.
const { asTest, explore } = await import('./explore.ts');
const { isLong, worldsOf } = await import('./worlds.ts');

type Functions = Map<string, Range[][]>;

/** The ranges of every function of src/protocol that ran since the last call, the function's own first; by file. */
async function takeCounts(): Promise<Functions> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ofProtocol = result.filter(({ url }) => url.includes('/src/protocol/'));
  return new Map(ofProtocol.map(({ url, functions }) => [url, functions.map(({ ranges }) => ranges)]));
}

const contains = ({ startOffset, endOffset }: Range, at: number) => startOffset <= at && at < endOffset;
const size = ({ startOffset, endOffset }: Range) => endOffset - startOffset;

/** Whether the arm ran: the innermost range of its function that contains it says so. */
function isReached(counts: Functions, { url, at, within }: Arm): boolean {
  const own = (counts.get(url) ?? []).find(
    ([whole]) => whole?.startOffset === within.startOffset && whole.endOffset === within.endOffset,
  );
  const around = (own ?? []).filter((one) => contains(one, at)).sort((one, other) => size(one) - size(other));
  return (around[0]?.count ?? 0) > 0;
}

function firstLineOf({ url, at }: Arm): string {
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const begin = at + source.slice(at).search(/\S/);
  return `${url.slice(url.indexOf('/src/protocol/') + 1)} ${source.slice(begin).split('\n')[0]}`;
}

/** With long bounds a world may be endless: then every trace is followed as far as so many states lead. */
const most = isLong ? 4_000_000 : Number.POSITIVE_INFINITY;

const counted: Functions[] = [await takeCounts()];
const worlds: Run['worlds'] = {};
for (const keys of ['fixed', 'foreseen', 'random', 'varied'] as const)
  for (const [name, world] of worldsOf(keys)) {
    const { violation, ms, cut: _cut, ...found } = explore(world, most);
    counted.push(await takeCounts());
    const title = `${keys} keys, ${name}`;
    worlds[title] = { ...found, arms: 0, violation: violation && asTest(keys, name, violation) };
    console.log(`${title}: ${found.states} states, ${found.transitions} transitions, ${ms} ms`);
  }

const arms = new Map<string, Arm>();
for (const counts of counted)
  for (const [url, functions] of counts)
    for (const [within, ...blocks] of functions)
      for (const { startOffset: at } of within ? [within, ...blocks] : [])
        if (within && within.startOffset > 0)
          arms.set(`${url} ${at} ${within.startOffset}`, { url, at, within });

const all = [...arms.values()];
Object.values(worlds).forEach((world, n) => {
  world.arms = all.filter((arm) => isReached(counted[n + 1] as Functions, arm)).length;
});
const unreached = all.filter((arm) => !counted.some((counts) => isReached(counts, arm)));
const run: Run = { worlds, arms: all.length, unreached: [...new Set(unreached.map(firstLineOf))].sort() };
console.log(JSON.stringify(run));
