import type { Account } from '../../../core/settings.ts';
import type { HttpDeps } from '../../deps.ts';
import { impatientBudget } from '../../impatient-budget.ts';

/** What the service last said of an account's credits. */
export interface Balance {
  /** Null where it did not answer, or does not tell. */
  credits: number | null;
  /** The answer is still on its way. */
  asking: boolean;
}

const freshMs = 10 * 60_000;
const afterFailureMs = 60_000;
/** A page does not wait longer: the answer is there for the next one. */
const patienceMs = 120;

interface Kept {
  credits: number | null;
  until: number;
  asking: Promise<void> | null;
}
const kept = new WeakMap<HttpDeps, Map<string, Kept>>();

/** Asks the service for an account's credits, at most every ten minutes whoever looks. */
export async function balanceOf(deps: HttpDeps, account: Account): Promise<Balance> {
  const accounts = kept.get(deps) ?? new Map<string, Kept>();
  kept.set(deps, accounts);
  const known = accounts.get(account.id) ?? { credits: null, until: 0, asking: null };
  accounts.set(account.id, known);
  if (known.until <= performance.now() && known.asking === null)
    known.asking = ask(deps, account)
      .then((credits) => {
        known.credits = credits;
        known.until = performance.now() + (credits === null ? afterFailureMs : freshMs);
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
  return { credits: known.credits, asking: known.asking !== null };
}

async function ask(deps: HttpDeps, account: Account): Promise<number | null> {
  const issuer = deps.service(account.id);
  if (!issuer) return null;
  try {
    const balance = await issuer.client.with(impatientBudget(issuer.budget)).consultarSaldo();
    return balance.kind === 'balance' ? balance.creditos : null;
  } catch {
    // Whatever it is, the watch of credits tells of it; here nothing is known.
    return null;
  }
}
