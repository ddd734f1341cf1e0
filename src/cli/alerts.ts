import type { Command } from 'commander';

interface Flags {
  config?: string;
}

const config = [
  '--config <archivo>',
  'configuración; por defecto facturapuente.config.{yaml,json,ts}',
] as const;

/** `facturapuente alerts` and `alerts clear`: what people must know of, and what only they can end. */
export function addAlertsCommands(program: Command): void {
  const alerts = program.command('alerts').description('Los avisos de lo que una persona debe saber.');
  alerts
    .command('list', { isDefault: true })
    .description(
      'Muestra los avisos abiertos, cada uno con lo que hay que hacer; «alerts» a secas es lo mismo.',
    )
    .option(...config)
    .option('--json', 'imprime una lista JSON', false)
    .action(async (flags: Flags & { json: boolean }) => {
      const { listAlerts } = await import('./alert-list.ts');
      process.stdout.write(await listAlerts(flags));
    });
  alerts
    .command('clear')
    .description(
      'Da por revisado un aviso que solo una persona puede terminar; los demás terminan con su causa. Funciona con facturapuente start en marcha.',
    )
    .argument('<código>', 'el código del aviso, por ejemplo document-differs')
    .argument('<asunto>', 'de qué es el aviso, como lo muestra facturapuente alerts')
    .option(...config)
    .action(async (code: string, subject: string, { config: path }: Flags) => {
      const { carryOut } = await import('./carry-out.ts');
      const { done, says } = await carryOut('clear-alert', { code, subject }, path ? { config: path } : {});
      (done ? process.stdout : process.stderr).write(`${says}\n`);
      process.exitCode = done ? 0 : 1;
    });
}
