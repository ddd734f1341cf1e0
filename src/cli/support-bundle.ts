import type { Command } from 'commander';
import type { BundleFlags } from './support/bundle.ts';

/** `facturapuente support-bundle`: an order for somebody else's eyes; runs beside `start`. */
export function addSupportBundleCommand(program: Command): void {
  program
    .command('support-bundle')
    .description(
      'Escribe un archivo con todo lo que pasó con un pedido y sin datos personales ni claves, para pedir ayuda.',
    )
    .argument('<pedido>', 'su número (#1001) o su id en la tienda')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--store <tienda>', 'de qué tienda, si varias tienen un pedido con ese número')
    .option('--out <archivo>', 'dónde escribirlo; por defecto soporte-<pedido>.json')
    .action(async (order: string, flags: BundleFlags) => {
      const { writeBundle } = await import('./support/bundle.ts');
      process.stdout.write(await writeBundle(order, flags));
    });
}
