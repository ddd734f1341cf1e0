import { type Command, type CommandOptions, InvalidArgumentError, Option } from 'commander';
import { type Day, isDay } from '../domain/clock.ts';
import { type FormField, flawOf, formFields, readText } from '../operations/form-fields.ts';
import type { Answer, Operation } from '../operations/operation.ts';
import { jsonText } from '../operations/operation.ts';
import type { ConfigFlag } from './given.ts';
import { endingWith } from './spanish.ts';

export const commandOf = (parent: Command, name: string, options: CommandOptions = {}): Command =>
  parent
    .command(name, options)
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}');

export function parseDay(text: string): Day {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Escriba un día que exista, por ejemplo 2026-11-20.');
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Es un número entero mayor que 0.');
}

const groups: Readonly<Record<string, string>> = {
  alerts: 'Los avisos de lo que una persona debe saber.',
  links: 'Los enlaces de un documento autorizado.',
  privacy: 'Atiende a los compradores que preguntan por sus datos o piden que se borren.',
  store: 'Registra tiendas sin tocar la configuración; los procesos en marcha las toman solos.',
};

export function addOperation(program: Command, operation: Operation): void {
  const command = commandFor(program, operation.name).description(operation.description);
  const fields = formFields(operation.input);
  const named = fields.filter(({ argument }) => argument);
  for (const field of named)
    command.argument(usageOf(field), field.description, (text) => readField(operation, field, text));
  for (const field of fields.filter(({ argument }) => !argument))
    command.addOption(optionOf(operation, field));
  command.option('--json', 'imprime un objeto JSON', false).action(async (...given: unknown[]) => {
    const { config, json, ...options } = given[named.length] as Record<string, unknown> &
      ConfigFlag & { json: boolean };
    const input = Object.fromEntries(named.map(({ name }, at) => [name, given[at]]));
    const { carryOut } = await import('./carry-out.ts');
    const answer = await endingWith(operation.unreachable ?? 1, () =>
      carryOut(operation, { ...input, ...options }, { config }),
    );
    printAnswer(answer, json);
  });
}

/** "alerts list" can be written as `alerts` alone. */
export function commandFor(program: Command, name: string): Command {
  const [group = '', own] = name.split(' ');
  if (own === undefined) return commandOf(program, group);
  const parent =
    program.commands.find((one) => one.name() === group) ??
    program.command(group).description(groups[group] ?? '');
  return commandOf(parent, own, name === 'alerts list' ? { isDefault: true } : {});
}

function usageOf({ name, value = name, required }: FormField): string {
  return required ? `<${value}>` : `[${value}]`;
}

const flagOf = ({ name }: FormField): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function optionOf(operation: Operation, field: FormField): Option {
  const { description, name, type, choices, required, value = name } = field;
  const flags =
    type === 'flag' ? flagOf(field) : `${flagOf(field)} <${value}${type === 'list' ? '...' : ''}>`;
  const option = new Option(flags, description);
  if (choices.length > 0) option.choices(choices);
  else if (type !== 'flag' && type !== 'list')
    option.argParser((text: string) => readField(operation, field, text));
  const isShown = field.default !== undefined && field.default !== null && field.default !== '';
  if (type !== 'list' && isShown) option.default(field.default);
  return required ? option.makeOptionMandatory() : option;
}

/** Throws InvalidArgumentError, which commander prints with the name of the option. */
function readField({ input }: Operation, field: FormField, text: string): unknown {
  const value = readText(field, text);
  const flaw = flawOf(input, field, value);
  if (flaw !== null) throw new InvalidArgumentError(flaw);
  return value;
}

/** Writes to standard error where nothing was done. */
export function printAnswer({ done, message, data, code = done ? 0 : 1 }: Answer, json = false): void {
  if (json) process.stdout.write(jsonText(data ?? { done, message }));
  else (done ? process.stdout : process.stderr).write(`${message}\n`);
  process.exitCode = code;
}
