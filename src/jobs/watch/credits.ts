import { owner } from '../../domain/scope.ts';
import type { Account } from '../../domain/settings.ts';
import { cheapestRecharge, documentsOf } from '../../service/tariff.ts';
import type { StepDeps } from '../deps.ts';

const day = 24 * 3_600_000;
const lookBackDays = 14;
/** From here on there is time for a transfer to arrive. */
const warnDays = 10;
/** An account that issues little runs out between two looks all the same. */
const warnCredits = 20;

type CreditDeps = Pick<StepDeps, 'ledger' | 'clock' | 'alerts' | 'service' | 'log'>;

/** Warns of credits that will not last: production documents cost one each (spec, prices). */
export async function watchCredits(deps: CreditDeps, account: Account): Promise<void> {
  const { ledger, clock, alerts } = deps;
  const now = clock.now();
  const issued = await ledger.counts.issued(account.id, new Date(now.getTime() - lookBackDays * day));
  const name = { code: 'credits-low', subject: account.id };
  // Nothing left in production: nothing is consumed, whatever the wallet holds.
  if (issued === 0) return alerts.over(name);
  const balance = await deps.service(account, null).consultarSaldo();
  if (balance.kind !== 'balance') return;
  const { creditos, estadoSaldo } = balance;
  if (creditos === null && estadoSaldo === null) return;
  const perDay = issued / lookBackDays;
  const isLow = estadoSaldo === 'bajo' || estadoSaldo === 'agotado';
  const lasts = creditos === null || (Math.floor(creditos / perDay) >= warnDays && creditos >= warnCredits);
  if (lasts && !isLow) return alerts.over(name);
  const recharge = cheapestRecharge(perDay);
  await alerts.raise({
    ...name,
    about: owner.account(account.id),
    what: `${leftWords(account.id, creditos, perDay)}${isLow ? ` El servicio llama ${estadoSaldo} a su saldo.` : ''}`,
    cure: `Recargue; la recarga que menos le cuesta por documento es la de ${recharge.usd} USD (unos ${documentsOf(recharge)} documentos).`,
  });
}

function leftWords(account: string, creditos: number | null, perDay: number): string {
  if (creditos === null) return `A la cuenta ${account} le quedan pocos créditos.`;
  const days = Math.floor(creditos / perDay);
  return `A la cuenta ${account} le quedan ${creditos} créditos: al ritmo de las últimas dos semanas alcanzan para ${days} ${days === 1 ? 'día' : 'días'}.`;
}
