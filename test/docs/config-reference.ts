import { z } from 'zod';
import { builtInPlatforms } from '../../src/app/platforms.ts';
import { configSchema } from '../../src/config/schema.ts';
import { type ConfigSection, configSections } from './config-sections.ts';
import { madeFrom, table } from './markdown.ts';
import { type Schema, type Setting, settingsOf } from './settings.ts';

const intro = `# Configuration

\`facturapuente.config.yaml\` (or \`.yml\`, \`.json\`, or \`.ts\` with \`defineConfig\`), in the folder the command runs in,
or the file given with \`--config\`. A complete one:

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/facturapuente/docs/config.schema.json
publicUrl: https://facturas.mitienda.ec      # where shops, the service and buyers reach you
port: 8080
accounts:
  principal:                                  # one account (API key) of the service
    baseUrl: https://servicio.example.ec
    apiKey: \${FACTURA_API_KEY}                # apiKeys: [new, old] while you rotate it (docs/operations.md)
    webhookSecrets: ["\${FACTURA_WEBHOOK_SECRET}"]   # two while you rotate it, the newest first
issuers:
  mi-empresa:                                 # the service's own field names
    account: principal
    ambiente: 1                               # 1 pruebas, 2 producción
    ruc: "1790012345001"
    razon_social: Mi Empresa Cía. Ltda.
    nombre_comercial: Mi Tienda
    direccion_matriz: Av. Amazonas N34-451, Quito
    direccion_establecimiento: Av. Amazonas N34-451, Quito
    obligado_contabilidad: SI
apps:
  mi-app:                                     # a Shopify app; its stores name it
    platform: shopify
    clientId: \${SHOPIFY_CLIENT_ID}
    clientSecrets: ["\${SHOPIFY_CLIENT_SECRET}"]
stores:
  tienda-woo:
    platform: woocommerce
    issuer: mi-empresa
    series: { establecimiento: "001", puntoEmision: "001", first: 1 }
    connection:
      url: https://mitienda.ec
      webhookSecrets: ["\${WOO_WEBHOOK_SECRET}"]
      consumerKey: \${WOO_CONSUMER_KEY}
      consumerSecret: \${WOO_CONSUMER_SECRET}
  tienda-shopify:
    platform: shopify
    issuer: mi-empresa
    series: { establecimiento: "001", puntoEmision: "002" }
    connection: { app: mi-app, shop: mi-tienda.myshopify.com }
\`\`\`

- \`\${NAME}\` in a text is the environment variable of that name; secrets belong there, for instance in \`.env\`, which
  commands read from the folder they run in.
- An unknown name is a typing error and refused. All mistakes are reported at once, in Spanish, with their path.
- These variables apply where the config sets nothing: \`DATABASE_URL\` (\`ledger.url\`), \`REDIS_URL\` (\`redis.url\`),
  \`FACTURAPUENTE_SECRET\` (\`secret\`), \`FACTURAPUENTE_PRODUCTION\` (\`production\`), \`LOG_LEVEL\` (\`log.level\`), \`FACTURAPUENTE_TEST_CLOCK\` (\`testClock\`).
  If the config sets another place than \`DATABASE_URL\` or \`REDIS_URL\`, the config wins; \`start\` and \`doctor\` warn of it.
- An editor that knows JSON Schema completes and explains the file with [config.schema.json](config.schema.json):
  \`# yaml-language-server: $schema=./node_modules/facturapuente/docs/config.schema.json\` as its first line.

In the tables \`<id>\` is a name of your choice and \`[]\` any entry of a list. A setting without \`required\` in the third column is optional.`;

/** docs/config.md. Throws when a setting is in no section, or has no meaning. */
export function configReference(): string {
  const settings = settingsOf(z.toJSONSchema(configSchema, { io: 'input' }) as Schema);
  const left = new Set(settings);
  const sections = configSections.map((section) => {
    const mine = settings.filter(
      (one) => left.has(one) && section.holds.some((root) => root === '' || isOf(one, root)),
    );
    for (const one of mine) left.delete(one);
    return sectionText(section, mine);
  });
  if (left.size > 0)
    throw new Error(
      `No section of test/docs/config-sections.ts holds ${[...left][0]?.path}; name it in one.`,
    );
  const source = 'the schemas (`src/config/schema*.ts`, `adapters/*/settings.ts`)';
  return `${[madeFrom(source), intro, ...sections, ...platformSections()].join('\n\n')}\n`;
}

const isOf = ({ path }: Setting, root: string) =>
  path === root || ['.', '['].some((next) => path.startsWith(`${root}${next}`));

function sectionText(
  { title, message, example, under }: ConfigSection,
  settings: readonly Setting[],
): string {
  const begin = under === undefined ? '' : `${under}.`;
  const rows = settings.filter(({ path }) => path.startsWith(begin));
  const heads = settings.filter((one) => !rows.includes(one));
  return [
    `## ${title}`,
    message,
    ...(example ? [yaml(example)] : []),
    ...heads.map(
      ({ path, meaning, default: value }) => `\`${path}\`${value && ` (${value})`}: ${linked(meaning)}`,
    ),
    ...(under ? [`Of each \`${under}\`:`] : []),
    settingsTable(rows.map((one) => ({ ...one, path: one.path.slice(begin.length) }))),
  ].join('\n\n');
}

const yaml = (text: string) => `\`\`\`yaml\n${text.trim()}\n\`\`\``;

function settingsTable(settings: readonly Setting[]): string {
  return table(
    ['Setting', 'Type', 'Default', 'Meaning'],
    settings.map(({ path, type, default: value, meaning }) => [`\`${path}\``, type, value, linked(meaning)]),
  );
}

/** Pages are named plainly in schemas, for editors; here they are links. */
const linked = (text: string) => text.replaceAll(/(?<!\]\(|\[|[\w-])([a-z-]+\.md)\b/g, '[$1]($1)');

/** What each platform takes of its own. */
function platformSections(): string[] {
  return builtInPlatforms.flatMap(({ title, name, app, connection }) => {
    const part = (schema: z.ZodType, at: string, what: string) => [
      `## ${title}: ${what}`,
      `Under \`${at}\`, where \`platform\` is \`${name}\`.`,
      settingsTable(settingsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)),
    ];
    return [
      ...(app ? part(app, 'apps.<id>', 'its apps') : []),
      ...part(connection, 'stores.<id>.connection', 'the connection of a store'),
    ];
  });
}
