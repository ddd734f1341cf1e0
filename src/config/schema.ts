import { z } from 'zod';
import { parseTestClock } from '../domain/clock.ts';
import { account, baseAddress, filled, id, issuer, secret, section } from './schema-accounts.ts';
import { operateSchema } from './schema-operate.ts';
import { store } from './schema-store.ts';

const network = z
  .union([z.cidrv4(), z.cidrv6()], { error: 'Es una red, por ejemplo 10.0.0.0/8.' })
  .meta({ examples: ['10.0.0.0/8'] });

/** Shorter prefixes could cover the internet with few networks; private IPv6 networks are fd00::/8. */
const proxies = network.refine(
  (cidr) => Number(cidr.split('/')[1]) >= (cidr.includes(':') && !/^f[cd]/i.test(cidr) ? 16 : 8),
  'Son las redes de sus proxies (IPv4 desde /8, IPv6 desde /16), no todas: cualquiera podría hacerse pasar por otro cliente.',
);

export const guardSchema = {
  trustedProxies: z
    .array(proxies)
    .default([])
    .meta({
      description:
        'Networks your proxies call from (CIDR): their X-Forwarded-For is trusted, so that limits count each client separately (operations.md, "The proxy in front"). From other callers the header is ignored.',
      examples: ['127.0.0.1/32', '172.16.0.0/12'],
    }),
  outbound: section('Outbound calls.', {
    allow: z
      .array(network)
      .default([])
      .describe(
        'Private networks where shops and receivers of webhooks may be. Default: no address in a private network is called.',
      ),
  }),
  links: section('Links to the page, the PDF and the XML of a document (buyer-page.md).', {
    days: z
      .int()
      .min(1, 'Debe ser al menos 1 día.')
      .max(3650)
      .describe(
        'How many whole days a link to a document works, until midnight in Ecuador. Default: without end. Earlier links keep their end.',
      )
      .optional(),
  }),
  retention: section('How long buyers’ data are stored (privacy.md).', {
    deliveriesDays: z
      .int()
      .min(1, 'Debe ser al menos 1 día.')
      .max(365, 'Debe ser como máximo un año (365).')
      .default(30)
      .describe('Bodies of webhooks, in days.'),
    ordersDays: z
      .int()
      .min(30, 'Debe ser al menos 30 días: hasta entonces llegan reembolsos y reclamos.')
      .max(3650)
      .default(730)
      .describe(
        "The buyer's data of an order and the buyer's answer, in days after its last change; longer while a document of it is open.",
      ),
    documentsYears: z
      .int()
      .min(
        7,
        'Debe ser al menos 7 años después del año de emisión: la ley pide conservar los comprobantes al menos siete (docs/privacy.md).',
      )
      .max(50)
      .default(8)
      .describe(
        'What was sent for a document, the buyer it names, and its files, in whole years after the end of the year of issue.',
      ),
  }),
  production: z
    .array(z.string().regex(/^\d{10}001$/, 'El RUC tiene 13 dígitos, termina en 001 y va entre comillas.'))
    .default([])
    .meta({
      description:
        'RUC of issuers whose `ambiente: 2` is confirmed, for machines where nobody runs `install --production`; or `FACTURAPUENTE_PRODUCTION`, with commas.',
      examples: ["['1790012345001']"],
    }),
};

export { policySchema } from './schema-store.ts';

/** docs/config.md and the JSON Schema are made from the descriptions. */
const ledger = z
  .strictObject({
    directory: filled
      .describe('The folder of SQLite, relative to the config. Default: `.facturapuente`.')
      .optional(),
    url: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'Debe empezar con postgresql://.')
      .meta({ description: 'PostgreSQL instead; or `DATABASE_URL`.', examples: [`\${DATABASE_URL}`] })
      .optional(),
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Lleva minúsculas, números y «_».')
      .describe('The schema in PostgreSQL. Default: `facturapuente`.')
      .optional(),
  })
  .refine(({ directory, url }) => directory === undefined || url === undefined, {
    message: 'Escriba directory (SQLite) o url (PostgreSQL), no ambos.',
  })
  .refine(({ schema, url }) => schema === undefined || url !== undefined, {
    message: 'schema solo existe en PostgreSQL; quítelo, o escriba url (o DATABASE_URL).',
  });

