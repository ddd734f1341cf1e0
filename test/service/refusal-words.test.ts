import { describe, expect, test } from 'vitest';
import {
  namesIssueDate,
  namesProvider,
  saysBadKey,
  saysExists,
  saysNoCredits,
} from '../../src/service/inferred.ts';

/** What sentences of a refusal speak of: apart from case, accents and signs, and never by half a word. */
describe.each([
  [
    'no credits',
    saysNoCredits,
    [
      'Sin saldo / comprobantes disponibles',
      'SIN CRÉDITOS',
      'Los créditos están agotados.',
      'No tiene creditos disponibles',
      'Saldo insuficiente',
      'Comprobantes agotados',
    ],
    [
      'La nota de crédito no puede superar el saldo del comprobante modificado.',
      'Sin nota de crédito no hay devolución.',
      'El comprobante no existe.',
    ],
  ],
  [
    'what exists already',
    saysExists,
    [
      'Clave de acceso registrada',
      'CLAVE ACCESO REGISTRADA',
      'Clave de Acceso ya existe para esta empresa',
      'El número 001-001-000000001 ya fue utilizado',
      'Comprobante duplicado',
      'El comprobante ya existe.',
      'Número de comprobante ya se encuentra régistrado',
      '45: SECUENCIAL REGISTRADO',
      'No se emitió: la clave de acceso ya está registrada.',
    ],
    [
      'La clave de acceso no está registrada',
      'El RUC no existe.',
      'La empresa no existe.',
      'El establecimiento no se encuentra registrado en el RUC.',
      'El establecimiento registrado está cerrado.',
      'La firma electrónica registrada está caducada.',
    ],
  ],
  [
    'a wrong API key',
    saysBadKey,
    [
      'Api_key No existe',
      'API Key requerida en header X-API-KEY',
      'La API KEY es inválida',
      'Falta la api key',
    ],
    ['La clave de acceso no existe', 'El documento fue emitido con otra API key'],
  ],
  [
    'the date of issue',
    namesIssueDate,
    ['emisor.fecha_emision debe ser hoy', 'La fecha de la emisión no es la de hoy', 'fechaEmision'],
    ['La fecha del documento modificado', 'La emisión no se pudo registrar'],
  ],
  ['the provider data', namesProvider, ['Faltan los datos del PROVEEDOR'], ['Falta la firma']],
] as const)('%s', (_, message, yes, no) => {
  test.each(yes)('is recognised in %j', (sentence) => expect(message(['Otra cosa.', sentence])).toBe(true));
  test.each(no)('is not recognised in %j', (sentence) => expect(message([sentence])).toBe(false));
});
