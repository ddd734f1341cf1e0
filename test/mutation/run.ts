import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { hash, hashOfTest, textOf } from './hashes.ts';
import { type Instrumented, instrument, type Mutant } from './instrument.ts';
import { type Killer, killer, openSession, survey, type Trial } from './session.ts';

/**
 * `npm run mutate [-- --only mappers/credit] [--sample 200] [--seed 1] [--seconds 6] [--list]`: changes what decides, one place
 * at a time and in memory, and tells which changes no test notices. A mutant is tried with the tests that reach it, the quickest
 * first, until one fails or the others would take it beyond `--seconds`; with more seconds only survivors are tried again.
 * `--sample` takes so many of each folder. Results are kept, and only what changed is tried again.
 */

const folders = ['mappers', 'src/planner', 'src/protocol', 'src/domain'];
/** Of src/domain what decides on money and whom a document names. */
const ofDomain = /^src\/domain\/(money|money-policy|identification|buyer-policy)\.ts$/;
/** Without explorations and rewritten recordings: a survivor would wait for them as long as for all other tests. */
const tests = globSync('test/{domain,mappers,planner,protocol,golden,oracle}/**/*.test.ts')
  .filter(
    (test) => !/^test\/protocol\/(model\/explore|mutations)|^test\/planner\/recorded\/mutated/.test(test),
  )
  .sort();
const kept = 'node_modules/.cache/mutation.json';
/** Run before the others, whose workers take a while to load. */
const quickMs = 50;

interface Found extends Mutant {
  file: string;
  key: string;
}
interface Result {
  killer: Killer | null;
  /** Of the test that fails, or of all that pass. */
  tests: string;
}
interface Kept {
  surveys: Record<string, { hash: string; trials: Trial[] }>;
  results: Record<string, Result>;
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '6' },
    list: { type: 'boolean', default: false },
  },
});
// The fewest draws with which no property misses what it counts.
process.env.FACTURAPUENTE_DRAWS ??= '0.5';

const files = globSync(folders.map((folder) => `${folder}/**/*.ts`)).sort();
const sources = new Map<string, Instrumented>();
for (const file of files)
  if (!file.startsWith('src/domain') || ofDomain.test(file))
    sources.set(file, instrument(file, textOf(file)));

const mutants = [...sources].flatMap(([file, one]) =>
  one.mutants.map((mutant): Found => {
    const key = hash(`${file} ${hash(textOf(file))} ${mutant.start} ${mutant.end} ${mutant.text}`);
    return { ...mutant, file, key };
  }),
);
const wanted = mutants.filter(({ file }) => file.startsWith(options.only));
const ofFolder = folders.map((folder) => sampled(wanted.filter(({ file }) => file.startsWith(`${folder}/`))));
const most = Math.max(...ofFolder.map((own) => own.length));
const chosen = Array.from({ length: most }, (_, at) => ofFolder.flatMap((own) => own[at] ?? [])).flat();
const cache = readKept();
const hashesOfTests = new Map<string, string>();

if (options.list) console.log(counts(mutants));
else {
  const trials = await surveyed();
  await tryAll(trials);
  report(trials);
}

