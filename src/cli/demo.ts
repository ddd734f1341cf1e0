import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { installed } from './installation-commands.ts';

/** `facturapuente demo`: the whole product on this machine, with emulators of the shops and the service. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description(
      'Muestra en esta máquina cómo pedidos pagados se convierten en facturas, sin cuentas ni internet.',
    )
    .option('--json', 'imprime un objeto JSON y termina', false)
    .option(
      '--shopify-schema <archivo>',
      'esquema Admin de Shopify (SDL, también .gz) con el que se valida cada consulta',
    )
    .action(async ({ json, shopifySchema }: { json: boolean; shopifySchema?: string }) => {
      const { runDemo, showProgress, showTable, toJson } = await installed(
        'demo',
        () => import('facturapuente-sandbox/demo'),
      );
      const { demoIssuer } = await import('./own-ledger.ts');
      const servers = demoServers(process.env);
      const demo = await runDemo({
        progress: showProgress(json),
        entry: fileURLToPath(
          new URL(import.meta.url.endsWith('.ts') ? './bin.ts' : './bin.js', import.meta.url),
        ),
        issuer: demoIssuer.issuer,
        servers,
        shopifySchema,
      });
      try {
        process.stdout.write(
          json ? `${JSON.stringify(toJson(demo.result), null, 2)}\n` : showTable(demo.result),
        );
        if (!json) await demo.untilStopped();
      } finally {
        await demo.close();
        if (servers) await dropServers(servers);
      }
      process.exitCode = demo.result.complete ? 0 : 1;
    });
}

/** The servers named by DATABASE_URL and REDIS_URL, with a schema and a key prefix of the demo's own. */
function demoServers({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }: NodeJS.ProcessEnv) {
  if (!databaseUrl || !redisUrl) return null;
  const schema = `demo_${randomBytes(4).toString('hex')}`;
  return { databaseUrl, redisUrl, schema, redisPrefix: `{facturapuente-${schema}}` };
}

/** Removes everything the demo left on the servers. */
async function dropServers(servers: NonNullable<ReturnType<typeof demoServers>>): Promise<void> {
  const { dropLedger } = await import('../ledger/drop.ts');
  const { dropJobs } = await import('../queue/redis.ts');
  await dropLedger({ url: servers.databaseUrl, schema: servers.schema });
  await dropJobs({ redisUrl: servers.redisUrl, prefix: servers.redisPrefix });
}
