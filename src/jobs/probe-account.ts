import type { AccountPause } from '../domain/account-pause.ts';
import type { Account } from '../domain/settings.ts';
import { done, type Step } from '../domain/work.ts';
import { isEmpty, type PingAnswer } from '../service/answers.ts';
import { readProbeSubject, resumeAccount, stayPaused } from './account-pause.ts';
import type { StepDeps } from './deps.ts';
import { submit } from './submit-document.ts';
import { UnknownHere } from './unknown-here.ts';
import { clocksAgree } from './wrong-day.ts';

/**
 * Asks whether a paused account is well again, with the cheapest call that proves it, slower and slower. One
 * piece of work for all processes: it survives restarts with the pause.
 */
export function probeAccount(deps: StepDeps): Step {
  return async (work) => {
    const { account: id, ambiente } = readProbeSubject(work.subject);
    const pause = await deps.ledger.pauses.get(id, ambiente);
    if (!pause) return done;
    const account = deps.accounts.get(id);
    if (!account && deps.ledger.engine === 'postgresql') throw unknownAccount(deps, pause);
    // An account that left the config holds nothing back any more; beside SQLite there is no other config.
    if (!account || (await isWell(deps, account, pause))) {
      await resumeAccount(deps, pause);
      return done;
    }
    // What the probe itself found out may have taken its place.
    const stands = (await deps.ledger.pauses.get(id, ambiente)) ?? pause;
    const dueAt = await stayPaused(deps, stands);
    return { kind: 'again', dueAt, reason: `the account is still paused: ${pause.cause}` };
  };
}

/** Longer than a deploy takes, and than the longest wait between two probes. */
const unprobedMs = 3_600_000;

/**
 * Another process may know the account: it probes it, and its probes are seen here. Where nobody does for an hour the
 * account has left the config, and the pause ends with its probe; one that is at fault still pauses anew.
 */
const unknownAccount = (deps: StepDeps, pause: AccountPause): Error =>
  new UnknownHere({
    what: 'account',
    name: pause.account,
    fields: () => ({ account: pause.account }),
    seen: `${pause.since} ${pause.probes}`,
    patienceMs: unprobedMs,
    async giveUp() {
      await resumeAccount(deps, pause);
      return true;
    },
  });

async function isWell(deps: StepDeps, account: Account, pause: AccountPause): Promise<boolean> {
  const calls = deps.service(account, null);
  switch (pause.cause) {
    case 'api-key':
      return (await calls.consultarSaldo()).kind === 'balance';
    case 'credits': {
      const balance = await calls.consultarSaldo();
      // Credits may be spoken for by documents in process: only an emission proves that one is left.
      const enough = balance.kind === 'balance' && !isEmpty(balance);
      return enough && ((await tryOne(deps, account, pause)) ?? true);
    }
    case 'provider-data': {
      const left = await tryOne(deps, account, pause);
      if (left !== null) return left;
      const balance = await calls.consultarSaldo();
      return balance.kind === 'balance' && balance.aviso === null;
    }
    case 'service': {
      return isThere(await calls.ping()) && ((await tryOne(deps, account, pause)) ?? true);
    }
    case 'clock': {
      const answer = await calls.ping();
      if (!isThere(answer)) return false;
      return answer.date
        ? clocksAgree(answer.date, deps.clock.now())
        : ((await tryOne(deps, account, pause)) ?? true);
    }
  }
}

/** A ping that asks for a key was answered by the service all the same (assumption A18). */
const isThere = (answer: PingAnswer): answer is Extract<PingAnswer, { date: Date | null }> =>
  answer.kind === 'alive' || answer.kind === 'unauthorized';

/** More would be a second of the backlog, not a probe. */
const candidates = 5;

/**
 * Sends the one document that waits longest. True when the service took it or refused it for its own sake, false
 * when the account is still at fault, null when nothing waits that can be sent.
 */
async function tryOne(deps: StepDeps, account: Account, pause: AccountPause): Promise<boolean | null> {
  const { pauses, attempts } = deps.ledger;
  for (const id of await pauses.firstWaiting(account.id, pause.ambiente, deps.clock.now(), candidates)) {
    const before = (await attempts.ofDocument(id)).length;
    await submit(deps, id, null, 'probe');
    const after = await attempts.ofDocument(id);
    if (after.length === before) continue;
    const outcome = after.at(-1)?.outcome;
    return outcome !== 'unsent' && outcome !== 'unknown' && outcome !== 'open';
  }
  return null;
}
