import { textOf, units } from './texts.ts';

/** One way foreign text takes through the product. */
export interface Reader {
  name: string;
  /** Where the text can stand in what it reads. */
  places: readonly string[];
  /** The longest text that is let in at all; as long as asked for unless said. */
  most?: number;
  /** No text it makes of it is longer, nor what an error says; not said where it hands on what it was given. */
  keeps?: number;
  /** Brings the text to its place; what that takes is not the reader's. Answers the reading. */
  prepare(place: string, text: string): Reading | Promise<Reading>;
}

/** Answers, or throws, what was made of the text. */
type Reading = () => unknown;

/** What one reading took. */
export interface Cost {
  reader: string;
  place: string;
  unit: string;
  /** Of the text, in UTF-16 units. */
  length: number;
  /** Processor time beyond what a short text takes / processor time of looking at each unit of the text once. */
  ratio: number;
}

/** A text that takes less than so many units is counted as one of so many: what a request takes varies that much. */
const resolution = 100_000;
/** A text of any length costs less than looking at it so many times. */
export const mostOften = 200;

/** Microseconds of the processor this thread has had, whoever else uses the machine. */
function processorTime(): number {
  // The kernel counts a thread at its ticks, some milliseconds apart; asked for the process, it counts to this moment.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

async function timeOf(reading: Reading): Promise<number> {
  const began = processorTime();
  await reading();
  return processorTime() - began;
}

async function leastOf(times: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n += 1) least = Math.min(least, await measure());
  return least;
}

/** Looks at each unit of a text once; answers a sum of them, so that the looking is not left out. */
function look(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum + text.charCodeAt(at)) | 0;
  return sum;
}

interface Look {
  text: string;
  /** Microseconds. */
  took: number;
  sum: number;
}

/** What looking at a text takes; the same text is asked for again and again. */
function openLooks(): (unit: string, length: number) => Promise<Look> {
  const known = new Map<string, Promise<Look>>();
  const take = async (unit: string, length: number): Promise<Look> => {
    const text = textOf(unit, length);
    const counted = textOf(unit, Math.max(length, resolution));
    let sum = 0;
    const took = await leastOf(8, () =>
      timeOf(() => {
        sum ^= look(counted);
      }),
    );
    return { text, took, sum };
  };
  return (unit, length) => {
    const key = `${length} ${unit}`;
    const kept = known.get(key) ?? take(unit, length);
    known.set(key, kept);
    return kept;
  };
}

interface Asked {
  /** Of the texts, in UTF-16 units. */
  length: number;
  /** Which places are read with which units. */
  pairs(reader: Reader): Iterable<readonly [unit: string, place: string]>;
  /** What costs less is not looked at more closely. */
  from?: number;
  /** Told what came of each reading. */
  onRead?(reader: Reader, place: string, made: unknown): void;
}

/** Readings of one reader, about: more only where it has more places, or the units are more. */
const enough = 150;

/** Each place with some units and each unit in some places; all with all where that is not too much. */
export function* manyPairs({ places }: Reader): Iterable<readonly [string, string]> {
  const all = places.length * units.length;
  const share = Math.max(1, Math.min(Math.floor(all / enough), places.length, units.length));
  for (const [n, unit] of units.entries())
    for (const [at, place] of places.entries()) if ((at + n) % share === 0) yield [unit, place];
}

/**
 * Each place once, or every so manieth from one on, each with another unit; a place that is the only one with all of them.
 */
export const fewPairs =
  (part = 1, from = 0) =>
  ({ places }: Reader): (readonly [string, string])[] => {
    const [only] = places;
    if (part === 1 && places.length === 1 && only !== undefined) return units.map((unit) => [unit, only]);
    const pairs = places
      .filter((_place, at) => at % part === from % part)
      .map((place, at) => [units[(at + from) % units.length] ?? '', place] as const);
    // Those of one text one after the other.
    return pairs.toSorted(([one], [other]) => units.indexOf(one) - units.indexOf(other));
  };

/**
 * The dearest reading of each reader that has one beyond `from`. A text is read at a thirtieth of its length first: what
 * grows with the square is found there in milliseconds, and is not read again at its full length.
 */
export async function dearest(
  readers: readonly Reader[],
  { length, pairs, from = 0, onRead = () => {} }: Asked,
): Promise<Cost[]> {
  const looks = openLooks();
  const found: Cost[] = [];
  for (const reader of readers) {
    const full = Math.min(length, reader.most ?? length);
    const lengths = full > resolution ? [Math.ceil(full / 30), full] : [full];
    const short = new Map<string, number>();
    const shortOf = async (place: string, anew = false) => {
      const known = anew ? undefined : short.get(place);
      const least = known ?? (await leastOf(3, async () => timeOf(await reader.prepare(place, 'x'))));
      short.set(place, least);
      return least;
    };
    let worst: Cost | null = null;
    for (const [unit, place] of pairs(reader))
      for (const each of lengths) {
        const { text, took } = await looks(unit, each);
        const reading = await reader.prepare(place, text);
        let made: unknown;
        const time = () =>
          timeOf(async () => {
            made = await reading();
          });
        let least = await time();
        onRead(reader, place, made);
        if (least / took <= (worst?.ratio ?? from)) continue;
        // A pause of the machine falls on one reading, not on three.
        least = Math.min(least, await leastOf(2, time));
        let ratio = Math.max(0, least - (await shortOf(place))) / took;
        // What a short text takes grows where what was sold before stays: it is taken again beside the long one.
        if (ratio > mostOften) ratio = Math.max(0, least - (await shortOf(place, true))) / took;
        if (ratio <= (worst?.ratio ?? from)) continue;
        worst = { reader: reader.name, place, unit, length: each, ratio };
        if (ratio > mostOften) break;
      }
    if (worst) found.push(worst);
  }
  return found;
}
