import { z } from 'zod';

/** The part of a store's policy about asking buyers whom to name, as its author writes it (domain/buyer-policy.ts). */
export const questionSchema = {
  ask: z
    .boolean()
    .default(true)
    .describe('Whether the buyer of an order held for the identification gets a page that asks for it.'),
  cutOff: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Es una hora de Ecuador entre comillas, por ejemplo '23:30'.")
    .default('23:30')
    .describe('When the policy decides without an answer, in Ecuador’s time.'),
  afterCutOff: z
    .enum(['final-consumer', 'hold'])
    .default('final-consumer')
    .describe('What is done then: *consumidor final* where the policy allows it, or still held.'),
  linkDays: z
    .int()
    .min(1, 'Debe ser al menos 1 día.')
    .max(90, 'Debe ser como máximo 90 días.')
    .default(7)
    .describe('How long the link works.'),
  mail: z
    .boolean()
    .default(true)
    .describe('Sends the link to the buyer’s e-mail address, where `mail` is configured.'),
};
