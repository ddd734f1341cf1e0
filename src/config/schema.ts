import { z } from 'zod';
import { parseTestClock } from '../core/clock.ts';
import { creditSchema } from './schema-credit.ts';
import { guardSchema } from './schema-guard.ts';
import { moneySchema } from './schema-money.ts';
import { operateSchema } from './schema-operate.ts';
import { questionSchema } from './schema-question.ts';

/**
 * The config file, as its author writes it. Strict everywhere: an unknown name is a typing error and is told.
 * What lies inside `connection` and `apps.<id>` belongs to the platform and is parsed in resolve.ts. Issuer
 * lengths: spec, block `emisor`. Sentences are Spanish because the merchant reads them.
 */
const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'Los nombres llevan minúsculas, números, «-» y «_» (hasta 63).');
const filled = z.string().min(1);
const secret = z.string().min(32, 'El secreto debe tener al menos 32 caracteres.');
const threeDigits = z.string().regex(/^\d{3}$/, "Deben ser 3 dígitos entre comillas, por ejemplo '001'.");

const webAddress = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '';
}, 'Debe ser una dirección completa que empieza con https://, sin «?» ni «#».');
const baseAddress = webAddress.transform((text) => text.replace(/\/+$/, ''));

const ledger = z
  .strictObject({
    directory: filled.optional(),
    url: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'Debe empezar con postgresql://.')
      .optional(),
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Lleva minúsculas, números y «_».')
      .optional(),
  })
  .refine(({ directory, url }) => directory === undefined || url === undefined, {
    message: 'Escriba directory (SQLite) o url (PostgreSQL), no ambos.',
  })
  .refine(({ schema, directory }) => schema === undefined || directory === undefined, {
    message: 'schema solo existe en PostgreSQL; quítelo o use url.',
  });

const account = z
  .strictObject({
    baseUrl: baseAddress,
    apiKey: filled.optional(),
    /** Instead of `apiKey` while a key is rotated: the newest first. */
    apiKeys: z.array(filled).min(1).optional(),
    webhookSecrets: z.array(filled).default([]),
  })
  .refine(({ apiKey, apiKeys }) => (apiKey === undefined) !== (apiKeys === undefined), {
    message: 'Escriba apiKey, o apiKeys con la clave más nueva primero; una de las dos.',
    path: ['apiKey'],
  })
  .refine(({ apiKeys = [] }) => new Set(apiKeys).size === apiKeys.length, {
    message: 'Una clave está escrita dos veces.',
    path: ['apiKeys'],
  });

const text = (length: number) => filled.max(length);
const issuer = z
  .strictObject({
    account: filled,
    ambiente: z.literal([1, 2, '1', '2']).transform((value): 1 | 2 => (Number(value) === 1 ? 1 : 2)),
    ruc: z.string().regex(/^\d{10}001$/, 'El RUC tiene 13 dígitos, termina en 001 y va entre comillas.'),
    razon_social: text(300).optional(),
    nombre_comercial: text(300),
    direccion_matriz: text(300),
    direccion_establecimiento: text(300),
    obligado_contabilidad: z.enum(['SI', 'NO']),
    contribuyente_especial: text(50).optional(),
    calificacion_artesanal: text(50).optional(),
    exportador_habitual: z.boolean().optional(),
    gran_contribuyente: z.boolean().optional(),
    agente_retencion: z.boolean().optional(),
    regimen_rimpe: z.boolean().optional(),
    regimen_rimpe_popular: z.boolean().optional(),
    numero_resolucion: text(100).optional(),
    /** For `install`, which opens the .p12 here before it uploads it; paths are relative to the config. */
    signature: z
      .strictObject({
        file: filled,
        /** The environment variable that holds its password. */
        passwordEnv: z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Es el nombre de una variable de entorno, como FIRMA_PASSWORD.'),
      })
      .optional(),
    /** PNG or JPEG for the printed document; for `install`. */
    logo: filled.optional(),
  })
  // Spec, errors 12: the service refuses both.
  .refine((value) => !(value.regimen_rimpe && value.regimen_rimpe_popular), {
    message: 'Solo un régimen RIMPE puede estar activo.',
    path: ['regimen_rimpe_popular'],
  })
  .refine((value) => !value.agente_retencion || value.numero_resolucion !== undefined, {
    message: 'Un agente de retención debe indicar el número de su resolución.',
    path: ['numero_resolucion'],
  });

export const policySchema = z.strictObject({
  freeOrders: z.enum(['nothing', 'emit']).default('nothing'),
  finalConsumer: z
    .strictObject({
      allowed: z.boolean().default(true),
      limit: z
        .string()
        .regex(/^\d{1,9}(\.\d{1,2})?$/, "Es un monto en dólares entre comillas, por ejemplo '50.00'.")
        .default('50.00'),
    })
    .prefault({}),
  buyer: z
    .strictObject({
      /** Legal names by the service's registry look-ups, which are charged after the monthly free ones. */
      registry: z.enum(['off', 'when-missing', 'prefer']).default('off'),
      ...questionSchema,
    })
    .prefault({}),
  ...moneySchema,
  ...creditSchema,
});

const store = z.strictObject({
  platform: filled,
  issuer: filled,
  series: z.strictObject({
    establecimiento: threeDigits,
    puntoEmision: threeDigits,
    first: z.int().min(1).max(999_999_999).default(1),
    firstCreditNote: z.int().min(1).max(999_999_999).default(1),
  }),
  invoiceFrom: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'Es un día (2026-11-01) o un instante con zona (2026-11-01T08:00:00-05:00).',
    })
    .optional(),
  policy: policySchema.prefault({}),
  connection: z.looseObject({}).default({}),
});

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  publicUrl: baseAddress,
  port: z
    .union([z.int().min(0).max(65_535), z.string().regex(/^\d{1,5}$/)], {
      error: 'El puerto es un número entre 0 y 65535.',
    })
    .transform(Number)
    .default(8080),
  secret: secret.optional(),
  /** What `secret` was before, the newest first: opens what was sealed and signed with it. */
  oldSecrets: z.array(secret).default([]),
  ledger: ledger.optional(),
  redis: z
    .strictObject({
      url: z.string().regex(/^rediss?:\/\//, 'Debe empezar con redis:// o rediss://.'),
      prefix: filled.default('{facturapuente}'),
    })
    .optional(),
  worker: z
    .strictObject({
      /** Steps running at once in one process. */
      concurrency: z.int().min(1).max(256).default(64),
      /** How long the work of a process that died stays locked. */
      leaseSeconds: z.int().min(2).max(600).default(60),
    })
    .prefault({}),
  testClock: z
    .string()
    .refine(readableClock, 'Escriba anchor=<instante ISO>,offset=<milisegundos>,rate=<número mayor que 0>.')
    .optional(),
  accounts: z.record(id, account),
  issuers: z.record(id, issuer),
  apps: z.record(id, z.looseObject({ platform: filled })).default({}),
  stores: z.record(id, store),
  platforms: z.array(filled).default([]),
  ...operateSchema,
  ...guardSchema,
});

/** What an author writes (defaults may be left out) and what the reader gets. */
export type ConfigInput = z.input<typeof configSchema>;
export type ConfigFile = z.output<typeof configSchema>;

/** For `facturapuente.config.ts`: gives the author completion and checks, changes nothing. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

function readableClock(text: string): boolean {
  try {
    parseTestClock(text);
    return true;
  } catch {
    return false;
  }
}
