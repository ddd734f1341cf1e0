import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { appendFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The directory of the database, on its own disk, which can be filled, if the system allows that. */
export interface LedgerDisk {
  directory: string;
  /** Copies it; its writers are stopped. */
  backup(): Promise<void>;
  /** Restores the copy; its writers are stopped. */
  restore(): Promise<void>;
  /** Fills the disk. */
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Copies the content to the logs if requested, and unmounts the disk. */
  close(keep: boolean): Promise<void>;
}

const megabytes = 400;

/** @param own puts the directory on its own disk; throws if the system does not allow it. */
export function openLedgerDisk(folder: string, name: string, own: boolean): LedgerDisk {
  const disk = join(folder, own ? `${name}-disk` : '.');
  const directory = join(disk, name);
  const copy = join(folder, `${name}-backup`);
  const ballast = join(disk, 'ballast');
  if (own) {
    mkdirSync(disk);
    mount(disk);
  }
  // Keep owners and times: PostgreSQL checks both.
  const replace = (from: string, to: string): void => {
    rmSync(to, { recursive: true, force: true });
    execFileSync('cp', ['-a', from, to]);
  };
  return {
    directory,
    async backup() {
      replace(directory, copy);
    },
    async restore() {
      replace(copy, directory);
    },
    async fill() {
      for (const chunk of [1 << 20, 1 << 12, 1])
        try {
          for (;;) await appendFile(ballast, Buffer.alloc(chunk));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
    },
    free: () => rm(ballast, { force: true }),
    async close(keep) {
      if (!own) return;
      // A killed process leaves a socket, which cannot be copied.
      const filter = (path: string) => !lstatSync(path).isSocket();
      if (keep && existsSync(directory))
        await cp(directory, join(folder, name), { recursive: true, force: true, filter });
      execFileSync('umount', ['--lazy', disk]);
    },
  };
}

const mount = (directory: string): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'facturapuente-caos', directory], {
    stdio: 'ignore',
  });

let mounts: boolean | undefined;

/** Whether a process can mount a disk on this system; tried once. */
export function canMount(probe: string): boolean {
  mounts ??= mountsAt(probe);
  return mounts;
}

function mountsAt(probe: string): boolean {
  try {
    mkdirSync(probe, { recursive: true });
    mount(probe);
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
