import { describe, expect, test } from 'vitest';
import { amount, parseJson, readJson, readJsonHead } from '../../src/domain/loose.ts';

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

test.each([
  ['200 levels', nested(200)],
  ['brackets inside a string', JSON.stringify({ note: '['.repeat(500), after: [1] })],
  ['brackets behind an escaped quote', JSON.stringify({ note: `\\"${'{'.repeat(500)}\\\\` })],
  ['many values side by side', `[${'[],'.repeat(999)}[]]`],
])('JSON with %s is read', (_what, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
  expect(readJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ['201 lists', nested(201)],
  ['120,000 lists', nested(120_000)],
  ['201 objects', nested(200, '{"a":', '}').replace(':}', ':{}}')],
  ['lists that never end', '['.repeat(120_000)],
  ['lists behind a string', `{"note":"a\\\\","more":${nested(300)}}`],
  ['lists, and digits that are kept', `[1234567890123456789,${nested(300)}]`],
])('JSON of %s is refused before anything is made of it', (_what, text) => {
  for (const read of [parseJson, readJson])
    expect(() => read(text)).toThrow(new SyntaxError('JSON nested deeper than 200 levels'));
});

test.each(['', '"never ends', '{"a":"\\', '{"a" 1}', '<html>'])('%j is no JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test.each([
  ['one byte order mark', '\ufeff'],
  ['one of every PHP file on the way', '\ufeff\ufeff\r\n\ufeff'],
])('JSON after %s is read', (_what, before) => {
  expect(parseJson(`${before}{"id":1}`)).toEqual({ id: 1 });
  expect(readJson(`${before}{"id":12345678901234567890}`)).toEqual({ id: '12345678901234567890' });
  expect(readJsonHead(Buffer.from(`${before}{"id":29,"status":"paid","rows":[]}`))).toEqual({
    id: 29,
    status: 'paid',
  });
});

describe('an amount', () => {
  test.each<[unknown, string]>([
    ['12.50', '12.50'],
    [' 7 ', '7'],
    [19.990000000000002, '19.99'],
    ['-8.0E-5', '-0.00008'],
    ['5.0e-5', '0.00005'],
    [1e-7, '0.0000001'],
    [-1e-12, '0'],
    ['1.0E-25', '0'],
    [100, '100'],
  ])('%j is %s', (given, digits) => {
    expect(amount.parse(given)).toBe(digits);
  });

  test.each(['1E5', '1e', 'E-5', '1.0E-5x', '1,50', '', Number.POSITIVE_INFINITY, Number.NaN, 1e50, true])(
    '%j is none',
    (given) => {
      expect(amount.safeParse(given).success).toBe(false);
    },
  );
});
