import { z } from 'zod';
import { documentKinds } from '../domain/document.ts';
import { toldStates } from '../domain/document-event.ts';
import { roles } from '../domain/people.ts';
import { isEncrypted, id as storeId } from './schema-parts.ts';

const token = z.string().min(16, 'La clave debe tener al menos 16 caracteres.');

/** Of Standard Webhooks: 24 to 64 bytes, base64. */
const whsec = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

const messageTypes = [
  'alerts',
  ...documentKinds.flatMap((kind) => toldStates.map((state) => `${kind}.${state}` as const)),
] as const;

/** 32 MB three times over, or as much work with more memory; 256 MB at most, above which memory runs out. */
const least = { ln: 15, p: 3 };
const most = { ln: 18, p: 4 };

function hasSoundCost(hash: string): boolean {
  const [, ln = 0, r, p = 0] = hash.split(':').map(Number);
  const fits = ln >= least.ln && ln <= most.ln && p >= 1 && p <= most.p && r === 8;
  return fits && 2 ** ln * p >= 2 ** least.ln * least.p;
}

const person = {
  user: z.string().min(1).max(80, 'Lleva hasta 80 caracteres.').describe('The name typed at log-in.'),
  passwordHash: z
    .string()
    .regex(
      /^scrypt:\d{1,2}:\d{1,2}:\d{1,2}:[\w-]{22}:[\w-]{43}$/,
      'Escriba lo que imprime «facturapuente hash-password».',
    )
    .refine(
      hasSoundCost,
      `Su costo debe ser el de scrypt:${least.ln}:8:${least.p} como mínimo y scrypt:${most.ln}:8:${most.p} como máximo: escriba lo que imprime «facturapuente hash-password».`,
    )
    .describe('What `facturapuente hash-password` prints.'),
};

const scopedStores = z
  .array(storeId)
  .min(1, 'Nombre al menos una tienda, o quite stores para que valgan todas.')
  .describe(
    'Only these stores, of this file or of `store add`: all others are as if they did not exist. Default: all.',
  )
  .optional();

const tokenHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'Escriba lo que imprime «facturapuente mcp --new-token».')
  .describe('SHA-256 of the token, hex.');

