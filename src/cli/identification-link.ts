import type { Command } from 'commander';
import type { IdentificationFlags } from './identification-address.ts';

/** `facturapuente identification-link ORDER`: for whoever writes to the buyer; runs beside `start`. */
export function addIdentificationLinkCommand(program: Command): void {
  program
    .command('identification-link')
    .description(
      'Muestra el enlace donde el comprador de un pedido retenido da su identificación, y un texto para WhatsApp.',
    )
    .argument('<pedido>', 'su número o su id en la tienda: 1201, #1001')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--store <tienda>', 'de qué tienda es el pedido, si varias tienen ese número')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (order: string, flags: IdentificationFlags) => {
      const { identificationLink } = await import('./identification-address.ts');
      process.stdout.write(await identificationLink(order, flags));
    });
}
