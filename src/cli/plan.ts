import type { Command } from 'commander';
import type { PlanFlags } from './plan-file.ts';

/** `facturapuente plan`: says offline what would happen to an order, and why. Nothing is sent. */
export function addPlanCommand(program: Command): void {
  program
    .command('plan')
    .description('Muestra qué documento saldría de un pedido y por qué, sin enviar nada y sin conexión.')
    .argument('<pedido.json>', 'el JSON del pedido tal como lo entrega la plataforma (webhook o API)')
    .option('--platform <nombre>', 'shopify o woocommerce')
    .option('--refunds <archivo>', 'el JSON de los reembolsos del pedido')
    .option(
      '--as-if-authorized <número[,fecha]>',
      'planifica los reembolsos como si la factura estuviera autorizada con ese número y fecha (hoy si no se indica): 001-001-000000123,2026-11-20',
    )
    .option('--config <archivo>', 'configuración de la que se toma la tienda')
    .option('--store <id>', 'tienda de la configuración')
    .option('--explain', 'explica cada código, la identificación del comprador y cada centavo', false)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (file: string, flags: PlanFlags) => {
      const { planFile } = await import('./plan-file.ts');
      process.stdout.write(await planFile(file, flags));
    });
}