/** By chance and in an order of chance, so that what is tried so far tells of all. */
function sampled(all: Found[]): Found[] {
  const rank = ({ key }: Found) => hash(`${options.seed} ${key}`);
  const drawn = all.map((one) => ({ one, rank: rank(one) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return drawn.slice(0, Number(options.sample ?? all.length)).map(({ one }) => one);
}

function readKept(): Kept {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'));
  } catch {
    return { surveys: {}, results: {} };
  }
}

function keep(): void {
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(cache));
}

/** What reaches what, of tests whose sources, helpers or draws changed. */
async function surveyed(): Promise<Trial[]> {
  const tool = ['operators', 'instrument', 'switches']
    .map((name) => textOf(`test/mutation/${name}.ts`))
    .join('');
  const hashes = new Map(
    tests.map((test) => [test, hash(`${tool} ${process.env.FACTURAPUENTE_DRAWS} ${hashOfTest(test, true)}`)]),
  );
  const changed = tests.filter((test) => cache.surveys[test]?.hash !== hashes.get(test));
  if (changed.length > 0) {
    console.log(`What ${changed.length} files of tests reach:`);
    const vitest = await openSession(sources, true);
    const trials = Map.groupBy(await survey(vitest, changed), ({ test }) => test);
    await vitest.close();
    for (const [test, own] of trials) cache.surveys[test] = { hash: hashes.get(test) ?? '', trials: own };
    keep();
  }
  const all = tests.flatMap((test) => cache.surveys[test]?.trials ?? []);
  for (const { test, name, passed } of all)
    if (!passed) console.log(`left out, as it fails without a mutant: ${test} ${name}`);
  return all.filter(({ passed }) => passed);
}

/** The tests that reach it; of one that is reached while a file is loaded, all of that file. The quickest first. */
function trialsOf({ file, number }: Found, trials: readonly Trial[]): Trial[] {
  const reaching = trials.filter(({ reached }) => reached.mutants[file]?.includes(number));
  const loading = new Set(reaching.filter(({ id }) => id === null).map(({ test }) => test));
  const reachers = new Set(reaching);
  const own = trials.filter((one) => one.id !== null && (loading.has(one.test) || reachers.has(one)));
  let all = 0;
  return own
    .sort((a, b) => a.ms - b.ms)
    .filter(({ ms }) => {
      all += ms;
      return all <= 1000 * Number(options.seconds);
    });
}

async function tryAll(trials: readonly Trial[]): Promise<void> {
  const vitest = await openSession(sources, false);
  const began = Date.now();
  let count = 0;
  for (const mutant of chosen) {
    const own = trialsOf(mutant, trials);
    if (isKnown(mutant, own)) continue;
    const calls = 1_000_000 + 20 * Math.max(0, ...own.map(({ reached }) => reached.calls));
    const active = { file: mutant.file, number: mutant.number, calls };
    const [quick, slow] = [own.filter(({ ms }) => ms <= quickMs), own.filter(({ ms }) => ms > quickMs)];
    const found = (await killer(vitest, active, quick)) ?? (await killer(vitest, active, slow));
    cache.results[mutant.key] = { killer: found, tests: hashOf(found, own) };
    count += 1;
    if (count % 20 === 0) keep();
    if (count % 50 === 0) console.log(`${count} tried, ${seconds(began, count)} s each`);
  }
  keep();
  await vitest.close();
  if (count > 0) console.log(`${count} mutants tried, ${seconds(began, count)} s each`);
}

function seconds(began: number, count: number): string {
  return ((Date.now() - began) / 1000 / count).toFixed(2);
}

function hashOf(found: Killer | null, own: readonly Trial[]): string {
  const names = found ? [] : own.map(({ test, name }) => `${test} ${name}`);
  const files = new Set((found ? [found] : own).map(({ test }) => test));
  return hash([...[...files].map(hashOnce), ...names].sort().join(' '));
}

function hashOnce(test: string): string {
  const known = hashesOfTests.get(test) ?? hashOfTest(test, false);
  hashesOfTests.set(test, known);
  return known;
}

function isKnown({ key }: Found, own: readonly Trial[]): boolean {
  const known = cache.results[key];
  return known !== undefined && known.tests === hashOf(known.killer, own);
}

function counts(all: readonly Found[]): string {
  const by = Map.groupBy(all, ({ file }) => dirname(file));
  return [...by].map(([folder, own]) => `${folder}: ${own.length} mutants`).join('\n');
}

function report(trials: readonly Trial[]): void {
  const tried = chosen.filter(({ key }) => cache.results[key]);
  tried.sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
  const alive = tried.filter(({ key }) => !cache.results[key]?.killer);
  for (const one of alive) {
    const lone = trialsOf(one, trials).length === 0 ? '  (no test reaches it)' : '';
    console.log(`${one.file}:${one.line}:${one.column}  ${short(one.original)} → ${short(one.text)}${lone}`);
  }
  const roots = folders.map(
    (root) => [`${root} in all`, tried.filter(({ file }) => file.startsWith(`${root}/`))] as const,
  );
  const groups = [...Map.groupBy(tried, ({ file }) => dirname(file)), ...roots];
  for (const [folder, own] of groups) {
    if (own.length === 0) continue;
    const left = own.filter((one) => alive.includes(one)).length;
    const score = (100 * (own.length - left)) / own.length;
    console.log(`${folder}: ${score.toFixed(1)} % of ${own.length} mutants noticed, ${left} not`);
  }
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line;
}
