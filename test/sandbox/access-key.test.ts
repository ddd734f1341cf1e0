import { describe, expect, test } from 'vitest';
import { buildAccessKey, isAccessKey } from '../../sandbox/emulator/emission/access-key.ts';
import { hasShared, readShared } from '../support/shared.ts';

describe('clave de acceso', () => {
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
