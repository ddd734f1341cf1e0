import type { Alert } from '../domain/alerts.ts';
import type { Ambiente } from '../domain/document.ts';
import {
  type AccountPause,
  type JobOutcome,
  type JobRequest,
  type PauseCause,
  pauseCauses,
  scopeOf,
} from '../domain/job.ts';
import { type Account, owner } from '../domain/settings.ts';
import type { JobDeps } from './deps.ts';

/** Pauses an account for every process, with one alert and one probe that repeats until the cause is gone. */
export async function pauseAccount(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'timings'>,
  account: Account,
  cause: PauseCause,
): Promise<JobOutcome> {
  const now = deps.clock.now();
  const pause = { account: account.id, ambiente: scopeOf(cause), cause };
  const later = (probes: number) => new Date(now.getTime() + probeWait(deps, probes));
  const { begun, probes } = await deps.ledger.transaction(async (tables) => {
    const begun = await tables.pauses.begin({ ...pause, now });
    if (begun) await tables.jobs.enqueue(probeOf(pause, later(0)));
    return { begun, probes: (await tables.pauses.get(pause.account, pause.ambiente))?.probes ?? 0 };
  });
  if (begun) await deps.alerts.raise(alertOf(pause));
  return { kind: 'put-back', dueAt: later(probes), reason: `the account is paused: ${cause}` };
}

/** Ends the pause. The alerts end first: after a crash in between the probe still comes back. */
export async function resumeAccount(
  deps: Pick<JobDeps, 'alerts' | 'ledger'>,
  pause: AccountPause,
): Promise<void> {
  await deps.alerts.over({ code: pauseCauses.map(codeOf), subject: subjectOf(pause) });
  await deps.ledger.pauses.end(pause);
}

/** The cause is still there. Returns when the next probe is. Raises the alert again, for a process that died before it. */
export async function stayPaused(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'timings'>,
  pause: AccountPause,
): Promise<Date> {
  await deps.ledger.pauses.probed(pause.account, pause.ambiente);
  await deps.alerts.raise(alertOf(pause));
  return new Date(deps.clock.now().getTime() + probeWait(deps, pause.probes + 1));
}

/** At a start, when the cause may just have been fixed: every paused account is probed at once. */
export async function probeAtStart({ ledger, clock }: Pick<JobDeps, 'ledger' | 'clock'>): Promise<void> {
  for (const pause of await ledger.pauses.list()) await probeNow({ ledger, clock }, pause);
}

export const probeNow = (
  { ledger, clock }: Pick<JobDeps, 'ledger' | 'clock'>,
  pause: AccountPause,
): Promise<void> => ledger.jobs.enqueue(probeOf(pause, clock.now()));

export function probeWait({ timings }: Pick<JobDeps, 'timings'>, probes: number): number {
  return timings.probes[probes] ?? timings.probes.at(-1) ?? 0;
}

type Paused = Pick<AccountPause, 'account' | 'ambiente' | 'cause'>;

const subjectOf = ({ account, ambiente }: Pick<Paused, 'account' | 'ambiente'>): string =>
  ambiente === null ? account : `${account}/${ambiente}`;

export function readProbeSubject(subject: string): { account: string; ambiente: Ambiente | null } {
  const [account = '', ambiente] = subject.split('/');
  return { account, ambiente: ambiente === undefined ? null : (Number(ambiente) as Ambiente) };
}

/** Without `rateLimit`, so that it waits behind nothing: its call books a slot when it is made. */
function probeOf(pause: Paused, dueAt: Date): JobRequest {
  const subject = subjectOf(pause);
  const storeId = `cuenta:${subject}`;
  return { kind: 'probe-account', subject, storeId, rateLimit: null, priority: 0, dueAt };
}

const codeOf = (cause: PauseCause) => `account-${cause}` as const;

function alertOf(pause: Paused): Alert {
  const about = owner.account(pause.account);
  return { code: codeOf(pause.cause), subject: subjectOf(pause), about, params: {} };
}
