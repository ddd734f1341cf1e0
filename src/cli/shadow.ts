import type { Command } from 'commander';

/** `facturapuente shadow`: what became of the orders a store also sends to the test environment. */
export function addShadowCommand(program: Command): void {
  program
    .command('shadow')
    .description(
      'Modo sombra: cuántos pedidos reales pasaron por el ambiente de pruebas, qué se rechazó y por qué. No cambia nada.',
    )
    .requiredOption('--store <tienda>', 'tienda con sombra (stores.<tienda>.shadow)')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ store, json, ...flags }: { store: string; json: boolean; config?: string }) => {
      const { lookAtShadow } = await import('./shadow-orders.ts');
      const { shadowText } = await import('../reports/rehearsal/shadow-report.ts');
      const report = await lookAtShadow(store, flags);
      process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : shadowText(report));
    });
}
