import { type Command, InvalidArgumentError } from 'commander';
import type { BuyerFlags, PrivacyFlags } from './privacy-requests.ts';

/** `facturapuente privacy`: what buyers ask: through their shop, or himself; runs beside `start`. */
export function addPrivacyCommand(program: Command): void {
  const privacy = program
    .command('privacy')
    .description('Atiende a los compradores que preguntan por sus datos o piden que se borren.');
  const config = '--config <archivo>';
  const text = 'configuración; por defecto facturapuente.config.{yaml,json,ts}';
  privacy
    .command('list')
    .description('Lista lo que pidieron a través de su tienda y lo que se hizo.')
    .option(config, text)
    .action(async (flags: PrivacyFlags) => {
      const { listRequests } = await import('./privacy-requests.ts');
      process.stdout.write(await listRequests(flags));
    });
  const whose = (command: Command) =>
    command
      .option('--store <tienda>', 'la tienda en la que compró, si lo pide él mismo')
      .option('--email <correo>', 'el correo con el que compró')
      .option('--phone <teléfono>', 'el teléfono con el que compró')
      .option('--order <id...>', 'ids de sus pedidos en la tienda')
      .option(config, text);
  whose(privacy.command('export'))
    .description('Escribe en un archivo los datos que se guardan de un comprador.')
    .argument('[solicitud]', 'el número que da «privacy list»', digits)
    .option('--out <archivo>', 'dónde se escribe; por defecto datos-comprador-<solicitud o tienda>.json')
    .action(async (request: string | undefined, flags: BuyerFlags & { out?: string }) => {
      const { exportBuyer } = await import('./privacy-export.ts');
      process.stdout.write(await exportBuyer(request, flags));
    });
  whose(privacy.command('erase'))
    .description('Borra de un comprador lo que la ley no obliga a conservar, y dice qué se conserva.')
    .action(async (flags: BuyerFlags) => {
      const { eraseBuyer } = await import('./privacy-erase.ts');
      const { done, says } = await eraseBuyer(flags);
      process.stdout.write(`${says}\n`);
      if (!done) process.exitCode = 1;
    });
}

function digits(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('Es el número que da «privacy list».');
  return text;
}
