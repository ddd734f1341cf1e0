import { z } from 'zod';
import { assumedNames } from '../domain/credit-policy.ts';

/** The part of a store's policy about notas de crédito, as its author writes it (domain/credit-policy.ts). */
const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'Es el nombre de un campo: letras, números y «_».');

export const creditSchema = {
  creditNotes: z
    .strictObject({
      holidays: z
        .array(z.iso.date('Es un día feriado, por ejemplo 2026-12-25.'))
        .default([])
        .describe(
          'Local holidays that move the last day to annul a factura online (day 7 of the next month) to the next working day; national ones are known (`facturapuente law`).',
        ),
      documentoModificado: z
        .strictObject({
          tipo: name.default(assumedNames.tipo).describe('The code of the modified document.'),
          tipoNumerico: z
            .boolean()
            .default(assumedNames.tipoNumerico)
            .describe('The code of the modified document as the number 1; false writes "01".'),
          numero: name.default(assumedNames.numero).describe('Its number.'),
          fecha: name.default(assumedNames.fecha).describe('Its day.'),
          motivo: name.default(assumedNames.motivo).describe('Why money goes back.'),
          claveAcceso: name
            .nullable()
            .default(assumedNames.claveAcceso)
            .describe('Its access key; null leaves it out.'),
          guiones: z
            .boolean()
            .default(assumedNames.guiones)
            .describe('Its number with dashes (001-001-000000123) rather than as 15 digits.'),
        })
        .prefault({})
        .describe(
          'How the service names the fields inside `documento_modificado`, should its names differ (assumptions.md, A21).',
        ),
      totales: z
        .boolean()
        .default(false)
        .describe(
          'State the taxes of a nota de crédito in `totales`. Without them the service computes IVA from the lines, which are chosen so that it comes to the money in every way of rounding (refunds.md).',
        ),
      roundingDifference: z
        .enum(['nearest', 'hold'], 'Es «nearest» o «hold».')
        .default('nearest')
        .describe(
          'Money that no lines add up to with their IVA, where `totales` is false: "nearest" emits the nearest nota de crédito, a cent off, and the next one of that factura makes up for it; "hold" asks a person.',
        ),
      amountOnly: z
        .enum(['hold', 'prorate'], 'Es «hold» o «prorate».')
        .default('hold')
        .describe(
          'A refund that states only an amount, of a factura with several rates of IVA: "hold" asks a person, with what each reading would credit; "prorate" credits each rate with its share (refunds.md).',
        ),
      anulaComprobante: z
        .enum(['SI', 'NO'], 'Es «SI», «NO» o null.')
        .nullable()
        .default(null)
        .describe('`anula_comprobante` inside `documento_modificado`; null leaves it out.'),
      codigoDoc: z
        .string()
        .regex(/^\d{2}$/, 'Son dos dígitos, por ejemplo "04".')
        .nullable()
        .default(null)
        .describe(
          '`codigoDoc` of a nota de crédito, "04" where the service asks for it; null leaves it out.',
        ),
    })
    .prefault({})
    .describe('Notas de crédito.'),
};
