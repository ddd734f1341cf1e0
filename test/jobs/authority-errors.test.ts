import { describe, expect, test } from 'vitest';
import { authorityErrors, causeOf } from '../../src/jobs/authority-errors.ts';
import { notAuthorised, refused, triedAgain } from '../../src/jobs/sentences.ts';
import { hasShared, readShared } from '../support/shared.ts';

/** Where the cause of an error lies decides whether reprocessing the same key can cure it. */
const cause = (...codes: (number | null)[]) =>
  causeOf(codes.map((code) => ({ identificador: code === null ? null : String(code) }))).cause;

test('a reason quotes as much of others as stands in a list of documents, and keeps its own end', () => {
  const long = Array.from({ length: 20 }, () => 'x'.repeat(5_000));
  const says = [
    refused({ kind: 'factura' }, long.join(' ')),
    notAuthorised({ kind: 'factura' }, long, 'Renueve la firma.'),
    triedAgain({ kind: 'factura' }, long, null),
  ];
  for (const one of says) expect(one.length).toBeLessThan(2_500);
  expect(says[1]).toMatch(/ \[cortado\]\. Renueve la firma\. Después vuelva a procesarla/);
});

describe('the cause of an error', () => {
  test.each([
    [39, 'issuer'],
    [56, 'issuer'],
    [50, 'authority'],
    [43, 'registered'],
    [45, 'number-taken'],
    [70, 'in-process'],
    [65, 'date'],
    [35, 'document'],
    [52, 'document'],
    [69, 'document'],
    [999, 'document'],
  ])('of %i is %s', (code, expected) => expect(cause(code)).toBe(expected));

  test('words without a code lie in the document, and so does an error without words', () => {
    expect(cause(null)).toBe('document');
    expect(causeOf([])).toEqual({ cause: 'document', says: null });
  });

  test('of several is the one that reprocessing cures least: what exists, then the document', () => {
    expect(cause(39, 52)).toBe('document');
    expect(cause(52, 45)).toBe('number-taken');
    expect(cause(50, 39)).toBe('issuer');
    expect(cause(39, 70)).toBe('in-process');
  });

  test('comes with a Spanish sentence that says what to fix', () => {
    expect(causeOf([{ identificador: '39' }]).says).toMatch(/firma electrónica no es válida\. Suba/);
    for (const { says } of authorityErrors) expect(says).toMatch(/^(El|La) .*\.$/);
  });
});

test.skipIf(!hasShared)('every code of the table is one of the tax authority', () => {
  const { errores } = JSON.parse(readShared('data/sri/catalogs.json')) as { errores: { codigo: number }[] };
  const known = new Set(errores.map(({ codigo }) => codigo));
  expect(authorityErrors.filter(({ code }) => !known.has(code))).toEqual([]);
});
