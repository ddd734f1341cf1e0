import { expect } from 'vitest';
import type { DocumentKind } from '../../../src/domain/document.ts';
import { seed, whole } from '../chance.ts';
import { openDatabase } from '../servers.ts';
import type { AnswerClass } from './answers.ts';
import type { Doom, Effect } from './fate.ts';
import { judge } from './judge.ts';
import { type Mode, openWorld } from './world.ts';

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

export interface Run {
  onPostgres: boolean;
  /** The boundaries somebody died at before, in whatever row; this row's are added to them. */
  met: Set<string>;
  /** How often a boundary came that another row led to before: on SQLite one in six is died at again. */
  again: number;
}

/**
 * Lives every cell of a row and answers how they ended: in `npm test` those that die where nobody did, and the one that
 * lives. Dying before an effect leaves the same world as dying after the one before it, so one side is taken in each mode.
 * Webhooks are lost where nobody dies, and heard in every other cell.
 */
export async function liveRow(row: Row, run: Run): Promise<{ ends: string[]; cells: number }> {
  const { onPostgres } = run;
  const ends = new Set<string>();
  const wrong: string[] = [];
  let cells = 0;
  const liveCell = async ({ doom, heard }: Cell): Promise<readonly Effect[]> => {
    const { kind, mode, answer } = row;
    const database = onPostgres ? await openDatabase() : null;
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

  if (whole && !onPostgres) {
    for (const heard of [false, true])
      for (const doom of everyDoom(await liveCell({ doom: null, heard }))) await liveCell({ doom, heard });
  } else {
    const effects = await liveCell({ doom: null, heard: false });
    for (const doom of newDooms(effects, row, run)) await liveCell({ doom, heard: doom.at % 2 === 0 });
  }
  expect(wrong, `${row.kind}, ${row.mode}, ${row.answer.name}`).toEqual([]);
  return { ends: [...ends].sort(), cells };
}

function everyDoom(effects: readonly Effect[]): Doom[] {
  return effects.flatMap(({ name }, index): Doom[] => {
    const at = index + 1;
    return [{ at, side: 'before' }, { at, side: 'after' }, ...lateOf(name, at)];
  });
}

function newDooms(effects: readonly Effect[], { kind, mode }: Row, run: Run): Doom[] {
  const own = new Set<string>();
  return effects.flatMap(({ name }, index): Doom[] => {
    const at = index + 1;
    // Where the work itself is settled nothing else changes, and the tenth probe is as the second was.
    const place = `${kind} ${effects[index - 1]?.name} ${name}`;
    if (name.startsWith('jobs.') || own.has(place)) return [];
    own.add(place);
    if (run.met.has(place)) {
      run.again += 1;
      if (run.onPostgres || (run.again + seed) % 6 !== 0) return [];
    }
    run.met.add(place);
    return [{ at, side: mode === 'fijo' ? 'before' : 'after' }, ...lateOf(name, at)];
  });
}

const lateOf = (name: string, at: number): Doom[] =>
  name.startsWith('emitir') ? [{ at, side: 'late' }] : [];
