import { expect } from 'vitest';
import type { DocumentKind } from '../../../src/domain/document.ts';
import { openDatabase } from '../servers.ts';
import type { AnswerClass } from './answers.ts';
import type { Doom, Effect } from './fate.ts';
import { judge } from './judge.ts';
import { type Mode, openWorld } from './world.ts';

/** With CRASH_MATRIX=full both sides of every boundary die in both modes, with and without webhooks. */
export const full = process.env.CRASH_MATRIX === 'full';

/** One row of the matrix: an answer, and every place to die at while it is met. */
export interface Row {
  kind: DocumentKind;
  mode: Mode;
  answer: AnswerClass;
}

interface Cell {
  doom: Doom | null;
  heard: boolean;
}

/**
 * Lives every cell of a row and answers how they ended. Dying before an effect leaves the same world as dying after
 * the one before it, so a short run takes one side in each mode, and webhooks in every other cell.
 * @param elsewhere on PostgreSQL: the boundaries somebody died at before, in whatever row; this row's are added to them.
 */
export async function liveRow(row: Row, elsewhere?: Set<string>): Promise<{ ends: string[]; cells: number }> {
  const ends = new Set<string>();
  const wrong: string[] = [];
  let cells = 0;
  const liveCell = async ({ doom, heard }: Cell): Promise<readonly Effect[]> => {
    const { kind, mode, answer } = row;
    const database = elsewhere ? await openDatabase() : null;
    const bench = { ...answer.bench, ...(database && { ledgerUrl: database.url }) };
    const world = await openWorld({ kind, mode, heard, bench });
    try {
      await answer.prepare?.(world);
      await world.run(doom);
      const effects = [...world.fate.effects];
      world.fate.end();
      const verdict = await judge(world);
      cells += 1;
      ends.add(verdict.end);
      const at = doom ? `dying ${doom.side} ${doom.at} (${effects[doom.at - 1]?.name})` : 'living';
      for (const what of verdict.wrong) wrong.push(`${at}, webhooks ${heard ? 'heard' : 'lost'}: ${what}`);
      return effects;
    } finally {
      await world.close();
      await database?.drop();
    }
  };

  const { mode } = row;
  for (const heard of elsewhere ? [false] : [false, true]) {
    const effects = await liveCell({ doom: null, heard });
    for (const doom of doomsOf(effects, mode, elsewhere)) {
      if (full || elsewhere || (doom.at % 2 === 0) === heard) await liveCell({ doom, heard });
    }
  }
  expect(wrong, `${row.kind}, ${row.mode}, ${row.answer.name}`).toEqual([]);
  return { ends: [...ends].sort(), cells };
}

function doomsOf(effects: readonly Effect[], mode: Mode, met = new Set<string>()): Doom[] {
  return effects.flatMap(({ name }, index): Doom[] => {
    const at = index + 1;
    const before: Doom = { at, side: 'before' };
    const after: Doom = { at, side: 'after' };
    const late: Doom[] = name.startsWith('emitir') ? [{ at, side: 'late' }] : [];
    if (full) return [before, after, ...late];
    // Where the work itself is settled nothing else changes, and the tenth probe is as the second was.
    const place = `${effects[index - 1]?.name} ${name}`;
    if (name.startsWith('jobs.') || met.has(place)) return [];
    met.add(place);
    return [mode === 'fijo' ? before : after, ...late];
  });
}
