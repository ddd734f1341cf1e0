import { describe, expect, test } from 'vitest';
import { buildAccessKey, checkDigit, isAccessKey } from '../../sandbox/emulator/emission/access-key.ts';
import { hasShared, readShared } from '../support/shared.ts';

describe('clave de acceso', () => {
  test("the ficha's worked example 41261533 has the check digit 6", () => {
    expect(checkDigit('41261533')).toBe(6);
  });

  test('eleven becomes 0 and ten becomes 1', () => {
    expect(checkDigit('181120230117900169190012072126000254002071101351')).toBe(0);
    expect(checkDigit('201120260117921467390011001001000000124100000051')).toBe(1);
  });

  test('it is date, type, RUC, environment, establishment, point, number, free digits, kind, check digit', () => {
    const key = buildAccessKey({
      fechaEmision: '2025/08/04',
      codDoc: '01',
      ruc: '1090007870001',
      ambiente: 2,
      establecimiento: '032',
      puntoEmision: '101',
      secuencial: '000046045',
      codigoNumerico: '12345678',
      tipoEmision: 1,
    });
    expect(key).toBe('0408202501109000787000120321010000460451234567815');
  });
});

describe.skipIf(!hasShared)('published access keys', () => {
  const known = hasShared
    ? (JSON.parse(readShared('data/sri/kat-access-keys.json')) as {
        valid: { key: string }[];
        invalid: { key: string }[];
      })
    : { valid: [], invalid: [] };

  test('all valid ones verify', () => {
    expect(known.valid.filter(({ key }) => !isAccessKey(key))).toEqual([]);
    expect(known.valid.length).toBeGreaterThan(10);
  });

  test('all invalid ones fail', () => {
    expect(known.invalid.filter(({ key }) => isAccessKey(key))).toEqual([]);
    expect(known.invalid.length).toBeGreaterThan(2);
  });
});
