import type { Command } from 'commander';

/** `facturapuente reset-second-factor`: for somebody of the panel who lost phone and recovery codes. */
export function addResetSecondFactorCommand(program: Command): void {
  program
    .command('reset-second-factor')
    .description(
      'Quita la verificación en dos pasos de una persona del panel que perdió su teléfono y cierra sus sesiones; al entrar activa una nueva. Compruebe antes que es ella quien lo pide. Funciona con facturapuente start en marcha.',
    )
    .argument('<usuario>', 'su nombre en panel.users o en operator')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .action(async (person: string, flags: { config?: string }) => {
      const { carryOut } = await import('./carry-out.ts');
      const { done, says } = await carryOut('reset-second-factor', { person }, flags);
      (done ? process.stdout : process.stderr).write(`${says}\n`);
      process.exitCode = done ? 0 : 1;
    });
}
