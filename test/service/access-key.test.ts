import { describe, expect, test } from 'vitest';
import { isAccessKey } from '../../sandbox/emulator/emission/access-key.ts';
import {
  accessKeyOf,
  freeDigitsOf,
  hasCheckDigit,
  issueDayOf,
  readAccessKey,
} from '../../src/service/event.ts';
import { hasShared, readShared } from '../support/shared.ts';

/** The key whose document `key` is of, made anew from its parts. */
function madeAnew(key: string): string {
  const { tipo_comprobante: codDoc, ruc_emisor: ruc, ambiente, numero } = readAccessKey(key);
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = numero.split('-');
  const series = { codDoc, ruc, ambiente, establecimiento, puntoEmision };
  return accessKeyOf({ ...series, secuencial, issueDate: issueDayOf(key) }, freeDigitsOf(key));
}

describe('the access key of a document with given free digits', () => {
  test('is its day, type, RUC, ambiente, series and number, those digits and the check digit', () => {
    const parts = {
      issueDate: '2025-08-04',
      codDoc: '01',
      ruc: '1090007870001',
      ambiente: 2,
      establecimiento: '032',
      puntoEmision: '101',
      secuencial: '000046045',
    };
    const key = accessKeyOf(parts, '123456781');
    expect(key).toBe('0408202501109000787000120321010000460451234567815');
    expect(hasCheckDigit(key)).toBe(true);
  });

  test.skipIf(!hasShared)('is the published one, for every published key', () => {
    const { valid, invalid } = JSON.parse(readShared('data/sri/kat-access-keys.json').toString()) as {
      valid: { key: string }[];
      invalid: { key: string }[];
    };
    expect(valid.map(({ key }) => madeAnew(key))).toEqual(valid.map(({ key }) => key));
    // The emulator has its own reader.
    for (const isKey of [hasCheckDigit, isAccessKey]) {
      expect(valid.filter(({ key }) => !isKey(key))).toEqual([]);
      expect(invalid.filter(({ key }) => /^\d{49}$/.test(key) && isKey(key))).toEqual([]);
    }
    expect(invalid.filter(({ key }) => isAccessKey(key))).toEqual([]);
  });
});
