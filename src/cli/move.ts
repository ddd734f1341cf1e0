import type { Command } from 'commander';

interface Flags {
  config?: string;
  to: string;
  schema?: string;
}

/** `facturapuente move`: the ledger from its directory (SQLite) to PostgreSQL, compared row by row. */
export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .description(
      'Mueve el registro de su carpeta (SQLite) a PostgreSQL, lo compara fila por fila y cierra la carpeta. Detenga antes facturapuente start.',
    )
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .requiredOption(
      '--to <dirección>',
      'base de destino, por ejemplo postgresql://usuario:clave@servidor/base',
    )
    .option('--schema <nombre>', 'esquema de destino', 'facturapuente')
    .action(async (flags: Flags) => {
      const { moveFile } = await import('./move-ledger.ts');
      process.stdout.write(await moveFile(flags));
    });
}
