import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import type { ConformanceFlags } from './conformance-run.ts';

/** `facturapuente conformance`: holds a running service against its specification. Exit code 0, 1 or 2. */
export function addConformanceCommand(program: Command): void {
  program
    .command('conformance')
    .description(
      'Compara un servicio de comprobantes, el sandbox o el verdadero, con su especificación; solo en ambiente 1. ' +
        'Termina con 0 si nada difiere, con 1 si algo difiere y con 2 si no se pudo revisar.',
    )
    .requiredOption('--base-url <url>', 'dirección del servicio', address)
    .requiredOption('--api-key <clave>', 'clave de API de la cuenta')
    .option('--second-key <clave>', 'clave de otra cuenta, para ver que no comparten documentos')
    .option('--emisor <archivo>', 'JSON con el bloque emisor de una empresa de la cuenta')
    .option('--series <serie>', 'establecimiento y punto de emisión que nada más use', series, {
      establecimiento: '001',
      puntoEmision: '900',
    })
    .option('--wait <segundos>', 'cuánto esperar un estado o una entrega', wholeNumber, 60)
    .option(
      '--listen <puerto>',
      'recibe las entregas del webhook en este puerto; 0 toma uno libre',
      wholeNumber,
    )
    .option('--public-url <url>', 'dirección pública que lleva a --listen', address)
    .option('--webhook-url <url>', 'cambia el webhook a esta dirección mientras dura la revisión', address)
    .option('--ruc <ruc>', 'RUC de la empresa que se crea con --with-companies; no debe existir en la cuenta')
    .option('--with-companies', 'crea y edita una empresa con el RUC de --ruc', false)
    .option('--with-verification', 'crea una verificación de identidad; puede costar dinero', false)
    .option(
      '--with-rate-limit',
      'agota las 300 solicitudes por minuto; deja la clave sin uso un minuto',
      false,
    )
    .option('--json', 'imprime un objeto JSON', false)
    // 1 says that something differs: a slip in the options must not look like it.
    .exitOverride(({ exitCode, code, message }) => {
      throw new CommanderError(exitCode === 0 ? 0 : 2, code, message);
    })
    .action(async (flags: ConformanceFlags, command: Command) => {
      const wrong = contradiction(flags);
      if (wrong) command.error(`error: ${wrong}`);
      const { conform } = await import('./conformance-run.ts');
      process.exitCode = await conform(flags);
    });
}

function contradiction({
  listen,
  publicUrl,
  webhookUrl,
  withCompanies,
  ruc,
}: ConformanceFlags): string | null {
  if (listen !== undefined && webhookUrl !== undefined) return 'Use --listen o --webhook-url, no ambos.';
  if (publicUrl !== undefined && listen === undefined) return '--public-url necesita --listen.';
  if (withCompanies !== (ruc !== undefined)) return '--with-companies y --ruc van juntos.';
  return null;
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Debe ser una URL que empiece con https:// o http://.');
  return text;
}

function series(text: string): ConformanceFlags['series'] {
  const [, establecimiento, puntoEmision] = /^(\d{3})-(\d{3})$/.exec(text) ?? [];
  if (!establecimiento || !puntoEmision) throw new InvalidArgumentError('Debe tener la forma 001-900.');
  return { establecimiento, puntoEmision };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Debe ser un número entero.');
  return Number(text);
}
