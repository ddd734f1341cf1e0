import { z } from 'zod';
import { documentKinds, reportedStates } from '../domain/document.ts';
import { roles } from '../domain/settings.ts';
import { id, isEncrypted, section } from './schema-accounts.ts';

const token = z
  .string()
  .min(
    32,
    'La clave debe tener al menos 32 caracteres, por ejemplo la que imprime «openssl rand -base64 32».',
  );

/** Of Standard Webhooks: 24 to 64 bytes, base64. */
const whsec = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

const messageTypes = [
  'alerts',
  ...documentKinds.flatMap((kind) => reportedStates.map((state) => `${kind}.${state}` as const)),
] as const;

/** scrypt's cost: from 32 MB three times (or the same with more memory) to 256 MB. */
const least = { ln: 15, p: 3 };
const most = { ln: 18, p: 4 };

function hasSoundCost(hash: string): boolean {
  const [, ln = 0, r, p = 0] = hash.split(':').map(Number);
  const fits = ln >= least.ln && ln <= most.ln && p >= 1 && p <= most.p && r === 8;
  return fits && 2 ** ln * p >= 2 ** least.ln * least.p;
}

const person = {
  user: z.string().min(1).max(80, 'Lleva hasta 80 caracteres.').describe('The name for signing in.'),
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
    .describe(
      'What `facturapuente hash-password` prints. A password set in the panel replaces it until another hash is written here.',
    ),
  email: z
    .email('No es una dirección de correo.')
    .max(254)
    .meta({
      description: 'Where a link goes that sets a forgotten password of the panel; needs `mail`.',
      examples: ['ana@mitienda.ec'],
    })
    .optional(),
};

const scopedStores = z
  .array(id)
  .min(1, 'Nombre al menos una tienda, o quite stores para que valgan todas.')
  .describe('Only these stores, of this file or of `store add`; all others are invisible. Default: all.')
  .optional();

const tokenHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'Escriba lo que imprime «facturapuente mcp --new-token».')
  .describe('SHA-256 of the token, hex.');

export const operateSchema = {
  log: section('JSON lines without keys, bodies or buyers’ data.', {
    level: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'])
      .describe('The least level. Default: `info`. Also `LOG_LEVEL` or `--log-level`.')
      .optional(),
    file: z.string().min(1).describe('Instead of standard output; relative to the config file.').optional(),
  }),
  metrics: section('For Prometheus (operations.md, "Metrics").', {
    token: token
      .describe('Expected as `Authorization: Bearer`; without one only this machine may read metrics.')
      .optional(),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .describe('A port of its own for /metrics, /healthz and /readyz; a worker listens nowhere else.')
      .optional(),
  }),
  tracing: section('OpenTelemetry (operations.md, "Traces").', {
    enabled: z.boolean().default(false).describe('Sends spans to an OTLP collector.'),
    ratio: z
      .number()
      .gt(0, 'Debe ser mayor que 0.')
      .max(1)
      .default(1)
      .describe('The share of traces that is recorded, each as a whole.'),
  }),
  reconciliation: section('Searches each shop for orders and refunds that no webhook reported.', {
    everyMinutes: z
      .int()
      .min(1, 'Debe ser al menos 1 minuto.')
      .max(1440, 'Debe ser como máximo un día (1440).')
      .default(5)
      .describe('Minutes between two runs.'),
  }),
  mcp: section('Assistants that speak the Model Context Protocol (mcp.md).', {
    tokens: z
      .record(
        id,
        z.union([tokenHash, z.strictObject({ sha256: tokenHash, stores: scopedStores })], {
          error: 'Escriba lo que imprime «facturapuente mcp --new-token», o una sección con sha256 y stores.',
        }),
      )
      .default({})
      .describe(
        'Who may use `/mcp`: a name and the SHA-256 of a token, as `facturapuente mcp --new-token` prints it. `{ sha256, stores }` limits it to some stores. Without tokens there is no `/mcp`.',
      ),
    allowProduction: z
      .boolean()
      .default(false)
      .describe('Whether assistants may carry out plans that concern production (ambiente 2).'),
  }),
  close: section('Closing days (accounting.md).', {
    nightly: z
      .boolean()
      .default(true)
      .describe(
        'Closes each day in the following night, signed and stored, and raises an alert where it does not add up.',
      ),
  }),
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
        .meta({ description: 'The sender.', examples: ['Mi Tienda <facturas@mitienda.ec>'] }),
    })
    .describe(
      'The mail server for buyers who are asked, people who receive alerts and people who forgot their password; without it no mail is sent.',
    )
    .optional(),
  notify: section('Who is notified of alerts and documents.', {
    alertsTo: z
      .array(z.email('No es una dirección de correo.'))
      .default([])
      .describe('Mail addresses that receive alerts; needs `mail`.'),
    webhooks: z
      .record(
        id,
        z.strictObject({
          url: z
            .url('No es una dirección web.')
            .refine(isEncrypted, 'Debe empezar con https://.')
            .describe('The https address.'),
          secrets: z
            .array(z.string().regex(whsec, 'Es whsec_ seguido de 24 a 64 bytes en base64.'))
            .min(1, 'Falta el secreto: whsec_ y lo que imprime «openssl rand -base64 32».')
            .max(3)
            .describe('`whsec_` and 24 to 64 bytes in base64, the newest first; each signs.'),
          stores: scopedStores.describe(
            'Only documents of these stores, and no alerts. Default: documents of all, and alerts.',
          ),
          types: z.array(z.enum(messageTypes)).default([]).describe('Only these messages. Default: all.'),
        }),
      )
      .default({})
      .describe('Your other systems, by a name of yours, notified by Standard Webhooks (embedding.md).'),
  }),
  files: section(
    'PDF and XML of authorised documents, stored so that links work while the service does not answer.',
    {
      keepMegabytes: z
        .int()
        .min(0)
        .max(1_000_000)
        .default(1024)
        .describe('Above it the oldest are deleted; 0 keeps none.'),
    },
  ),
  operator: z
    .strictObject(person)
    .describe('A person who may do everything in the panel, and open /operations.')
    .optional(),
  panel: section('Who may open /panel; without users, and without `operator`, there is no panel.', {
    users: z
      .array(
        z.strictObject({
          ...person,
          stores: scopedStores,
          role: z
            .enum(roles)
            .default('read')
            .describe(
              '`read` shows; `operate` also acts on documents; `configure` also changes settings and shows the audit log.',
            ),
        }),
      )
      .default([])
      .describe('People who may sign in.'),
    secondFactor: z
      .enum(['required', 'off'])
      .default('required')
      .describe(
        '`required`: people who may change something sign in with a code of an authenticator app too; for `read` it is optional. `off`: the password is enough.',
      ),
  }),
};
