import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OpenAlert } from '../src/domain/alerts.ts';
import type { Stage } from './stage.ts';

const bin = fileURLToPath(new URL('../src/cli/bin.ts', import.meta.url));

/** A merchant who answers alerts if the run knows the answer: whether a shop moved, and that no job killed a process. */
export interface Merchant {
  /** Whether it answered one, which may end an alert that reported something else as well. */
  answer(alerts: readonly OpenAlert[]): Promise<boolean>;
}

export function openMerchant({ config, moved }: Pick<Stage, 'config' | 'moved'>): Merchant {
  const answered = new Set<string>();
  return {
    async answer(alerts) {
      const before = answered.size;
      for (const { code, subject, what, resolution } of alerts) {
        if (code === 'job-held') await facturapuente('alerts', 'clear', code, subject, '--config', config);
        if (code !== 'shop-moved' && code !== 'shop-is-a-copy') continue;
        const text = [subject, what, resolution].join(' ');
        const store = [...moved].find((id) => new RegExp(`\\b${id}\\b`).test(text));
        if (store === undefined || answered.has(`${subject} ${what}`)) continue;
        answered.add(`${subject} ${what}`);
        await facturapuente('store', 'confirm', store, '--as', 'moved', '--config', config);
      }
      return answered.size > before;
    },
  };
}

const facturapuente = (...args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [bin, ...args], (error, _stdout, stderr) => {
      if (error) reject(new Error(`facturapuente ${args.join(' ')}: ${stderr}`, { cause: error }));
      else resolve();
    });
  });
