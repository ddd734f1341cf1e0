import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, decimal, toAmount } from '../../src/domain/money.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a decimal', () => {
  it('reads the digits a number shows', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(decimal(value).toNumber()).toBe(value);
      }),
    );
  });

  it('is written in plain digits, never with an exponent', () => {
    for (const digits of ['0.0000000001', '123456789012345678901234567890'])
      expect([String(decimal(digits)), decimal(digits).toFixed()]).toEqual([digits, digits]);
  });

  it('keeps 40 digits of a quotient without end, and rounds halves away from zero', () => {
    expect(decimal(100).div(3).toFixed()).toBe(`33.${'3'.repeat(38)}`);
    expect(['0.005', '-0.005', '2.675', '0.0049'].map(toAmount)).toEqual(['0.01', '-0.01', '2.68', '0.00']);
  });

  it('writes zero without a sign', () => {
    for (const nothing of ['-0', '-0.00', '-0.001', Decimal.max(-1, 0)])
      expect(toAmount(decimal(nothing))).toBe('0.00');
  });

  it('is finite: what was divided by zero is no amount', () => {
    expect(() => toAmount(decimal(1).div(0))).toThrow(RangeError);
  });

  it('is compared with zero, never asked for its sign, which zero may have too', () => {
    const sources = globSync('{src,adapters,mappers,sandbox}/**/*.ts', {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist',
    });
    const asking = sources.filter((file) =>
      /\.is(?:Neg|Pos)(?:ative|itive)?\(\)/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(sources.length).toBeGreaterThan(300);
    expect(asking).toEqual([]);
  });

  it.each(['', '-', '1,5', '1.2.3', '--1', 'abc', 'NaN', 'Infinity', '1e400e'])(
    'does not read %o',
    (text) => {
      expect(() => decimal(text)).toThrow();
    },
  );
});
