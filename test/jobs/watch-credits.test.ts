import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/domain/alerts.ts';
import type { Account } from '../../src/domain/settings.ts';
import { watchCredits } from '../../src/jobs/watch.ts';
import { alertTexts } from '../../src/messages/alerts.ts';
import { cheapestRecharge, documentsOf, recharges } from '../../src/service/event.ts';

const account = { id: 'principal' } as Account;

/** An account that issued so many production documents in two weeks and has so many credits left. */
async function look(issued: number, creditos: number | null, estadoSaldo: string | null = null) {
  const reported: string[] = [];
  let asked = 0;
  await watchCredits(
    {
      ledger: { counts: { issued: async () => issued } },
      clock: { now: () => new Date('2026-11-20T15:00:00Z') },
      alerts: {
        raise: async ({ code, params }: Alert) => {
          const { what, resolution } = alertTexts(code, params);
          reported.push(`${code}: ${what} ${resolution}`);
        },
        over: async ({ code }: { code: string }) => void reported.push(`${code} over`),
      },
      service: () => ({
        consultarSaldo: async () => {
          asked += 1;
          return { kind: 'balance', creditos, estadoSaldo };
        },
      }),
    } as unknown as Parameters<typeof watchCredits>[0],
    account,
  );
  return { reported, asked };
}

describe('credits', () => {
  test('that last less than ten days raise an alert with the days left and the recharge that fits', async () => {
    const { reported } = await look(140, 85);
    expect(reported).toEqual([
      'credits-low: A la cuenta principal le quedan 85 créditos: al ritmo de las últimas dos semanas alcanzan para 8 días. Recargue; la recarga que menos le cuesta por documento es la de 100 USD (unos 4347 documentos).',
    ]);
  });

  test('that last are no alert, and end the one there was', async () => {
    expect((await look(140, 100)).reported).toEqual(['credits-low over']);
  });

  test('below twenty raise an alert however slowly they go', async () => {
    expect((await look(1, 19)).reported[0]).toMatch(/^credits-low: .*quedan 19 créditos/);
  });

  test('of an account that issues nothing in production are not asked for', async () => {
    expect(await look(0, 0)).toEqual({ reported: ['credits-low over'], asked: 0 });
  });

  test.each([
    ['bajo', 100, /quedan 100 créditos: .* El servicio llama bajo a su saldo\./],
    ['agotado', null, /le quedan pocos créditos\. El servicio llama agotado a su saldo\./],
  ])(
    'that the service calls %s raise an alert whatever the figure says',
    async (state, creditos, message) => {
      expect((await look(140, creditos, state)).reported[0]).toMatch(message);
    },
  );

  test('that the service calls enough, without a figure, are no alert', async () => {
    expect((await look(140, null, 'suficiente')).reported).toEqual(['credits-low over']);
  });

  test('that the service does not tell change nothing', async () => {
    expect((await look(140, null)).reported).toEqual([]);
  });
});

test('the recharge that costs least is the one whose credits are used before they lapse', () => {
  expect(recharges.map(documentsOf)).toEqual([1742, 4347, 31055, 130434]);
  expect([1, 4, 10, 40, 100, 400].map((perDay) => cheapestRecharge(perDay).usd)).toEqual([
    50, 50, 100, 100, 500, 1500,
  ]);
});
