import childProcess from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';

/* Adds the test file to the list of whole-run.ts for each process it starts; in every worker once. */

const started = channel('child_process');
if (!started.hasSubscribers) {
  const note = () => {
    const file = expect.getState().testPath?.split('/test/').pop();
    if (process.env.RUN_FOLDER) appendFileSync(join(process.env.RUN_FOLDER, 'processes'), `${file}\n`);
  };
  started.subscribe(note);
  const { spawnSync, execFileSync } = childProcess;
  Object.assign(childProcess, {
    spawnSync: (...args: Parameters<typeof spawnSync>) => {
      note();
      return spawnSync(...args);
    },
    execFileSync: (...args: Parameters<typeof execFileSync>) => {
      note();
      return execFileSync(...args);
    },
  });
  syncBuiltinESMExports();
}
