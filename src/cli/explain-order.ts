import type { Command } from 'commander';
import type { StoryFlags } from './order-story.ts';

/** `facturapuente explain`: the whole story of an order; runs beside `start` and changes nothing. */
export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description(
      'Cuenta todo lo que se sabe de un pedido: qué le corresponde y por qué, cada envío, cada cambio de estado y lo que falta.',
    )
    .argument('<pedido>', 'su número (#1001) o su id en la tienda')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--store <tienda>', 'de qué tienda, si varias tienen un pedido con ese número')
    .option('--json', 'imprime JSON, sin los datos del comprador', false)
    .action(async (order: string, flags: StoryFlags) => {
      const { tellOrder } = await import('./order-story.ts');
      process.stdout.write(await tellOrder(order, flags));
    });
}
