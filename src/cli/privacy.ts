import { type Command, InvalidArgumentError } from 'commander';
import type { PrivacyFlags } from './privacy-requests.ts';

/** `facturapuente privacy`: what buyers asked of us through their shop; runs beside `start` and changes nothing. */
export function addPrivacyCommand(program: Command): void {
  const privacy = program
    .command('privacy')
    .description('Atiende a los compradores que preguntan por sus datos o piden que se borren.');
  const config = '--config <archivo>';
  const text = 'configuración; por defecto facturapuente.config.{yaml,json,ts}';
  privacy
    .command('list')
    .description('Lista lo que pidieron en los últimos 30 días y lo que se hizo.')
    .option(config, text)
    .action(async (flags: PrivacyFlags) => {
      const { listRequests } = await import('./privacy-requests.ts');
      process.stdout.write(await listRequests(flags));
    });
  privacy
    .command('export')
    .description('Escribe en un archivo los datos que se guardan del comprador que los pidió.')
    .argument('<solicitud>', 'el número que da «privacy list»', digits)
    .option(config, text)
    .option('--out <archivo>', 'dónde se escribe; por defecto datos-comprador-<solicitud>.json')
    .action(async (request: string, flags: PrivacyFlags & { out?: string }) => {
      const { exportBuyer } = await import('./privacy-export.ts');
      process.stdout.write(await exportBuyer(request, flags));
    });
}

function digits(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('Es el número que da «privacy list».');
  return text;
}
