import type { Command } from 'commander';

/** `facturapuente reseal`: after `secret` was replaced, before the old one leaves `oldSecrets`. */
export function addResealCommand(program: Command): void {
  program
    .command('reseal')
    .description(
      'Protege con el secret nuevo todo lo que el registro guarda cifrado con uno anterior (oldSecrets). Funciona con facturapuente start en marcha, iniciado ya con el nuevo.',
    )
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .action(async (flags: { config?: string }) => {
      const { carryOut } = await import('./carry-out.ts');
      const { says } = await carryOut('reseal', {}, flags);
      process.stdout.write(`${says}\n`);
    });
}
