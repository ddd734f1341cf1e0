import fc from 'fast-check';
import { it } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { type Model, mustHold, mustRest, openReal, type Real } from '../support/crash/model.ts';
import { foreseeKeys, setKeyDigits } from '../support/foreseen.ts';

/** MODEL_RUNS=10000 FACTURAPUENTE_SEED=random for a night. */
const runs = Number(process.env.MODEL_RUNS ?? 60);
const minute = 60_000;

type Event = fc.AsyncCommand<Model, Real>;

/** One thing that happens; afterwards everything that must hold is looked at. */
function event(name: string, run: (real: Real) => Promise<unknown> | unknown): Event {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await run(real);
      await mustHold(model, real);
    },
  };
}

const message = async ({ bench }: Real) => bench.sync('1201');
const left = ({ bench }: Real) =>
  Number(bench.shop.order('1201')?.total) -
  bench.shop.refunds('1201').reduce((sum, { amount }) => sum + Number(amount), 0);
const buyer = (cedula: string) => (real: Real) => {
  real.identify(cedula);
  return message(real);
};

const faults: FaultInput[] = [
  { dropAnswer: true },
  { cutBeforeStoring: { operacion: '*' } },
  { htmlAnswer: true },
  { brokenJson: true },
  { status500AfterStoring: true },
  { failBeforeStoring: 500 },
  { failBeforeStoring: 400 },
  { tooManyRequests: { retryAfterSeconds: 20 } },
  ...[10, 35, 39, 43, 45, 50, 52, 70].map((codigo) => ({ outcome: { codigo, times: 1 } })),
];

const events: fc.Arbitrary<Event>[] = [
  fc.constant(event('paid', message)),
  fc.constant(event('poll', ({ poll }) => poll())),
  fc.constant(event('poll', ({ poll }) => poll())),
  fc.integer({ min: 1, max: 15 }).map((dollars) =>
    event(`refund ${dollars}`, (real) => {
      if (left(real) < dollars) return;
      real.bench.shop.refund('1201', { amount: dollars.toFixed(2) });
      return message(real);
    }),
  ),
  fc.constant(
    event('refund deleted', (real) => {
      const [newest] = real.bench.shop.refunds('1201');
      if (newest) real.bench.shop.deleteRefund('1201', newest.id);
      return message(real);
    }),
  ),
  fc.constant(event('wrong identification', buyer('1710034066'))),
  fc.constant(event('right identification', buyer('1710034065'))),
  fc
    .constantFrom(...faults)
    .map((fault) => event(JSON.stringify(fault), ({ bench }) => void bench.sandbox.faults.add(fault))),
  fc.constantFrom(1, 3, 10, 90, 1440).map((count) =>
    event(`${count} minutes`, async ({ bench, poll }) => {
      bench.advance(count * minute);
      await poll();
    }),
  ),
  fc.constant(
    event('midnight', ({ bench }) => {
      const now = bench.clock.now().getTime();
      const day = 1440 * minute;
      // 05:00 UTC is midnight in Ecuador.
      bench.advance(day - ((now - 300 * minute) % day) - 5_000);
    }),
  ),
  fc.nat(5).map((nth) => event(`event ${nth}`, ({ notify: report }) => report(nth))),
  fc
    .record({
      at: fc.integer({ min: 1, max: 14 }),
      side: fc.constantFrom('before' as const, 'after' as const),
    })
    .map((doom) => event(`death ${doom.side} ${doom.at}`, ({ poll }) => poll(doom))),
  fc.constant(event('the account refuses', ({ bench }) => bench.restart(['clave-mala']))),
  fc.constant(event('the account recovers', ({ bench }) => bench.restart(['clave-1']))),
  fc.constant(event('keys can be foreseen', ({ bench }) => foreseeKeys(bench))),
  fc
    .constantFrom('fijo', 'aleatorio')
    .map((modo) => event(`keys become ${modo}`, ({ bench }) => setKeyDigits(bench.sandbox, modo))),
  fc.constant(event('a foreign number', ({ intrude }) => intrude())),
  fc.constant(event('the config is mended', ({ fix }) => fix())),
];

it.each(['fijo', 'aleatorio'] as const)(
  'whatever happens to an order, in whatever order, with keys %s: one number each, final stays final, nothing waits for ever',
  { timeout: 3_600_000 },
  async (mode) => {
    const property = fc.asyncProperty(
      fc.commands(events, { size: '+1', maxCommands: 24 }),
      async (commands) => {
        const real = await openReal(mode);
        try {
          const model: Model = { numbers: new Map(), final: new Map() };
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await real.settle();
          await mustHold(model, real);
          await mustRest(real);
        } finally {
          await real.bench.close();
        }
      },
    );
    await fc.assert(property, { numRuns: runs, endOnFailure: process.env.MODEL_SHRINK !== '1' });
  },
);
