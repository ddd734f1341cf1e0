import { type AccountPause, type PauseCause, pauseWords, scopeOf } from '../domain/account-pause.ts';
import type { Alert } from '../domain/alerts.ts';
import type { Ambiente } from '../domain/document.ts';
import { owner } from '../domain/scope.ts';
import type { Account } from '../domain/settings.ts';
import type { StepOutcome, WorkRequest } from '../domain/work.ts';
import type { StepDeps } from './deps.ts';

/**
 * Pauses an account for every process (architecture: "When things fail"): its documents stay ready, one alert is
 * raised by whoever was first, and one probe comes back until the cause is gone. The work at hand goes back as due
 * as it was; where the pause does not shut its lane it comes again no faster than the probe.
 */
export async function pauseAccount(
  deps: StepDeps,
  account: Account,
  cause: PauseCause,
): Promise<StepOutcome> {
  const now = deps.clock.now();
  const pause = { account: account.id, ambiente: scopeOf(cause), cause };
  const later = (probes: number) => new Date(now.getTime() + probeWait(deps, probes));
  const { begun, probes } = await deps.ledger.transaction(async (tables) => {
    const begun = await tables.pauses.begin({ ...pause, now });
    if (begun) await tables.work.ask(probeOf(pause, later(0)));
    return { begun, probes: (await tables.pauses.get(pause.account, pause.ambiente))?.probes ?? 0 };
  });
  if (begun) await deps.alerts.raise(alertOf(pause));
  return { kind: 'put-back', dueAt: later(probes), reason: `the account is paused: ${cause}` };
}

/**
 * Lets an account go on, in the order in which its documents became due. The alert goes first, and that of every cause
 * whose place another took: while the pause stands the probe comes back, without it nobody would.
 */
export async function resumeAccount(deps: StepDeps, pause: AccountPause): Promise<void> {
  await deps.alerts.over({ code: Object.keys(pauseWords).map(codeOf), subject: subjectOf(pause) });
  await deps.ledger.pauses.end(pause);
}

/** The probe was in vain; answers when the next one is. Whoever began the pause may have died before its alert. */
export async function stayPaused(deps: StepDeps, pause: AccountPause): Promise<Date> {
  await deps.ledger.pauses.probed(pause.account, pause.ambiente);
  await deps.alerts.raise(alertOf(pause));
  return new Date(deps.clock.now().getTime() + probeWait(deps, pause.probes + 1));
}

/** Whoever starts may have mended the cause just now: every paused account is probed at once. */
export async function probeAtStart({ ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>): Promise<void> {
  for (const pause of await ledger.pauses.list()) await ledger.work.ask(probeOf(pause, clock.now()));
}

/** A person has mended the cause and says so: the account is probed now. */
export async function probeNow(
  { ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>,
  pause: AccountPause,
): Promise<void> {
  await ledger.work.ask(probeOf(pause, clock.now()));
}

/** The wait after so many probes in vain; it grows, and the last one repeats. */
export function probeWait({ timings }: Pick<StepDeps, 'timings'>, probes: number): number {
  return timings.probes[probes] ?? timings.probes.at(-1) ?? 0;
}

type Paused = Pick<AccountPause, 'account' | 'ambiente' | 'cause'>;

const subjectOf = ({ account, ambiente }: Pick<Paused, 'account' | 'ambiente'>): string =>
  ambiente === null ? account : `${account}/${ambiente}`;

export function readProbeSubject(subject: string): { account: string; ambiente: Ambiente | null } {
  const [account = '', ambiente] = subject.split('/');
  return { account, ambiente: ambiente === undefined ? null : (Number(ambiente) as Ambiente) };
}

/** Its call books a slot of its own when it is made, so it waits behind nothing. */
function probeOf(pause: Paused, dueAt: Date): WorkRequest {
  const subject = subjectOf(pause);
  return { kind: 'probe-account', subject, storeId: `cuenta:${subject}`, budget: null, priority: 0, dueAt };
}

const codeOf = (cause: string): string => `account-${cause}`;

function alertOf(pause: Paused): Alert {
  const { what, cure } = pauseWords[pause.cause];
  const about = owner.account(pause.account);
  return { code: codeOf(pause.cause), subject: subjectOf(pause), about, what, cure };
}
