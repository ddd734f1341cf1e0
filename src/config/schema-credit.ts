import { z } from 'zod';
import { assumedNames } from '../core/credit-policy.ts';

/** The part of a store's policy about notas de crédito, as its author writes it (core/credit-policy.ts). */
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
          'Holidays that move the last day to annul a factura online (day 7 of the next month) to the next working day.',
        ),
      documentoModificado: z
        .strictObject({
          tipo: name.default(assumedNames.tipo).describe('The code of the modified document.'),
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
            .describe('False writes its number without dashes.'),
        })
        .prefault({})
        .describe(
          'How the service names the fields inside `documento_modificado`, should its names differ (assumptions.md, A21).',
        ),
    })
    .prefault({})
    .describe('Notas de crédito.'),
};
