import { z } from 'zod';

/** The part of a store's policy about asking buyers whom to name, as its author writes it (core/buyer-policy.ts). */
export const questionSchema = {
  /** A page where the buyer of a held order gives the identification. */
  ask: z.boolean().default(true),
  /** When the policy decides without an answer, in Ecuador's time. */
  cutOff: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Es una hora de Ecuador entre comillas, por ejemplo '23:30'.")
    .default('23:30'),
  afterCutOff: z.enum(['final-consumer', 'hold']).default('final-consumer'),
  /** How long the link works. */
  linkDays: z.int().min(1, 'Debe ser al menos 1 día.').max(90, 'Debe ser como máximo 90 días.').default(7),
  /** Sends the link to the buyer's e-mail address, where `mail` is configured. */
  mail: z.boolean().default(true),
};
