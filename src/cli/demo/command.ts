import type { Command } from 'commander';

interface Flags {
  json: boolean;
  shopifySchema?: string;
}

/** `facturapuente demo`: the whole journey on this machine, with stand-ins for the shops and the service. */
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
    .action(async (flags: Flags) => {
      const { showLive, showTable, toJson } = await import('./report.ts');
      const { runDemo } = await import('./run.ts');
      const live = showLive(flags.json);
      const demo = await runDemo({
        live,
        env: process.env,
        ...(flags.shopifySchema ? { shopifySchema: flags.shopifySchema } : {}),
      });
      try {
        process.stdout.write(
          flags.json ? `${JSON.stringify(toJson(demo.result), null, 2)}\n` : showTable(demo.result),
        );
        if (!flags.json) await demo.untilStopped();
      } finally {
        await demo.close();
      }
      process.exitCode = demo.result.complete ? 0 : 1;
    });
}
