import type { Sandbox } from '../../sandbox/emulator/index.ts';
import { documentCodes } from '../../src/domain/document.ts';
import type { JobBench } from './job-bench.ts';

/** As if two documents of each type, sent long ago, had borne the digits that the sandbox gives with `fijo`. */
export async function foreseeKeys({ ledger, store }: Pick<JobBench, 'ledger' | 'store'>): Promise<void> {
  const { ruc, ambiente } = store.issuer;
  for (const codDoc of Object.values(documentCodes))
    for (const day of ['2026-01-01', '2026-01-02'])
      await ledger.keyDigits.learn(
        { account: store.account.id, ruc, ambiente, codDoc },
        '123456781',
        `${day}T00:00:00.000Z`,
      );
}

/** The service gives its next keys other free digits. */
export async function setKeyDigits({ url }: Pick<Sandbox, 'url'>, modo: string): Promise<void> {
  const body = JSON.stringify({ modo });
  const answer = await fetch(`${url}/__sandbox/codigo-numerico`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}.`);
}
