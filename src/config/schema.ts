import { z } from 'zod';
import { parseTestClock } from '../domain/clock.ts';
import { account, issuer } from './schema-accounts.ts';
import { operateSchema } from './schema-operate.ts';
import { baseAddress, filled, id, secret } from './schema-parts.ts';
import { store } from './schema-store.ts';

const network = z
  .union([z.cidrv4(), z.cidrv6()], { error: 'Es una red, por ejemplo 10.0.0.0/8.' })
  .meta({ examples: ['10.0.0.0/8'] });

const proxies = network.refine(
  (cidr) => !cidr.endsWith('/0'),
  'Son las redes de sus proxies, no todas: cualquiera podría hacerse pasar por otro cliente.',
);

/** What keeps callers, shops and receivers of webhooks within their bounds. */
export const guardSchema = {
  trustedProxies: z
    .array(proxies)
    .default([])
    .meta({
      description:
        'Networks your proxies call from (CIDR): what they say of their clients (X-Forwarded-For) is believed, and limits then count each client by itself (operations.md, "Behind a proxy"). Nobody else is believed.',
      examples: ['127.0.0.1/32', '172.16.0.0/12'],
    }),
  outbound: z
    .strictObject({
      allow: z
        .array(network)
        .default([])
        .describe(
          'Networks behind us that shops and receivers of webhooks may lie in; without one a name that leads into a private network is not called.',
        ),
    })
    .prefault({})
    .describe('Where calls may go.'),
  links: z
    .strictObject({
      days: z
        .int()
        .min(1, 'Debe ser al menos 1 día.')
        .max(3650)
        .describe(
          'How many whole days a link to a document works, until midnight in Ecuador. Without it links have no end; those given out before keep theirs.',
        )
        .optional(),
    })
    .prefault({})
    .describe('Links to the page, the PDF and the XML of a document (buyer-page.md).'),
  retention: z
    .strictObject({
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
          'What an order says of its buyer and what he answered, in days after its last change; while a document of it waits, it stays.',
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
          'What was sent for a document, whom it named, and its files, in whole years after the end of the year it was issued in.',
        ),
    })
    .prefault({})
    .describe('How long buyers’ data stay (privacy.md).'),
  production: z
    .array(z.string().regex(/^\d{10}001$/, 'El RUC tiene 13 dígitos, termina en 001 y va entre comillas.'))
    .default([])
    .meta({
      description:
        'RUC of issuers whose `ambiente: 2` is meant, for machines where nobody runs `install --production`; or `FACTURAPUENTE_PRODUCTION`, with commas.',
      examples: ["['1790012345001']"],
    }),
};

export { policySchema } from './schema-store.ts';

/**
 * The config file, as its author writes it. Strict everywhere: an unknown name is a typing error and is told.
 * What lies inside `connection` and `apps.<id>` belongs to the platform and is parsed in resolve.ts. Each setting
 * tells its meaning: docs/config.md and the hints of editors are made of it.
 */
const ledger = z
  .strictObject({
    directory: filled
      .describe('The folder of SQLite, relative to the config; `.facturapuente` unless told.')
      .optional(),
    url: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'Debe empezar con postgresql://.')
      .meta({ description: 'PostgreSQL instead; or `DATABASE_URL`.', examples: [`\${DATABASE_URL}`] })
      .optional(),
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Lleva minúsculas, números y «_».')
      .describe('The schema of PostgreSQL it lies in; `facturapuente` unless told.')
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
    .describe('Begins every key; the braces keep them on one node of a cluster.'),
});

const worker = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .max(256)
    .default(64)
    .describe('Steps running at once in one process; those that call one shop have a third of them at most.'),
  leaseSeconds: z
    .int()
    .min(2)
    .max(600)
    .default(60)
    .describe('How long the work of a process that died stays locked.'),
});

export const configSchema = z.strictObject({
  $schema: z.string().describe('Where an editor finds the JSON Schema of this file.').optional(),
  publicUrl: baseAddress.meta({
    description: 'Where shops, the service and buyers reach `start`.',
    examples: ['https://facturas.mitienda.ec'],
  }),
  port: z
    .union([z.int().min(0).max(65_535), z.string().regex(/^\d{1,5}$/)], {
      error: 'El puerto es un número entre 0 y 65535.',
    })
    .transform(Number)
    .prefault(8080)
    .describe('Where `start` listens; 0 takes any free one.'),
  host: z
    .string()
    .regex(/^[\w.:-]{1,253}$/, 'Es una dirección de esta máquina, por ejemplo 127.0.0.1, 0.0.0.0 o ::1.')
    .default('127.0.0.1')
    .describe(
      'The address it listens on, `metrics.port` too: this machine only, for the proxy with HTTPS beside it; in a container `0.0.0.0`.',
    ),
  secret: secret
    .describe(
      'Seals what the ledger keeps and signs links; or `FACTURAPUENTE_SECRET`. SQLite makes its own (`secret.key`); PostgreSQL needs one.',
    )
    .optional(),
  oldSecrets: z
    .array(secret)
    .default([])
    .describe('What `secret` was before, the newest first: opens what was sealed and signed with it.'),
  ledger: ledger.describe('Where everything is kept.').optional(),
  redis: redis.describe('Carries work between processes. Without it, one process does all of it.').optional(),
  worker: worker.prefault({}).describe('How much one process does.'),
  testClock: z
    .string()
    .refine(readableClock, 'Escriba anchor=<instante ISO>,offset=<milisegundos>,rate=<número mayor que 0>.')
    .meta({
      description: 'A clock for trials against the sandbox; or `FACTURAPUENTE_TEST_CLOCK`.',
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
    .describe('Apps that several shops share (Shopify), by a name of yours; what else they take is below.'),
  stores: z.record(id, store).describe('Shops, by a name of yours, which is part of their webhook address.'),
  platforms: z
    .array(filled)
    .default([])
    .describe('Adapters of your own (adapters.md): packages, or paths relative to the config.'),
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
