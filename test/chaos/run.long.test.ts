import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Figures } from '../../chaos/report.ts';
import { hasServers, postgresUrl, redisUrl } from '../support/servers.ts';

const entry = fileURLToPath(new URL('../../chaos/run.ts', import.meta.url));
/** The rest need more sales of one shop, a clock of their own, or a disk. */
const quick = ['duplicated-orders', 'edited-orders', 'swapped-answers', 'shop-clock'];
/** Those wait for six hours of the clock, and for every process to start again. */
const slow = ['poisoned-orders', 'moved-shop'];
const places: [string, string[], string[], boolean][] = [
  ['SQLite', ['--embedded'], [...quick, ...slow], true],
  ['PostgreSQL and Redis', ['--database-url', postgresUrl, '--redis-url', redisUrl], quick, hasServers],
];

/** Runs `npm run chaos` as a user would, to its end. */
function chaos(
  args: readonly string[],
): Promise<{ code: number | null; figures: Figures; reported: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, '--json', ...args]);
    // It takes its processes with it.
    onTestFinished(() => void child.kill('SIGTERM'));
    let [stdout, reported] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      reported += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, figures: JSON.parse(stdout || '{}'), reported }));
  });
}

describe.each(places.filter(([, , , here]) => here))('chaos on %s', (_place, args, disasters) => {
  it('24 orders and 8 refunds through kills, faults, a hanging shop, midnight and disasters: each has exactly its documents', async () => {
    const { code, figures, reported } = await chaos([
      ...['--orders', '24', '--refunds', '8', '--kills', '3', '--seed', '1'],
      ...['--disasters', disasters.join(',')],
      ...args,
    ]);
    expect(figures, reported).toMatchObject({
      // Two are copies of others, paid by themselves: sales of their own.
      orders: 26,
      refunds: 8,
      duplicates: 0,
      lost: 0,
      gaps: 0,
      wrongTotals: 0,
      unexplained: 0,
      notWritten: 0,
      closesDiffer: 0,
      silent: 0,
      commandDefects: 0,
      kills: 3,
      hangs: 1,
      accounts: 20,
    });
    expect(figures.facturas).toBeGreaterThan(17);
    expect(Object.keys(figures.disasters).sort()).toEqual([...disasters].sort());
    expect(figures.commands.ran).toBe(11);
    expect(figures.commands.refused).toBeLessThan(9);
    expect(figures.creditNotes + figures.netted + figures.byPlan).toBeGreaterThanOrEqual(8);
    // Midnight in Ecuador lies in the middle.
    expect(figures.closedDays).toBeGreaterThanOrEqual(2);
    expect(figures.faults).toBeGreaterThan(5);
    // The hanging shop's hints among them.
    expect(figures.webhooks.accepted).toBeGreaterThanOrEqual(200);
    expect(code, reported).toBe(0);
  }, 240_000);
});
