import { z } from 'zod';
import { assumedNames } from '../core/credit-policy.ts';

/** The part of a store's policy about notas de crédito, as its author writes it (core/credit-policy.ts). */
const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'Es el nombre de un campo: letras, números y «_».');

export const creditSchema = {
  creditNotes: z
    .strictObject({
      holidays: z.array(z.iso.date('Es un día feriado, por ejemplo 2026-12-25.')).default([]),
      /** How the service names the fields inside `documento_modificado` (docs/assumptions.md A21). */
      documentoModificado: z
        .strictObject({
          tipo: name.default(assumedNames.tipo),
          numero: name.default(assumedNames.numero),
          fecha: name.default(assumedNames.fecha),
          motivo: name.default(assumedNames.motivo),
          claveAcceso: name.nullable().default(assumedNames.claveAcceso),
          guiones: z.boolean().default(assumedNames.guiones),
        })
        .prefault({}),
    })
    .prefault({}),
};
