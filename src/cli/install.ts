import type { Command } from 'commander';
import type { RunFlags } from './install-run.ts';
import type { InstallFlags } from './install-store.ts';

/** `facturapuente install` and `uninstall`: what invoicing needs at the service and in the shops, shown, put right, taken back. */
export function addInstallCommands(program: Command): void {
  program
    .command('install')
    .description(
      'Muestra qué falta para facturar, en el servicio y en cada tienda, y lo deja listo; se puede repetir.',
    )
    .option('--store <tienda>', 'solo esta tienda y quien factura por ella; por defecto, todo')
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--check', 'solo mira y no cambia nada', false)
    .option('--production', 'confirma que los emisores de ambiente 2 facturen de verdad', false)
    .option('--signature <archivo>', 'firma electrónica .p12, en lugar de la del emisor')
    .option('--signature-password-env <variable>', 'variable de entorno con la contraseña del .p12')
    .option('--logo <archivo>', 'logo PNG o JPEG, en lugar del que tiene el emisor')
    .option('--replace', 'reemplaza lo que otro puso en el servicio: empresa y webhook', false)
    .option('--resend', 'envía todo otra vez al servicio, aunque ya lo tenga', false)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (flags: RunFlags) => {
      const { install } = await import('./install-run.ts');
      await finish(await install(flags));
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
