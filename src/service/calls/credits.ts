import type { BalanceAnswer } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { readCredits } from '../inferred.ts';
import { readMovements, walletsBody } from '../inferred-accounts.ts';
import { type ReadReply, readSaid } from '../replies.ts';
import { check, sentencesOf } from '../shapes/checked.ts';
import {
  type CreditHistoryAnswer,
  type CreditHistoryRequest,
  creditHistoryRequest,
} from '../shapes/credits.ts';

/** What the account has left, and what became of the rest. */
export interface CreditCalls {
  /** `GET /api/creditos/saldo` (assumption A7): both wallets; also the way to check that an API key is valid. */
  consultarSaldo(): Promise<BalanceAnswer>;
  /** `GET /api/creditos/historial` (assumption A7): one page of the billing wallet's movements. */
  consultarHistorialCreditos(asked?: CreditHistoryRequest): Promise<CreditHistoryAnswer>;
}

export function creditCalls({ ask }: Exchange): CreditCalls {
  return {
    consultarSaldo() {
      const call = { method: 'GET', path: '/api/creditos/saldo' } as const;
      return ask({ operation: 'consultarSaldo', slot: 'question', call, read: readBalance });
    },
    async consultarHistorialCreditos(asked = {}) {
      const checked = check(creditHistoryRequest, asked);
      if (!checked.ok) return { kind: 'refused', status: null, errors: sentencesOf(checked.fields) };
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(checked.data))
        if (value !== undefined) query.set(name, String(value));
      const path = `/api/creditos/historial${query.size > 0 ? `?${query}` : ''}`;
      const call = { method: 'GET', path } as const;
      return ask({ operation: 'consultarHistorialCreditos', slot: 'question', call, read: readHistory });
    },
  };
}

function readBalance(reply: ReadReply): BalanceAnswer {
  const said = readSaid(reply);
  // Reading has nothing to refuse: a failure teaches nothing about the wallets.
  if (said.kind === 'refused') return { kind: 'unknown', reason: `answered ${said.status} without success` };
  if (said.kind !== 'said') return said;
  const { facturacion, consultas, estado_saldo } = walletsBody.parse(said.body);
  return {
    kind: 'balance',
    creditos: readCredits(said.body),
    estadoSaldo: estado_saldo ?? facturacion?.estado_saldo ?? null,
    venceEn: facturacion?.vence_en ?? null,
    consultas: { saldo: consultas?.saldo ?? null, gratisRestantes: consultas?.gratis_restantes ?? null },
    aviso: said.aviso,
  };
}

function readHistory(reply: ReadReply): CreditHistoryAnswer {
  const said = readSaid(reply);
  if (said.kind === 'refused') return { kind: 'unknown', reason: `answered ${said.status} without success` };
  if (said.kind !== 'said') return said;
  const movimientos = readMovements(said.body);
  return movimientos === null
    ? { kind: 'unknown', reason: 'answered without a list of movements' }
    : { kind: 'history', movimientos, aviso: said.aviso };
}
