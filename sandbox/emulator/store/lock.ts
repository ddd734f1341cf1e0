import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Holds a data directory for this process; throws with the holder's number. Answers how to let it go. */
export function takeLock(directory: string): () => void {
  const path = join(directory, 'sandbox.pid');
  const mine = `${process.pid}\n`;
  try {
    writeFileSync(path, mine, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(readFileSync(path, 'utf8'));
    if (isAlive(holder)) {
      throw new Error(
        `La carpeta de datos ${directory} la usa otro sandbox (proceso ${holder}); deténgalo o elija otra.`,
      );
    }
    writeFileSync(path, mine);
  }
  return () => rmSync(path, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