/** How the product runs and is watched: none of it changes what becomes of an order. */
export const operateSchema = {
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .describe('From which level on; `info` unless told. Or `LOG_LEVEL`, or `--log-level`.')
        .optional(),
      file: z.string().min(1).describe('Instead of standard output; relative to the config file.').optional(),
    })
    .prefault({})
    .describe('JSON lines without keys, bodies or buyers’ data.'),
  metrics: z
    .strictObject({
      token: token
        .describe('Whoever scrapes says it as `Authorization: Bearer`; without one only this machine may.')
        .optional(),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .describe('A port of its own for /metrics, /healthz and /readyz; a worker listens nowhere else.')
        .optional(),
    })
    .prefault({})
    .describe('For Prometheus (operations.md, "Metrics").'),
  tracing: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Sends spans to an OTLP collector.'),
      ratio: z
        .number()
        .gt(0, 'Debe ser mayor que 0.')
        .max(1)
        .default(1)
        .describe('The share of journeys that is recorded, each as a whole.'),
    })
    .prefault({})
    .describe('OpenTelemetry (operations.md, "Traces").'),
  sweep: z
    .strictObject({
      everyMinutes: z
        .int()
        .min(1, 'Debe ser al menos 1 minuto.')
        .max(1440, 'Debe ser como máximo un día (1440).')
        .default(5)
        .describe('How often.'),
    })
    .prefault({})
    .describe('Asking each store for what no webhook told.'),
  mcp: z
    .strictObject({
      tokens: z
        .record(
          z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'Lleva minúsculas, números, «-» y «_» (hasta 63).'),
          z.union([tokenHash, z.strictObject({ sha256: tokenHash, stores: scopedStores })], {
            error:
              'Escriba lo que imprime «facturapuente mcp --new-token», o una sección con sha256 y stores.',
          }),
        )
        .default({})
        .describe(
          'Who may use `/mcp`: a name and the SHA-256 of a token, as `facturapuente mcp --new-token` prints it. `{ sha256, stores }` limits it to some stores. Without any there is no `/mcp`.',
        ),
      allowProduction: z
        .boolean()
        .default(false)
        .describe('Let assistants change what concerns production (ambiente 2), by plans they have shown.'),
    })
    .prefault({})
    .describe('Assistants that speak the Model Context Protocol (mcp.md).'),
  close: z
    .strictObject({
      nightly: z
        .boolean()
        .default(true)
        .describe(
          'Close each day in the night after it, signed and kept, and raise an alert when it does not add up.',
        ),
    })
    .prefault({})
    .describe('Closing days (accounting.md).'),
  mail: z
    .strictObject({
      url: z
        .string()
        .regex(/^smtps?:\/\/\S+$/, 'Debe empezar con smtp:// o smtps://.')
        .meta({
          description: 'The server, with user and password.',
          examples: ['smtps://usuario:clave@correo.example.ec:465'],
        }),
      from: z
        .string()
        .regex(
          /^[^\r\n]*[^\s@<>]@[^\s@<>]+>?$/,
          "Es un remitente, por ejemplo 'Mi Tienda <facturas@mitienda.ec>'.",
        )
        .meta({ description: 'Who writes.', examples: ['Mi Tienda <facturas@mitienda.ec>'] }),
    })
    .describe('How letters leave, to buyers who are asked and people who are alerted; without it none do.')
    .optional(),
  notify: z
    .strictObject({
      alertsTo: z
        .array(z.email('No es una dirección de correo.'))
        .default([])
        .describe('Mail addresses that are told of alerts; needs `mail`.'),
      webhooks: z
        .record(
          z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'Lleva minúsculas, números, «-» y «_» (hasta 63).'),
          z.strictObject({
            url: z
              .url('No es una dirección web.')
              .refine(isEncrypted, 'Debe empezar con https://.')
              .describe('Where to; https.'),
            secrets: z
              .array(z.string().regex(whsec, 'Es whsec_ seguido de 24 a 64 bytes en base64.'))
              .min(1, 'Falta el secreto: whsec_ y lo que imprime «openssl rand -base64 32».')
              .max(3)
              .describe(
                '`whsec_` and 24 to 64 bytes in base64, the newest first; while two stand here both sign.',
              ),
            stores: scopedStores.describe(
              'Only documents of these stores, and no alerts. Default: documents of all, and alerts.',
            ),
            types: z.array(z.enum(messageTypes)).default([]).describe('Only these; everything unless told.'),
          }),
        )
        .default({})
        .describe('Your other systems, by a name of yours, told by Standard Webhooks (embedding.md).'),
    })
    .prefault({})
    .describe('Who outside hears of alerts and of what becomes of documents.'),
  files: z
    .strictObject({
      keepMegabytes: z
        .int()
        .min(0)
        .max(1_000_000)
        .default(1024)
        .describe('The oldest go first above it; 0 keeps none.'),
    })
    .prefault({})
    .describe('PDF and XML of authorised documents, kept so that links work while the service is away.'),
  operator: z
    .strictObject(person)
    .describe('Somebody who may do everything in the panel, and open /operations.')
    .optional(),
  panel: z
    .strictObject({
      users: z
        .array(
          z.strictObject({
            ...person,
            stores: scopedStores,
            role: z
              .enum(roles)
              .default('read')
              .describe(
                '`read` looks; `operate` also mends documents; `configure` also changes settings and sees who did what.',
              ),
          }),
        )
        .default([])
        .describe('People who may log in.'),
      secondFactor: z
        .enum(['required', 'off'])
        .default('required')
        .describe(
          '`required`: whoever may change something gives a code of an authenticator app besides the password, and whoever may only look can. `off`: the password is enough.',
        ),
    })
    .prefault({})
    .describe('Who may open /panel; without users, and without `operator`, there is no panel.'),
};
