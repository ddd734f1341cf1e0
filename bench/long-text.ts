import { type Cost, dearest, manyPairs, mostOften, type Reader } from '../test/security/long-text/cost.ts';
import { readersOf } from '../test/security/long-text/table.ts';
import { longestIn } from '../test/security/long-text/texts.ts';
import { type Line, line } from './line.ts';

/** UTF-16 units of each text. */
const length = 1_000_000;

const told = ({ reader, place, unit, length: read }: Cost): string =>
  `${reader}, ${place}, ${JSON.stringify(unit)}${read === length ? '' : ` (${read} characters)`}`;

/**
 * A megabyte of each sign into everything that reads foreign text: the dearest reading of each kind, as processor time
 * of this thread against what looking at each character of the text once takes. A text of a few characters at the same
 * place is what a reading takes anyway, and is not counted.
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
      const name = `${kind}: 1 MB of each sign in ${places} places / looking at it once; dearest: ${told(worst)}`;
      lines.push(line(name, 'ratio', [worst.ratio], { below: mostOften }));
    } finally {
      await close();
    }
  }
  for (const place of tooLong) console.error(`A text is kept beyond its length: ${place}`);
  return [...lines, line('texts kept beyond their length', 'places', [tooLong.size], { below: 1 })];
}
