import type { Argument, Command, Option } from 'commander';
import { openSandboxCommandLine } from '../../sandbox/cli/index.ts';
import { openCommandLine } from '../../src/cli/main.ts';
import { type CliExample, cliExamples } from './cli-examples.ts';
import { anchor, madeFrom, table } from './markdown.ts';

const intro = `# The command line

\`npx facturapuente COMMAND\`; what each says of itself is Spanish, here as there. \`--help\` shows the same.

Every command ends with 0 when it did what it was asked, and with 1 and a sentence that says what to do when it did not
([errors.md](errors.md)); where more codes have a meaning, the command says so. Commands that read the config find it in
the folder they run in, and the secrets in its \`.env\`. Those that read or change the ledger work beside a running
\`start\` unless they say otherwise.`;

/** A command that does something: `store add`, not `store`. */
export interface Leaf {
  name: string;
  command: Command;
}

/** All commands that do something, in the order of `--help`; those of the sandbox as their package describes them. */
export function leaves(command = openCommandLine(), before: readonly string[] = []): Leaf[] {
  return command.commands.map(ofSandbox).flatMap((one) => {
    const path = [...before, one.name()];
    return one.commands.length > 0 ? leaves(one, path) : [{ name: path.join(' '), command: one }];
  });
}

const sandboxCommands = openSandboxCommandLine('facturapuente').commands;
const ofSandbox = (one: Command) => sandboxCommands.find((other) => other.name() === one.name()) ?? one;

/** docs/cli.md. */
export function cliReference(): string {
  const all = leaves();
  const contents = table(
    ['Command', 'What it does'],
    all.map(({ name, command }) => [`[\`${name}\`](#${anchor(name)})`, command.description()]),
  );
  const source =
    "the commands' own descriptions (`src/cli`, `sandbox/cli`) and the examples in `test/docs/cli-examples.ts`";
  return `${[madeFrom(source), intro, contents, ...all.map(section)].join('\n\n')}\n`;
}

function section({ name, command }: Leaf): string {
  const { registeredArguments: args } = command;
  const options = command.options.filter(({ hidden }) => !hidden);
  const aliases = command.aliases();
  return [
    `## ${name}`,
    command.description(),
    ...(aliases.length > 0 ? [`Also: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`] : []),
    `\`\`\`text\nfacturapuente ${name} ${command.usage()}\n\`\`\``,
    ...(args.length > 0 ? [table(['Argument', 'Meaning'], args.map(argumentRow))] : []),
    ...(options.length > 0 ? [table(['Option', 'Meaning', 'Default'], options.map(optionRow))] : []),
    ...(cliExamples[name] ? [example(cliExamples[name])] : []),
  ].join('\n\n');
}

function argumentRow(argument: Argument): string[] {
  const name = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
  return [`\`${name}\``, argument.description];
}

function optionRow({ flags, description, argChoices, mandatory, ...option }: Option): string[] {
  const choices = argChoices ? `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}` : '';
  const { defaultValue, defaultValueDescription: said } = option;
  const plain = defaultValue === undefined || defaultValue === false;
  const value = said ?? (typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue));
  return [
    `\`${flags}\``,
    `${description}${choices}`,
    mandatory ? '**required**' : plain ? '' : `\`${value}\``,
  ];
}

function example({ run, message, code, about }: CliExample): string {
  const ends = code === 0 ? '' : `It ends with ${code}. `;
  const shown = message ? `\n\n\`\`\`text\n${message}\n\`\`\`` : '';
  return `\`\`\`sh\n${run}\n\`\`\`${shown}${ends || about ? `\n\n${ends}${about ?? ''}`.trimEnd() : ''}`;
}
