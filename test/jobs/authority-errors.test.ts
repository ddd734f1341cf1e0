import { describe, expect, test } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { authorityCauses, causeOf, reasonOf } from '../../src/jobs/sentences.ts';
import { authority, authorityWarnings } from '../../src/messages/authority.ts';
import { hasShared, readShared } from '../support/shared.ts';

/** Where the cause of an error lies decides whether reprocessing the same key can fix it. */
const cause = (...codes: (number | null)[]) =>
  causeOf(codes.map((code) => ({ identificador: code === null ? null : String(code) }))).cause;

test('a reason quotes as much of others as fits into a list of documents, and keeps its own end', () => {
  const words = [`39 FIRMA INVALIDA ${'x'.repeat(100_000)}`];
  const document = { kind: 'factura' } as Document;
  const [refused = '', notAuthorised = '', triedAgain = ''] = (
    ['refused', 'notAuthorised', 'triedAgain'] as const
  ).map((one) => reasonOf(document, { sentences: [one], words }));
  for (const one of [refused, notAuthorised, triedAgain]) expect(one.length).toBeLessThan(2_500);
  expect(notAuthorised).toMatch(
    / \[cortado\]\. La firma .* install --signature\. Después vuelva a procesarla/,
  );
});

describe('the cause of an error', () => {
  test.each([
    [2, 'issuer'],
    [10, 'issuer'],
    [37, 'issuer'],
    [39, 'issuer'],
    [40, 'issuer'],
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

  test('the cause of words without a code, and of an error without words, is the document', () => {
    expect(cause(null)).toBe('document');
    expect(causeOf([])).toEqual({ cause: 'document', message: null });
  });

  test('of several is the one that reprocessing fixes least: what exists, then the document', () => {
    expect(cause(39, 52)).toBe('document');
    expect(cause(52, 45)).toBe('number-taken');
    expect(cause(50, 39)).toBe('issuer');
    expect(cause(39, 70)).toBe('in-process');
  });

  test('comes with a Spanish sentence that says what to fix', () => {
    expect(causeOf([{ identificador: '39' }]).message).toMatch(/firma electrónica no es válida\. Suba/);
    for (const [means, fix] of Object.values(authority)) {
      expect(means).toMatch(/^[A-Z].*\.$/);
      expect(fix).toMatch(/^[A-ZÁ].*\.$/);
    }
  });

  test.each([
    ['46 RUC NO EXISTE', /según su ficha técnica, el del emisor\. Compare el RUC del emisor/],
    ['69 IDENTIFICACION DEL RECEPTOR', /identificación del comprador no existe.* Pida al comprador/],
    ['52 ERROR EN DIFERENCIAS', /totales del documento no suman/],
  ])('of the document itself comes with its own: %s', (words, message) => {
    const reason = reasonOf({ kind: 'factura' } as Document, {
      sentences: ['notAuthorised'],
      words: [words],
    });
    expect(reason).toMatch(message);
    expect(reason).not.toContain('vuelva a procesarla');
  });

  test('comes from the error, not from a warning beside it', () => {
    expect(causeOf([{ identificador: '60' }, { identificador: '69' }]).message).toMatch(/comprador/);
    expect(causeOf([{ identificador: '60' }]).message).toBeNull();
  });
});

test.skipIf(!hasShared)('every code of the tax authority has its words, and no other has', () => {
  const { errores, advertencias } = JSON.parse(readShared('data/sri/catalogs.json')) as Record<
    'errores' | 'advertencias',
    { codigo: number }[]
  >;
  const codesOf = (rows: { codigo: number }[]) => rows.map(({ codigo }) => String(codigo));
  expect(Object.keys(authority).sort()).toEqual(codesOf([...errores, ...advertencias]).sort());
  expect([...authorityWarnings].sort()).toEqual(codesOf(advertencias).sort());
  expect(Object.keys(authorityCauses).filter((code) => !Object.hasOwn(authority, code))).toEqual([]);
});