const redis = z.strictObject({
  url: z
    .string()
    .regex(/^rediss?:\/\//, 'Debe empezar con redis:// o rediss://.')
    .meta({ description: 'Its address; or `REDIS_URL`.', examples: [`\${REDIS_URL}`] }),
  prefix: filled
    .default('{facturapuente}')
    .describe('The prefix of every key; the braces keep them on one node of a cluster.'),
});

const worker = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .max(256)
    .default(64)
    .describe('Jobs running at once in one process; those that call one shop have at most a third of them.'),
  leaseSeconds: z
    .int()
    .min(2)
    .max(600)
    .default(60)
    .describe('How long the jobs of a process that died stay locked.'),
});

export const configSchema = z.strictObject({
  $schema: z.string().describe('Where an editor finds the JSON Schema of this file.').optional(),
  publicUrl: baseAddress.meta({
    description: 'The address under which shops, the service and buyers reach `start`.',
    examples: ['https://facturas.mitienda.ec'],
  }),
  port: z
    .union([z.int().min(0).max(65_535), z.string().regex(/^\d{1,5}$/)], {
      error: 'El puerto es un número entre 0 y 65535.',
    })
    .transform(Number)
    .prefault(8080)
    .describe('The port `start` listens on; 0 takes a free one.'),
  host: z
    .string()
    .regex(/^[\w.:-]{1,253}$/, 'Es una dirección de esta máquina, por ejemplo 127.0.0.1, 0.0.0.0 o ::1.')
    .default('127.0.0.1')
    .describe(
      'The address it listens on, `metrics.port` too: this machine only, for the proxy with HTTPS beside it; in a container `0.0.0.0`.',
    ),
  secret: secret
    .describe(
      'Encrypts values in the ledger and signs links; or `FACTURAPUENTE_SECRET`. SQLite generates one (`secret.key`); PostgreSQL needs one.',
    )
    .optional(),
  oldSecrets: z
    .array(secret)
    .default([])
    .describe(
      'Earlier values of `secret`, the newest first: decrypt and verify what they encrypted and signed.',
    ),
  ledger: ledger.describe('The database of the installation.').optional(),
  redis: redis
    .describe('Distributes jobs between processes. Without it, one process runs all of them.')
    .optional(),
  worker: worker.prefault({}).describe('The jobs of one process.'),
  testClock: z
    .string()
    .refine(readableClock, 'Escriba anchor=<instante ISO>,offset=<milisegundos>,rate=<número mayor que 0>.')
    .meta({
      description: 'A clock for tests against the sandbox; or `FACTURAPUENTE_TEST_CLOCK`.',
      examples: ['anchor=2026-11-20T12:00:00Z,offset=86400000,rate=1'],
    })
    .optional(),
  accounts: z.record(id, account).describe('Accounts of the tax document service, by a name of yours.'),
  issuers: z
    .record(id, issuer)
    .describe('Companies that issue, by a name of yours; the service’s own field names.'),
  apps: z
    .record(id, z.looseObject({ platform: filled.describe('The platform the app belongs to.') }))
    .default({})
    .describe('Apps that several shops share (Shopify), by a name of yours; their other settings are below.'),
  stores: z.record(id, store).describe('Shops, by a name of yours, which is part of their webhook address.'),
  platforms: z
    .array(filled)
    .default([])
    .describe('Adapters of your own (adapters.md): packages, or paths relative to the config.'),
  ...operateSchema,
  ...guardSchema,
});

export type ConfigInput = z.input<typeof configSchema>;
export type ConfigFile = z.output<typeof configSchema>;

/** For `facturapuente.config.ts`. */
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
