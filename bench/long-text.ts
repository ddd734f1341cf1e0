import { type Cost, dearest, manyPairs, mostOften, type Reader } from '../test/security/long-text/cost.ts';
import { readersOf } from '../test/security/long-text/table.ts';
import { longestIn } from '../test/security/long-text/texts.ts';
import { type Line, line } from './line.ts';

/** UTF-16 units of each text. */
const length = 1_000_000;

const reported = ({ reader, place, unit, length: read }: Cost): string =>
  `${reader}, ${place}, ${JSON.stringify(unit)}${read === length ? '' : ` (${read} characters)`}`;

/**
 * Feeds a megabyte of each character to every reader of text from outside, and reports the most expensive reading of each
 * kind: processor time of this thread relative to looking at each character once. The time of a short text at the same
 * place is subtracted.
 */
export async function longText(): Promise<Line[]> {
  const lines: Line[] = [];
  const tooLong = new Set<string>();
  const onRead = ({ name, keeps }: Reader, place: string, made: unknown) => {
    if (keeps !== undefined && longestIn(made) > keeps) tooLong.add(`${name}, ${place}`);
  };
  for (const [kind, open] of Object.entries(readersOf)) {
    const { readers, close } = await open();
    try {
      const costs = await dearest(readers, { length, pairs: manyPairs, onRead });
      const worst = costs.reduce((most, cost) => (cost.ratio > most.ratio ? cost : most));
      const places = readers.reduce((sum, reader) => sum + reader.places.length, 0);
      const name = `${kind}: 1 MB of each sign in ${places} places / looking at it once; dearest: ${reported(worst)}`;
      lines.push(line(name, 'ratio', [worst.ratio], { below: mostOften }));
    } finally {
      await close();
    }
  }
  for (const place of tooLong) console.error(`A text is kept beyond its length: ${place}`);
  return [...lines, line('texts kept beyond their length', 'places', [tooLong.size], { below: 1 })];
}
