import { z } from 'zod';

const token = z.string().min(16, 'La clave debe tener al menos 16 caracteres.');

/** How the product runs and is watched: none of it changes what becomes of an order. */
export const operateSchema = {
  log: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
      /** Instead of standard output; relative to the config file. */
      file: z.string().min(1).optional(),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      /** Whoever scrapes says it as `Authorization: Bearer`; without one only this machine may. */
      token: token.optional(),
      /** A port of its own for /metrics, /healthz and /readyz; a worker listens nowhere else. */
      port: z.int().min(0).max(65_535).optional(),
    })
    .prefault({}),
  tracing: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** The share of journeys that is recorded. */
      ratio: z.number().gt(0, 'Debe ser mayor que 0.').max(1).default(1),
    })
    .prefault({}),
  sweep: z
    .strictObject({
      /** How often each store is asked for what no webhook told. */
      everyMinutes: z
        .int()
        .min(1, 'Debe ser al menos 1 minuto.')
        .max(1440, 'Debe ser como máximo un día (1440).')
        .default(5),
    })
    .prefault({}),
  /** How letters leave; without it none do. */
  mail: z
    .strictObject({
      /** As nodemailer takes it: smtps://user:password@host:465 */
      url: z.string().regex(/^smtps?:\/\/\S+$/, 'Debe empezar con smtp:// o smtps://.'),
      from: z
        .string()
        .regex(
          /^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/,
          "Es un remitente, por ejemplo 'Mi Tienda <facturas@mitienda.ec>'.",
        ),
    })
    .optional(),
  /** PDF and XML of authorised documents, kept in the ledger so that links work while the service is away. */
  files: z
    .strictObject({
      /** The oldest go first above it; 0 keeps none. */
      keepMegabytes: z.int().min(0).max(1_000_000).default(1024),
    })
    .prefault({}),
  /** Who may open /operations. */
  operator: z
    .strictObject({
      user: z.string().min(1),
      passwordHash: z
        .string()
        .regex(
          /^scrypt:\d{1,2}:\d{1,2}:\d{1,2}:[\w-]{22}:[\w-]{43}$/,
          'Escriba lo que imprime «facturapuente hash-password».',
        ),
    })
    .optional(),
};
