import { sql } from 'kysely';
import type { Clock } from '../domain/clock.ts';
import type { Engine } from './schema.ts';

/**
 * How many milliseconds our clock is ahead of the database server's (below 0: behind it). An answer on its way makes the
 * question worse, so the fastest of three counts.
 */
export async function aheadOfServer({ others }: Pick<Engine, 'others'>, clock: Clock): Promise<number> {
  const looks: { tookMs: number; aheadMs: number }[] = [];
  for (let look = 0; look < 3; look += 1) {
    const begun = performance.now();
    const { rows } = await sql<{ at: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as at
    `.execute(others);
    const tookMs = performance.now() - begun;
    const theirs = (rows[0]?.at ?? 0) + tookMs / 2;
    looks.push({ tookMs, aheadMs: clock.now().getTime() - theirs });
  }
  looks.sort((a, b) => a.tookMs - b.tookMs);
  return Math.round(looks[0]?.aheadMs ?? 0);
}
