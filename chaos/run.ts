import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askedOrEnd } from '../bench/tool.ts';
import { closeDays } from './close-days.ts';
import { readOptions } from './options.ts';
import { play } from './play.ts';
import { toFigures, toText } from './report.ts';
import { untilRest } from './rest.ts';
import { makeSchedule } from './schedule.ts';
import { openStage } from './stage.ts';
import { silentOf } from './told.ts';

/**
 * `npm run chaos -- --orders N --seed S [--json]`: sells through stand-ins of both platforms while processes are
 * killed, servers crash and the tax service misbehaves, and then audits what it holds. Ends with 1 when a figure
 * that must be 0 is not. See docs/chaos.md.
 */
const began = performance.now();
const tell = (text: string) => {
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${text}\n`);
};
const options = askedOrEnd(readOptions);
const schedule = makeSchedule(options);
const folder = await mkdtemp(join(tmpdir(), 'facturapuente-caos-'));
tell(
  `schedule ${schedule.hash}: ${schedule.happenings.length} events over ${schedule.stores} stores; ${folder}`,
);
const stage = await openStage(options, folder);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stage.close().finally(() => process.exit(130)));
let good = false;
try {
  const played = await play(stage, schedule, tell);
  const audit = await untilRest(stage, played, tell);
  // A close asks each shop once, and says so where the answer was another's.
  for (const { untwist } of [stage.service, ...stage.shops]) untwist();
  tell('closing the days');
  const closes = await closeDays(stage, played);
  const people = await silentOf(stage, played, audit, closes);
  const figures = toFigures({
    stage,
    schedule,
    played,
    audit,
    closes,
    people,
    seconds: (performance.now() - began) / 1000,
  });
  for (const { fault, what } of audit.findings.slice(0, 40)) tell(`${fault}: ${what}`);
  for (const what of closes.differ.slice(0, 20)) tell(`close: ${what}`);
  for (const what of people.silent.slice(0, 20)) tell(`silent: ${what}`);
  for (const { what } of audit.asks.slice(0, 40)) tell(`for a person: ${what}`);
  for (const gap of audit.gaps.slice(0, 20)) tell(`gap: ${gap}`);
  good = figures.good;
  process.stdout.write(options.json ? `${JSON.stringify(figures.json, null, 2)}\n` : toText(figures.json));
} finally {
  await stage.close(!good || options.keep);
  if (good && !options.keep) await rm(folder, { recursive: true, force: true });
  else tell(`logs and ledger stay in ${folder}`);
}
process.exitCode = good ? 0 : 1;
