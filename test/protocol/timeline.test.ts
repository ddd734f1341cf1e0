import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentState, MoveCause, MoveNote } from '../../src/domain/document.ts';
import { type Deciding, learn, move, nothingLearnt } from '../../src/protocol/deciding.ts';
import { rules } from '../../src/protocol/rules.ts';
import { timings } from '../../src/protocol/state.ts';
import { ready } from './model/world.ts';

const states = ['held', 'ready', 'sending', 'processing', 'uncertain', 'rejected', 'manual'] as const;
const causes = [
  ...([undefined, 'no final state', 'not found', 'found', 'known unsent', 'unexpected key'] as const),
  ...(['foreseen key', 'unknown key', 'retry', 'reprocessed'] as const),
] satisfies (MoveCause | undefined)[];
const moves = fc.array(
  fc.record({
    to: fc.constantFrom<DocumentState[]>(...states),
    cause: fc.constantFrom(...causes),
    accessKey: fc.constantFrom(undefined, 'a', 'b'),
    otherKey: fc.constantFrom(undefined, 'a', 'c'),
    minutes: fc.nat(20),
  }),
  { maxLength: 20 },
);

test('the rows of a timeline say the same as the decisions that wrote them', () => {
  fc.assert(
    fc.property(moves, (some) => {
      const { state } = ready('factura', 1, 0);
      const d = { state, effects: [], request: null, reply: null, rules, timings } as unknown as Deciding;
      let at = 0;
      const rows = some.map(({ to, minutes, ...note }) => {
        at += minutes;
        const from = d.state.document.state;
        Object.assign(d, { now: { at, day: 'd0' } });
        move(d, [from], to, {}, note as MoveNote);
        // As the ledger keeps it: JSON, without what is undefined.
        return JSON.parse(JSON.stringify({ from, to, note, at }));
      });
      expect(rows.reduce(learn, nothingLearnt(0))).toEqual(d.state.learnt);
    }),
  );
});
