import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askedOrEnd } from '../bench/tool.ts';
import { closeDays } from './close-days.ts';
import { readOptions } from './options.ts';
import { play } from './play.ts';
import { toFigures, toText } from './report.ts';
import { silentOf } from './reported.ts';
import { untilRest } from './rest.ts';
import { makeSchedule } from './schedule.ts';
import { openStage } from './stage.ts';

/**
 * `npm run chaos -- --orders N --seed S [--json]`: sells in emulated shops of both platforms while processes are killed,
 * servers crash and the tax service is disturbed, then audits the documents. Exits with 1 if a figure that must be 0 is
 * not. See docs/chaos.md.
 */
const began = performance.now();
const report = (text: string) => {
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${text}\n`);
};
const options = askedOrEnd(readOptions);
const schedule = makeSchedule(options);
const folder = await mkdtemp(join(tmpdir(), 'facturapuente-caos-'));
report(
  `schedule ${schedule.hash}: ${schedule.happenings.length} events over ${schedule.stores} stores; ${folder}`,
);
const stage = await openStage(options, folder);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stage.close().finally(() => process.exit(130)));
let good = false;
try {
  const played = await play(stage, schedule, report);
  const audit = await untilRest(stage, played, report);
  // A close reads each shop once, and reports an answer that belongs to another request.
  for (const { untwist } of [stage.service, ...stage.shops]) untwist();
  report('closing the days');
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
  for (const { fault, what } of audit.findings.slice(0, 40)) report(`${fault}: ${what}`);
  for (const what of played.operator.defects.slice(0, 20)) report(`command: ${what}`);
  for (const what of closes.differ.slice(0, 20)) report(`close: ${what}`);
  for (const what of people.silent.slice(0, 20)) report(`silent: ${what}`);
  for (const { what } of audit.forPerson.slice(0, 40)) report(`for a person: ${what}`);
  for (const { name, state } of audit.gaps.slice(0, 20)) report(`gap: ${name}: ${state}`);
  good = figures.good;
  process.stdout.write(options.json ? `${JSON.stringify(figures.json, null, 2)}\n` : toText(figures.json));
} finally {
  await stage.close(!good || options.keep);
  if (good && !options.keep) await rm(folder, { recursive: true, force: true });
  else report(`logs and ledger stay in ${folder}`);
}
process.exitCode = good ? 0 : 1;
