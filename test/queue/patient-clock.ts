import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { type Installation, openEmbedded } from './installation.ts';

const beatMs = 10;

export interface PatientClock extends Clock {
  /** From now on it runs, as fast as these answer. */
  follow(installations: readonly Installation[]): void;
}

/**
 * A clock that runs up to `rate` times as fast as real time, and slower where the machine is: each beat waits until the
 * houses' own ledger and transport have answered. What is reckoned on it says what the product makes of its time, not
 * how busy the machine was.
 */
export function patientClock(rate: number): PatientClock {
  let now = Date.now();
  let stopped = false;
  onTestFinished(() => {
    stopped = true;
  });
  return {
    now: () => new Date(now),
    follow(installations) {
      const answers = () =>
        Promise.all(installations.flatMap(({ ledger, transport }) => [ledger.check(), transport.counts()]));
      const run = async () => {
        while (!stopped) {
          // A transport that connects still, or a house that closes, has no say.
          await Promise.all([pause(beatMs), answers().catch(() => {})]);
          now += beatMs * rate;
        }
      };
      void run();
    },
  };
}

/** A process on SQLite whose clock, up to `rate` times as fast as real time, waits for it. */
export async function openPatientInstallation(rate: number, concurrency = 10): Promise<Installation> {
  const clock = patientClock(rate);
  const installation = await (await openEmbedded()).open({ rate, clock, concurrency });
  clock.follow([installation]);
  return installation;
}
