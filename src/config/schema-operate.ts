import { z } from 'zod';
import { documentKinds } from '../core/document.ts';
import { toldStates } from '../core/document-event.ts';
import { roles } from '../core/people.ts';

const token = z.string().min(16, 'La clave debe tener al menos 16 caracteres.');

/** Of Standard Webhooks: 24 to 64 bytes, base64. */
const whsec = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

const messageTypes = [
  'alerts',
  ...documentKinds.flatMap((kind) => toldStates.map((state) => `${kind}.${state}` as const)),
] as const;

/** What leaves this machine leaves it encrypted. */
function isGuarded(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

const person = {
  user: z.string().min(1).max(80, 'Lleva hasta 80 caracteres.'),
  passwordHash: z
    .string()
    .regex(
      /^scrypt:\d{1,2}:\d{1,2}:\d{1,2}:[\w-]{22}:[\w-]{43}$/,
      'Escriba lo que imprime «facturapuente hash-password».',
    ),
};

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
  /** Who outside hears of what. */
  notify: z
    .strictObject({
      /** Mail addresses that are told of alerts; needs `mail`. */
      alertsTo: z.array(z.email('No es una dirección de correo.')).default([]),
      /** Signed by Standard Webhooks: what becomes of documents, and alerts. */
      webhooks: z
        .record(
          z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'Lleva minúsculas, números, «-» y «_» (hasta 63).'),
          z.strictObject({
            url: z.url('No es una dirección web.').refine(isGuarded, 'Debe empezar con https://.'),
            /** The newest first; during a rotation both sign. */
            secrets: z
              .array(z.string().regex(whsec, 'Es whsec_ seguido de 24 a 64 bytes en base64.'))
              .min(1, 'Falta el secreto: whsec_ y lo que imprime «openssl rand -base64 32».')
              .max(3),
            /** Only these; everything unless told. */
            types: z.array(z.enum(messageTypes)).default([]),
          }),
        )
        .default({}),
    })
    .prefault({}),
  /** PDF and XML of authorised documents, kept in the ledger so that links work while the service is away. */
  files: z
    .strictObject({
      /** The oldest go first above it; 0 keeps none. */
      keepMegabytes: z.int().min(0).max(1_000_000).default(1024),
    })
    .prefault({}),
  /** Who may open /operations. */
  operator: z.strictObject(person).optional(),
  /** Who may open /panel; without users, and without `operator`, there is no panel. */
  panel: z
    .strictObject({
      users: z
        .array(
          z.strictObject({
            ...person,
            /** read looks; operate also mends documents; configure also changes settings and sees who did what. */
            role: z.enum(roles).default('read'),
          }),
        )
        .default([]),
    })
    .prefault({}),
};
