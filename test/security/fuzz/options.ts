import { openTool, whole } from '../../../bench/tool.ts';

/** Reads the command line of `npm run fuzz`. Throws RangeError, and CommanderError, already printed. */
export function readOptions(args: readonly string[]): { requests: number; seed: number | null } {
  const tool = openTool('fuzz', 'Sends requests nobody would send to every endpoint of the app.')
    .option('--requests <count>', 'how many', '100000')
    .option('--seed <number>', 'decides all of them; what failed comes again with the same')
    .parse(args, { from: 'user' });
  const { requests, seed } = tool.opts<{ requests: string; seed?: string }>();
  return { requests: whole('requests', requests, 1), seed: seed === undefined ? null : whole('seed', seed) };
}
