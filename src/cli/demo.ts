import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { installed } from './installation-commands.ts';

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description(
      'Muestra el producto en esta máquina: un panel con ventas y una tienda donde comprar, sin cuentas ni internet.',
    )
    .option('--json', 'imprime un objeto JSON y termina', false)
    .option('--no-open', 'no abre el panel en el navegador')
    .option(
      '--shopify-schema <archivo>',
      'esquema Admin de Shopify (SDL, también .gz) con el que se valida cada consulta',
    )
    .action(
      async ({ json, open, shopifySchema }: { json: boolean; open: boolean; shopifySchema?: string }) => {
        const { openDemo, sellTen, showDemo, toJson } = await installed(
          'demo',
          () => import('facturapuente-sandbox/demo'),
        );
        const { demoIssuer } = await import('./given.ts');
        const { hashPassword } = await import('../panel/people.ts');
        const began = performance.now();
        const stopping = new AbortController();
        const stop = () => stopping.abort();
        process.once('SIGINT', stop).once('SIGTERM', stop);
        const stopped = stopping.signal;
        const password = randomBytes(32).toString('hex');
        if (json) process.exitCode = 1;
        try {
          const demo = await openDemo({
            entry: fileURLToPath(
              new URL(import.meta.url.endsWith('.ts') ? './bin.ts' : './bin.js', import.meta.url),
            ),
            issuer: demoIssuer.issuer,
            user: { password, passwordHash: await hashPassword(password) },
            servers: demoServers(process.env),
            shopifySchema,
            stopped,
          });
          try {
            if (json) {
              const result = await sellTen(demo, { stopped, began });
              process.stdout.write(`${JSON.stringify(toJson(result), null, 2)}\n`);
              if (result.complete) process.exitCode = 0;
            } else {
              await showDemo(demo, {
                print: (text) => void process.stdout.write(text),
                stopped,
                isDesktop: open && process.stdout.isTTY && isDesktop(process),
              });
            }
          } finally {
            await demo.close();
          }
        } catch (error) {
          if (!stopped.aborted) throw error;
        } finally {
          process.off('SIGINT', stop).off('SIGTERM', stop);
        }
      },
    );
}

const isDesktop = ({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>): boolean =>
  !env.CI &&
  !env.SSH_CONNECTION &&
  (platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY));

function demoServers({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }: NodeJS.ProcessEnv) {
  if (!databaseUrl || !redisUrl) return null;
  const schema = `demo_${randomBytes(4).toString('hex')}`;
  const redisPrefix = `{facturapuente-${schema}}`;
  return {
    databaseUrl,
    redisUrl,
    schema,
    redisPrefix,
    async drop() {
      const { dropLedger } = await import('../ledger/postgres.ts');
      const { dropJobs } = await import('../queue/redis.ts');
      await dropLedger({ url: databaseUrl, schema });
      await dropJobs({ redisUrl, prefix: redisPrefix });
    },
  };
}
