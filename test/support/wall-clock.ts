import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The wall clock of processes that a test starts with `env`. */
export interface WallClock {
  env: Record<string, string>;
  /** Steps it: so many milliseconds ahead of the machine's from now on. */
  ahead(ms: number): void;
}

export function openWallClock(aheadMs: number): WallClock {
  const folder = mkdtempSync(join(tmpdir(), 'facturapuente-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ahead');
  const ahead = (ms: number) => writeFileSync(file, String(ms));
  ahead(aheadMs);
  const preload = new URL('../../chaos/wall-clock.mjs', import.meta.url).href;
  return { env: { CHAOS_WALL_CLOCK: file, NODE_OPTIONS: `--import ${preload}` }, ahead };
}
