import { type Command, Help, type Option } from 'commander';
import { ConfigError, FacturapuenteError } from '../domain/errors.ts';
import { authorityMeaning, catalogue, lookUp } from '../messages/es.ts';

const errors: readonly [RegExp, string][] = [
  [/unknown option '(.+?)'/, 'No existe la opción «$1».'],
  [/unknown command '(.+?)'/, 'No existe el comando «$1».'],
  [/missing required argument '(.+?)'/, 'Falta el dato «$1».'],
  [/required option '(.+?)' not specified/, 'Falta la opción «$1».'],
  [/option '(.+?)' argument missing/, 'A la opción «$1» le falta su valor.'],
  [/option '(.+?)' argument '(.*?)' is invalid\./, 'El valor «$2» de la opción «$1» no sirve.'],
  [/command-argument value '(.*?)' is invalid for argument '(.+?)'\./, 'El valor «$1» de «$2» no sirve.'],
  [/too many arguments(?: for '.+?')?\. Expected \d+ arguments? but got \d+: (.+)\.$/m, 'Sobra: $1.'],
  [/option '(.+?)' cannot be used with option '(.+?)'/, 'Las opciones «$1» y «$2» no van juntas.'],
  [/Allowed choices are (.+)\.$/m, 'Valores posibles: $1.'],
  [/\(Did you mean (?:one of )?(.+)\?\)/, '¿Quiso decir $1?'],
];

const titles = new Map([
  ['Usage:', 'Uso:'],
  ['Arguments:', 'Datos:'],
  ['Options:', 'Opciones:'],
  ['Commands:', 'Comandos:'],
]);

export function speakSpanish(command: Command): void {
  command
    .helpOption('-h, --help', 'muestra esta ayuda')
    .configureOutput({ outputError: (text, write) => write(errorInSpanish(text)) })
    .configureHelp({
      styleTitle: (title) => titles.get(title) ?? title,
      optionDescription,
    });
  if (command.commands.length > 0) command.helpCommand('help [comando]', 'muestra la ayuda de un comando');
  command.commands.forEach(speakSpanish);
}

function errorInSpanish(text: string): string {
  const bare = text.replace(/^error: /, '');
  return errors.reduce((said, [english, spanish]) => said.replace(english, spanish), bare);
}

/** Commander describes it so, but adds the default of switches. */
function optionDescription(option: Option): string {
  return new Help()
    .optionDescription(option)
    .replace(/ \(default: false\)$/, '')
    .replace(/\bchoices: /, 'valores: ')
    .replace(/\bdefault: /, 'por defecto: ');
}

export function addErrorCommand(program: Command): void {
  program
    .command('error')
    .description('Dice qué significa un código de facturapuente o del SRI, y qué hacer.')
    .argument('<código>', 'como está en el registro, en --json o en el mensaje del SRI: buyer-id-missing, 39')
    .action((code: string) => {
      process.stdout.write(`${explained(code).join('\n')}\n`);
    });
}

function explained(code: string): string[] {
  const ours = lookUp(code).flatMap(({ title, means, fix }) => [
    `${code} (${title})`,
    `  ${means}`,
    `  Qué hacer: ${fix}`,
  ]);
  const theirs = authorityMeaning(code);
  const sri = theirs ? [`${code} (SRI)`, `  ${theirs.means}`, `  Qué hacer: ${theirs.fix}`] : [];
  const found = [...ours, ...sri];
  if (found.length > 0) return found;
  const alike = catalogue.flatMap(({ entries }) => Object.keys(entries)).filter((one) => one.includes(code));
  const few = [...new Set(alike)].slice(0, 8).join(', ');
  throw new ConfigError('input-invalid', { why: 'code', code, alike: few });
}

/** Answers the exit code. A failure is printed. */
export async function runCommandLine(
  argv: readonly string[],
  open: () => Command | Promise<Command>,
): Promise<number> {
  try {
    const program = await open();
    await program.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has printed it already. Found by its shape, as facturapuente-sandbox may bring its own commander.
    if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number')
      return error.exitCode;
    // The product's errors print the merchant's sentence. Any other is a defect and prints its stack alone: properties that a
    // library adds to an error may hold passwords.
    const reported = await readableError(error);
    const message =
      reported instanceof FacturapuenteError
        ? reported.merchant
        : reported instanceof Error
          ? reported.stack
          : reported;
    process.stderr.write(`${message}\n`);
    return Number(process.exitCode ?? 0) || 1;
  }
}

/** A ledger that cannot be used (lost server, full disk, busy file) gets a sentence. */
export async function readableError(error: unknown): Promise<unknown> {
  if (error instanceof FacturapuenteError) return error;
  // Loaded here, because it imports the ledger's SQL.
  const { unusableLedger } = await import('../ledger/lost.ts');
  return unusableLedger(error);
}

const unusable: ReadonlySet<string> = new Set([
  'ledger-unreachable',
  'ledger-unwritable',
  'ledger-missing',
  'busy-elsewhere',
]);

/** Used where exit code 1 has a meaning: an unusable ledger ends with `code`. */
export async function endingWith<T>(code: number, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const reported = await readableError(error);
    if (reported instanceof FacturapuenteError && unusable.has(reported.code)) process.exitCode = code;
    throw reported;
  }
}
