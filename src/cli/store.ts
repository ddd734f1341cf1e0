import { type Command, Option } from 'commander';
import { type Confirmation, confirmations } from '../domain/shop-identity.ts';

const config = [
  '--config <archivo>',
  'configuración; por defecto facturapuente.config.{yaml,json,ts}',
] as const;

/** `facturapuente store`: merchants beside those of the config file, taken up by running processes by themselves. */
export function addStoreCommand(program: Command): void {
  const store = program
    .command('store')
    .description('Registra tiendas sin tocar la configuración; los procesos en marcha las toman solos.');
  store
    .command('add')
    .description('Registra o cambia una tienda, con su emisor y su cuenta; se guarda cifrada.')
    .argument('<archivo>', 'YAML o JSON con las secciones stores, issuers y accounts de la configuración')
    .option(...config)
    .action(async (file: string, flags: { config?: string }) => {
      const { addStore } = await import('./store-changes.ts');
      process.stdout.write(await addStore(file, flags));
    });
  store
    .command('remove')
    .description('Quita una tienda registrada con «store add»; sus comprobantes quedan.')
    .argument('<tienda>')
    .option(...config)
    .action(async (id: string, flags: { config?: string }) => {
      const { removeStore } = await import('./store-changes.ts');
      process.stdout.write(await removeStore(id, flags));
    });
  store
    .command('confirm')
    .description('Decide qué es una tienda retenida porque la que responde no es la que se conocía.')
    .argument('<tienda>')
    .addOption(
      new Option(
        '--as <qué>',
        'moved: es la misma y ahora está en esta dirección; same: es la misma con otra identidad; new: es otra que empieza aquí',
      )
        .choices(confirmations)
        .makeOptionMandatory(),
    )
    .option(...config)
    .action(async (id: string, flags: { config?: string; as: Confirmation }) => {
      const { confirmStore } = await import('./store-changes.ts');
      process.stdout.write(await confirmStore(id, flags));
    });
  store
    .command('list')
    .description('Lista las tiendas, y las que instalaron la app y esperan a ser registradas.')
    .option(...config)
    .action(async (flags: { config?: string }) => {
      const { listStores } = await import('./store-changes.ts');
      process.stdout.write(await listStores(flags));
    });
}
