import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import { impatientRateLimit } from '../http/limits.ts';
import type { BalanceState } from '../service/answers.ts';

export interface Balance {
  credits: number | null;
  state: BalanceState | null;
  asking: boolean;
}

type Reported = Omit<Balance, 'asking'>;
const nothing: Reported = { credits: null, state: null };

const freshMs = 10 * 60_000;
const afterFailureMs = 60_000;
/** A later answer serves the next page. */
const patienceMs = 120;

interface Kept {
  reported: Reported;
  until: number;
  asking: Promise<void> | null;
}

export function openBalances(deps: Pick<HttpDeps, 'service'>): (account: Account) => Promise<Balance> {
  const accounts = new Map<string, Kept>();
  return (account) => balanceOf(deps, accounts, account);
}

async function balanceOf(
  deps: Pick<HttpDeps, 'service'>,
  accounts: Map<string, Kept>,
  account: Account,
): Promise<Balance> {
  const known = accounts.get(account.id) ?? { reported: nothing, until: 0, asking: null };
  accounts.set(account.id, known);
  if (known.until <= performance.now() && known.asking === null)
    known.asking = ask(deps, account)
      .then((reported) => {
        known.reported = reported;
        known.until = performance.now() + (reported === nothing ? afterFailureMs : freshMs);
      })
      .finally(() => {
        known.asking = null;
      });
  if (known.asking !== null) await Promise.race([known.asking, sleep(patienceMs, undefined, { ref: false })]);
  return { ...known.reported, asking: known.asking !== null };
}

async function ask(deps: Pick<HttpDeps, 'service'>, account: Account): Promise<Reported> {
  const issuer = deps.service(account.id);
  if (!issuer) return nothing;
  try {
    const balance = await issuer.client.with(impatientRateLimit(issuer.rateLimit)).consultarSaldo();
    if (balance.kind !== 'balance' || (balance.creditos ?? balance.estadoSaldo) === null) return nothing;
    return { credits: balance.creditos, state: balance.estadoSaldo };
  } catch {
    // jobs/watch reports failures.
    return nothing;
  }
}
