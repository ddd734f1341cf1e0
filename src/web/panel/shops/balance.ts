import type { Account } from '../../../domain/settings.ts';
import type { BalanceState } from '../../../service/answers.ts';
import type { HttpDeps } from '../../deps.ts';
import { impatientBudget } from '../../impatient-budget.ts';

/** What the service last said of an account's credits. */
export interface Balance extends Told {
  /** The answer is still on its way. */
  asking: boolean;
}

/** Null where it did not answer, or does not tell. */
interface Told {
  credits: number | null;
  state: BalanceState | null;
}
const nothing: Told = { credits: null, state: null };

const freshMs = 10 * 60_000;
const afterFailureMs = 60_000;
/** A page does not wait longer: the answer is there for the next one. */
const patienceMs = 120;

interface Kept {
  told: Told;
  until: number;
  asking: Promise<void> | null;
}

/** Asks the service for an account's credits, at most every ten minutes whoever looks. */
export function openBalances(deps: Pick<HttpDeps, 'service'>): (account: Account) => Promise<Balance> {
  const accounts = new Map<string, Kept>();
  return (account) => balanceOf(deps, accounts, account);
}

async function balanceOf(
  deps: Pick<HttpDeps, 'service'>,
  accounts: Map<string, Kept>,
  account: Account,
): Promise<Balance> {
  const known = accounts.get(account.id) ?? { told: nothing, until: 0, asking: null };
  accounts.set(account.id, known);
  if (known.until <= performance.now() && known.asking === null)
    known.asking = ask(deps, account)
      .then((told) => {
        known.told = told;
        known.until = performance.now() + (told === nothing ? afterFailureMs : freshMs);
      })
      .finally(() => {
        known.asking = null;
      });
  if (known.asking !== null) {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((done) => {
      timer = setTimeout(done, patienceMs);
    });
    await Promise.race([known.asking, enough]);
    clearTimeout(timer);
  }
  return { ...known.told, asking: known.asking !== null };
}

async function ask(deps: Pick<HttpDeps, 'service'>, account: Account): Promise<Told> {
  const issuer = deps.service(account.id);
  if (!issuer) return nothing;
  try {
    const balance = await issuer.client.with(impatientBudget(issuer.budget)).consultarSaldo();
    if (balance.kind !== 'balance' || (balance.creditos ?? balance.estadoSaldo) === null) return nothing;
    return { credits: balance.creditos, state: balance.estadoSaldo };
  } catch {
    // Whatever it is, the watch of credits tells of it; here nothing is known.
    return nothing;
  }
}
