import type { Command } from 'commander';
import type { ShopFlags } from './shop-access.ts';

/** `facturapuente lint-catalog`: what the shop sells and nobody could invoice yet. */
export function addLintCatalogCommand(program: Command): void {
  program
    .command('lint-catalog')
    .description(
      'Revisa los productos de una tienda: cuáles no tienen un impuesto que se pueda facturar, y qué regla les falta. Termina en 1 si hay alguno.',
    )
    .option('--store <tienda>', 'tienda de la configuración; se puede omitir si solo hay una')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ json, ...flags }: ShopFlags & { json: boolean }) => {
      const { lintStore } = await import('./lint-store.ts');
      const { catalogText } = await import('../reports/rehearsal/catalog-text.ts');
      const report = await lintStore(flags);
      process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : catalogText(report));
      if (report.findings.length > 0) process.exitCode = 1;
    });
}
