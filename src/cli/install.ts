import type { Command } from 'commander';
import type { InstallFlags } from './install-store.ts';

/** `facturapuente install` and `uninstall`: what a store needs in its shop, shown, put right, taken back. */
export function addInstallCommands(program: Command): void {
  program
    .command('install')
    .description('Muestra qué le falta a una tienda para facturar y lo deja listo; se puede repetir.')
    .requiredOption('--store <tienda>', 'la tienda de la configuración')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--check', 'solo mira y no cambia nada', false)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (flags: InstallFlags & { check: boolean }) => {
      const { installStore } = await import('./install-store.ts');
      await finish(await installStore(flags, flags.check ? 'check' : 'apply'));
    });
  program
    .command('uninstall')
    .description('Quita de una tienda lo que install puso en ella.')
    .requiredOption('--store <tienda>', 'la tienda de la configuración')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (flags: InstallFlags) => {
      const { installStore } = await import('./install-store.ts');
      await finish(await installStore(flags, 'remove'));
    });
}

async function finish({ text, ready }: { text: string; ready: boolean }): Promise<void> {
  process.stdout.write(text);
  if (!ready) process.exitCode = 1;
}
