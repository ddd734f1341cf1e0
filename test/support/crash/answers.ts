import type { FaultInput } from '../../../sandbox/emulator/index.ts';
import { factura, notaCredito } from '../../sandbox/support.ts';
import { foreseeKeys } from '../foreseen.ts';
import type { JobBenchOptions } from '../job-bench.ts';
import type { World } from './world.ts';

/** One way in which the service meets our emission. */
export interface AnswerClass {
  /** As it stands in docs/exactly-once.md. */
  name: string;
  bench?: JobBenchOptions;
  /** Right before the sale (or the refund) is told of. */
  prepare?(world: World): Promise<void> | void;
}

/** The same answer where the service's free digits have always been those of the sandbox's `fijo`. */
const foreseen = (answer: AnswerClass): AnswerClass => ({
  ...answer,
  name: `key foreseen: ${answer.name}`,
  async prepare(world) {
    await foreseeKeys(world.bench);
    await answer.prepare?.(world);
  },
});

const minute = 60_000;
const buyer = '1710034065';

const fault = (name: string, input: FaultInput): AnswerClass => ({
  name,
  prepare: ({ bench }) => void bench.sandbox.faults.add(input),
});
const verdict = (name: string, codigo: number): AnswerClass =>
  fault(name, { outcome: { identificacion: buyer, codigo, times: 1 } });

/** Another program of the merchant takes our number first, with the same or with another API key. */
function taken(name: string, apiKey: string): AnswerClass {
  return {
    name,
    async prepare({ kind, bench, foreign }) {
      bench.sandbox.addAccount({ apiKey });
      const change = (body: Record<string, Record<string, unknown>>) =>
        Object.assign(body.emisor ?? {}, {
          ruc: issuer,
          secuencial: '000000001',
          fecha_emision: '2026/11/20',
        });
      const [path, body] =
        kind === 'factura'
          ? (['factura', factura(change)] as const)
          : (['credito', notaCredito(change)] as const);
      const response = await fetch(`${bench.sandbox.url}/api/${path}/emision`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as { creado: boolean; claveacceso: string; errors?: string[] };
      if (answer.creado !== true) throw new Error(`Nobody could take the number: ${answer.errors}`);
      foreign.add(answer.claveacceso);
      await bench.decided();
    },
  };
}

const issuer = '1790012345001';

/** The account cannot emit in production for half an hour. */
function account(name: string, lack: Record<string, unknown>): AnswerClass {
  const well = { apiKey: 'clave-1', providerApproved: true, credits: 10 };
  return {
    name,
    bench: { ambiente: 2, sandbox: { accounts: [well] } },
    prepare({ bench, fix }) {
      bench.sandbox.addAccount({ ...well, ...lack });
      fix.push({ afterMs: 30 * minute, run: () => bench.sandbox.addAccount(well) });
    },
  };
}

const wrongKey: AnswerClass = {
  name: '401',
  prepare({ bench, fix }) {
    // Somebody typed the key wrong and mends it later.
    bench.restart(['clave-mala']);
    fix.push({ afterMs: 30 * minute, run: () => bench.restart(['clave-1']) });
  },
};

/** Our POST leaves seconds before midnight in Ecuador. */
const midnight = (name: string, input: FaultInput | null): AnswerClass => ({
  name,
  bench: { now: '2026-11-21T03:00:00Z' },
  prepare(world) {
    const { bench } = world;
    bench.setTime('2026-11-21T04:59:50Z');
    if (input) bench.sandbox.faults.add(input);
    else {
      // It arrives when the day is over.
      world.onLeaving = (name) => {
        if (name.startsWith('emitir') && bench.clock.now().getTime() < Date.parse('2026-11-21T05:00:00Z'))
          bench.setTime('2026-11-21T05:00:05Z');
      };
    }
  },
});

export const answers: readonly AnswerClass[] = [
  { name: 'creado true' },
  fault('creado "true" as a text', { creadoAsString: true }),
  taken('409, key of another document', 'clave-1'),
  taken('409, key of a document another API key issued', 'clave-ajena'),
  fault('200 creado false: the body', { failBeforeStoring: { status: 200, times: 99 } }),
  fault('400 creado false', { failBeforeStoring: 400 }),
  midnight('200 creado false: the day changed', null),
  {
    name: '200 creado false: a clock wrong by a day',
    prepare(world) {
      world.skew = 24 * 60 * minute;
      world.fix.push({ afterMs: 30 * minute, run: () => void Object.assign(world, { skew: 0 }) });
    },
  },
  account('200 creado false: no credits', { credits: 0 }),
  account('200 creado false: provider data', { providerApproved: false }),
  wrongKey,
  fault('429', { tooManyRequests: { retryAfterSeconds: 20, times: 2 } }),
  fault('500 with key, stored', { status500AfterStoring: true }),
  fault('500 with key, not stored', { failBeforeStoring: 500 }),
  fault('500 without key, stored', { htmlAnswer: { status: 500 } }),
  {
    name: 'timeout, stored',
    bench: { patienceMs: 150 },
    prepare: ({ bench }) => void bench.sandbox.faults.add({ delayAnswerMs: 400 }),
  },
  fault('connection broken, not stored', { cutBeforeStoring: { operacion: '*' } }),
  fault('connection broken, stored', { dropAnswer: true }),
  midnight('connection broken, stored, at midnight', { dropAnswer: true }),
  fault('HTML instead of an answer, stored', { htmlAnswer: true }),
  fault('half an answer, stored', { brokenJson: true }),
  verdict('comprobante.error: the body (52)', 52),
  verdict('comprobante.error: outside the body (39)', 39),
  verdict('comprobante.error: 43', 43),
  verdict('comprobante.error: 45', 45),
  verdict('comprobante.error: 70', 70),
  foreseen({ name: 'creado true' }),
  foreseen(taken('409, key of another document', 'clave-1')),
  foreseen(fault('connection broken, stored', { dropAnswer: true })),
  foreseen(fault('connection broken, not stored', { cutBeforeStoring: { operacion: '*' } })),
  foreseen(midnight('connection broken, stored, at midnight', { dropAnswer: true })),
];
