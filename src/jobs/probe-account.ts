import { type AccountPause, done } from '../domain/job.ts';
import type { Account } from '../domain/settings.ts';
import { isEmpty, type PingAnswer } from '../service/answers.ts';
import { readProbeSubject, resumeAccount, stayPaused } from './account-pause.ts';
import type { Handler, JobDeps, UnknownHere } from './deps.ts';
import { clocksAgree } from './prepare.ts';
import { sendProbe } from './send-document.ts';

export function probeAccount(deps: JobDeps): Handler {
  return async (job) => {
    const { account: id, ambiente } = readProbeSubject(job.subject);
    const pause = await deps.ledger.pauses.get(id, ambiente);
    if (!pause) return done;
    const account = deps.accounts.get(id);
    if (!account && deps.ledger.engine === 'postgresql') return unknownAccount(deps, pause);
    // On SQLite there is one process only: an account it does not know was removed.
    if (!account || (await isOver(deps, account, pause))) {
      await resumeAccount(deps, pause);
      return done;
    }
    const stands = (await deps.ledger.pauses.get(id, ambiente)) ?? pause;
    const dueAt = await stayPaused(deps, stands);
    return { kind: 'again', dueAt, reason: `the account is still paused: ${pause.cause}` };
  };
}

/** Longer than a deploy takes, and than the longest wait between two probes. */
const unprobedMs = 3_600_000;

/** Another process may know the account, and its probes change `seen`; without any for an hour the account was removed. */
const unknownAccount = (deps: Pick<JobDeps, 'alerts' | 'ledger'>, pause: AccountPause): UnknownHere => ({
  kind: 'unknown-here',
  what: 'account',
  name: pause.account,
  seen: `${pause.since} ${pause.probes}`,
  patienceMs: unprobedMs,
  async mayEnd() {
    await resumeAccount(deps, pause);
    return true;
  },
});

async function isOver(deps: JobDeps, account: Account, pause: AccountPause): Promise<boolean> {
  const calls = deps.service(account, null);
  switch (pause.cause) {
    case 'api-key':
      return (await calls.consultarSaldo()).kind === 'balance';
    case 'credits': {
      const balance = await calls.consultarSaldo();
      // Documents in process may use the last credits: only an emission shows that one is left.
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

/** The service answers also where the ping needs a key (assumption A18). */
const isThere = (answer: PingAnswer): answer is Extract<PingAnswer, { date: Date | null }> =>
  answer.kind === 'alive' || answer.kind === 'unauthorized';

const candidates = 5;

/** True: accepted, or refused for its content. False: the account is still at fault. Null: no document can be sent. */
async function tryOne(deps: JobDeps, account: Account, pause: AccountPause): Promise<boolean | null> {
  const { pauses, attempts } = deps.ledger;
  for (const id of await pauses.firstWaiting(account.id, pause.ambiente, deps.clock.now(), candidates)) {
    const before = (await attempts.ofDocument(id)).length;
    await sendProbe(deps, id);
    const after = await attempts.ofDocument(id);
    if (after.length === before) continue;
    const outcome = after.at(-1)?.outcome;
    return outcome !== 'unsent' && outcome !== 'unknown' && outcome !== 'open';
  }
  return null;
}
