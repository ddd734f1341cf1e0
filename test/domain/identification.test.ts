import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examine, identify, isCedula, isRuc, rucOwner } from '../../src/domain/identification.ts';
import { hasShared, readShared } from '../support/shared.ts';

/** Written apart from the product: Luhn's check as it is taught, from the right, over the whole number. */
function luhn(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map(Number)
    .map((digit, at) => (at % 2 === 1 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] : digit) ?? 0)
    .reduce((total, digit) => total + digit, 0);
  return sum % 10 === 0;
}
const provinces = [...Array(24).keys()].map((n) => String(n + 1).padStart(2, '0')).concat('30');
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
/** Mostly numbers of real provinces, where the check digit decides. */
const tenDigits = fc.oneof(
  digits(10),
  fc.tuple(fc.constantFrom(...provinces), digits(8)).map((parts) => parts.join('')),
);

describe('any ten digits', () => {
  it('are a cédula if and only if the province exists and modulo 10 holds', () => {
    fc.assert(
      fc.property(tenDigits, (number) => {
        expect(isCedula(number)).toBe(provinces.includes(number.slice(0, 2)) && luhn(number));
        expect(identify(number)?.type === 'cedula').toBe(isCedula(number));
      }),
      { numRuns: 5_000 },
    );
  });

  it('are told apart from a cédula with one digit changed or two neighbours exchanged', () => {
    fc.assert(
      fc.property(tenDigits.filter(isCedula), fc.nat(8), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
        const changed = [...number];
        changed[at + 1] = String((Number(changed[at + 1]) + by) % 10);
        expect(isCedula(changed.join(''))).toBe(false);
      }),
    );
  });
});

describe('any thirteen digits', () => {
  it('are a RUC if and only if province and establishment exist and, unless 6 or 9 stands third, the cédula is one', () => {
    fc.assert(
      fc.property(tenDigits, digits(3), (first, establishment) => {
        const number = first + establishment;
        const company = number[2] === '6' || number[2] === '9';
        const expected =
          provinces.includes(number.slice(0, 2)) && establishment !== '000' && (company || luhn(first));
        if (/^9+$/.test(number)) return;
        expect(isRuc(number)).toBe(expected);
        expect(identify(number)?.type).toBe(expected ? 'ruc' : undefined);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('whatever is typed', () => {
  it('is examined without throwing, and what is accepted is plain digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const examined = examine(text);
        if (examined.ok) expect(examined.found.value).toMatch(/^(\d{10}|\d{13})$/);
      }),
    );
  });

  it('means the same with spaces, dots, dashes and a label around it', () => {
    const noise = fc.constantFrom('', ' ', '.', '-', ' - ', '\u00a0', '\u2011', '\u200b');
    const label = fc.constantFrom('', 'CI ', 'C.I.: ', 'Cédula ', 'RUC: ', 'R.U.C. No. ', 'Identificación: ');
    fc.assert(
      fc.property(tenDigits.filter(isCedula), noise, label, (number, between, before) => {
        expect(identify(before + [...number].join(between))).toEqual(identify(number));
      }),
    );
  });
});

describe.skipIf(!hasShared)('every known answer', () => {
  const known = hasShared ? JSON.parse(readShared('data/sri/kat-identifications.json')) : {};
  const cedulas: string[] = hasShared
    ? [...known.cedulas_valid, ...known.cedulas_valid_province_30, ...known.cedulas_valid_third_digit_6]
    : [];
  const natural: string[] = hasShared ? known.ruc_natural_third_digit_6.list : [];
  const classic: string[] = hasShared ? [...known.ruc_mod11_private_ok, ...known.ruc_mod11_public_ok] : [];
  const newer: string[] = hasShared ? Object.keys(known.ruc_real_but_fail_mod11.list) : [];

  it('is a cédula where it is one', () => {
    for (const number of cedulas)
      expect(identify(number)).toEqual({ type: 'cedula', value: number, warning: null });
    expect(cedulas).toHaveLength(6);
  });

  it('is a RUC where it is one, with a warning exactly where the classic check fails', () => {
    for (const number of [...classic, ...natural])
      expect(identify(number)).toEqual({ type: 'ruc', value: number, warning: null });
    for (const number of newer)
      expect(identify(number)).toEqual({ type: 'ruc', value: number, warning: expect.any(String) });
    expect([classic.length, natural.length, newer.length]).toEqual([7, 3, 7]);
  });

  it('belongs to a company or to a person', () => {
    expect([...classic, ...newer].map(rucOwner)).toEqual([...classic, ...newer].map(() => 'company'));
    expect(natural.map(rucOwner)).not.toContain('company');
    expect(cedulas.map((number) => rucOwner(`${number}001`))).toEqual(cedulas.map(() => 'person'));
  });

  it('is the final consumer', () => {
    expect(identify(known.consumidor_final)?.type).toBe('consumidor-final');
  });
});

describe('a number that is nearly one', () => {
  it.each([
    ['1710034066', 'check-digit'],
    ['9910034065', 'province'],
    ['1790012345000', 'establishment'],
    ['9990012345001', 'province'],
    ['1710034066001', 'check-digit'],
    ['171003406', 'length'],
    ['1710034065 / 1790016919001', 'length'],
    ['AB123456', 'not-a-number'],
    ['', 'not-a-number'],
  ])('%s is refused for its %s', (number, flaw) => {
    expect(examine(number)).toMatchObject({ ok: false, flaw });
    expect(identify(number)).toBeNull();
  });
});
