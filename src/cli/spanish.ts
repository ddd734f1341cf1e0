import { type Command, Help, type Option } from 'commander';

/** What commander says of a command line it does not take, as merchants read it. */
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

/** Has a command and everything below it say in Spanish what commander itself says. */
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

/** As commander describes an option; that a switch is off unless given need not be said. */
function optionDescription(option: Option): string {
  return new Help()
    .optionDescription(option)
    .replace(/ \(default: false\)$/, '')
    .replace(/\bchoices: /, 'valores: ')
    .replace(/\bdefault: /, 'por defecto: ');
}
