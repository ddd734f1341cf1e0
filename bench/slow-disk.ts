import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Line, line, rounds, skipped } from './line.ts';
import { here, load, startBaseline, startProduct } from './processes.ts';

/** The disks of the table: extra milliseconds per flush, and the goal relative to the baseline. */
const disks = [
  { ms: 1, atLeast: 0.33 },
  { ms: 5, atLeast: 0.15 },
];

/** The endpoint on SQLite with slower flushes, relative to the handler that never flushes. */
export async function slowDisk(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'facturapuente-bench-'));
  const shim = join(folder, 'slow-fsync.so');
  try {
    const built = spawnSync('gcc', ['-shared', '-fPIC', '-O2', '-o', shim, here('slow-fsync.c')]);
    if (built.status !== 0) {
      skipped('endpoint with slow flushes', 'gcc is not there to compile bench/slow-fsync.c.');
      return [];
    }
    const ratios = disks.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      const bare = await startBaseline();
      const yardstick = await load(bare.url, 'closed', 3);
      await bare.stop();
      for (const [at, { ms }] of disks.entries()) {
        const env = { LD_PRELOAD: shim, SLOW_FSYNC_MS: String(ms) };
        const product = await startProduct('web', { env });
        const measured = await load(product.url, 'closed', 3);
        await product.stop();
        ratios[at]?.push(measured.perSecond / yardstick.perSecond);
      }
    }
    return disks.map(({ ms, atLeast }, at) =>
      line(
        `endpoint on SQLite, flushes ${ms} ms slower / the handler that stores nothing`,
        'ratio',
        ratios[at] ?? [],
        {
          atLeast,
        },
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
