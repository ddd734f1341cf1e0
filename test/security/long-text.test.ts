import { describe, expect, test } from 'vitest';
import { seed, whole } from '../support/chance.ts';
import { type Cost, dearest, fewPairs, manyPairs, mostOften, type Reader } from './long-text/cost.ts';
import { orderReaders } from './long-text/orders.ts';
import { plainReaders } from './long-text/plain.ts';
import { openServiceReaders } from './long-text/service.ts';
import { longestIn, textOf, units } from './long-text/texts.ts';

/*
 * What reads foreign text, with short texts and few signs, at some places of each. `npm run test:long` reads a megabyte
 * of every sign by all of it. Fields of orders and answers are those there are: what is added is read from its first day.
 */
const length = whole ? 1_000_000 : 20_000;
/** Of the places one in so many; FACTURAPUENTE_SEED chooses which. */
const part = 3;
const nothingToClose = { close: async () => {} };
const readersOf: Readonly<Record<string, typeof openServiceReaders>> = {
  'readers, masks and explainers': async () => ({ readers: plainReaders, ...nothingToClose }),
  'orders and refunds': async () => ({ readers: orderReaders, ...nothingToClose }),
  'what the service answers and tells': openServiceReaders,
};

/** As a failure tells it. */
const reported = ({ reader, place, unit, length: read, ratio }: Cost): string =>
  `${reader}: ${place}: ${JSON.stringify(unit)} ${read} times looked at ${Math.round(ratio)} times`;

describe.each(Object.entries(readersOf))('%s', (_kind, open) => {
  test('cost no more than looking at a text so many times, and make no text that is longer than what is kept', async () => {
    const { readers, close } = await open();
    const tooLong: string[] = [];
    const onRead = ({ name, keeps }: Reader, place: string, made: unknown) => {
      const longest = keeps === undefined ? 0 : longestIn(made);
      if (longest > (keeps ?? 0)) tooLong.push(`${name}: ${place}: a text of ${longest}`);
    };
    try {
      const places = readers.flatMap((reader) => reader.places);
      expect(places.length).toBeGreaterThan(100);
      const pairs = whole ? manyPairs : fewPairs(part, seed);
      const dear = await dearest(readers, { length, pairs, from: mostOften, onRead });
      expect(dear.map(reported)).toEqual([]);
      expect(tooLong).toEqual([]);
    } finally {
      await close();
    }
  });
});

describe('a reader that', () => {
  const reader = (read: (text: string) => unknown): Reader => ({
    name: 'planted',
    places: ['here'],
    prepare: (_place, text) => () => read(text),
  });
  const costs = (read: (text: string) => unknown, length: number) =>
    dearest([reader(read)], { length, pairs: () => [['<', 'here'] as const], from: mostOften });

  test('begins anew at each sign is found', async () => {
    const [found] = await costs((text) => /<[^>]*>/.test(text), 20_000);
    expect(found).toMatchObject({ reader: 'planted', place: 'here', unit: '<' });
  });

  test('copies what it has at each sign is found', async () => {
    const found = await costs((text) => {
      let made = '';
      for (const sign of text) {
        made += sign;
        if (!made.endsWith(sign)) return null;
      }
      return made;
    }, 120_000);
    expect(found).toHaveLength(1);
  });

  test('reads a text once or a few times is none', async () => {
    expect(await costs((text) => [text.split('<'), /<$/.test(text), text.normalize('NFKD')], 60_000)).toEqual(
      [],
    );
  });
});

test('a long text of each unit is as long as it says, and every kind of sign is one', () => {
  for (const unit of units) expect(textOf(unit, 50_001)).toHaveLength(50_001);
  expect(new Set(units).size).toBe(units.length);
  const all = units.join('');
  for (const kind of [/\p{P}/u, /\p{S}/u, /\p{Nd}/u, /\p{L}/u, /\p{M}/u, /\p{Cc}/u, /\p{Cs}/u, /\p{Zs}/u])
    expect(all).toMatch(kind);
  for (const punctuation of '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~') expect(units).toContain(punctuation);
});
