import type { BalanceAnswer } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { readCredits } from '../inferred.ts';
import { walletsBody } from '../inferred-accounts.ts';
import { type ReadReply, readSaid } from '../replies.ts';

/** What the account has left. */
export interface CreditCalls {
  /** `GET /api/creditos/saldo` (assumption A7): both wallets; also the way to check that an API key is valid. */
  consultarSaldo(): Promise<BalanceAnswer>;
}

export function creditCalls({ ask }: Exchange): CreditCalls {
  const call = { method: 'GET', path: '/api/creditos/saldo' } as const;
  return {
    consultarSaldo: () => ask({ operation: 'consultarSaldo', slot: 'question', call, read: readBalance }),
  };
}

function readBalance(reply: ReadReply): BalanceAnswer {
  const said = readSaid(reply);
  // Reading has nothing to refuse: a failure teaches nothing about the wallets.
  if (said.kind === 'refused') return { kind: 'unknown', reason: `answered ${said.status} without success` };
  if (said.kind !== 'said') return said;
  const { facturacion, consultas } = walletsBody.parse(said.body);
  return {
    kind: 'balance',
    creditos: readCredits(said.body),
    venceEn: facturacion?.vence_en ?? null,
    consultas: { saldo: consultas?.saldo ?? null, gratisRestantes: consultas?.gratis_restantes ?? null },
    aviso: said.aviso,
  };
}
