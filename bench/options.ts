import { InvalidArgumentError } from 'commander';
import { openTool } from './tool.ts';

export interface Options {
  /** The parts to measure, in the order of the table. */
  parts: string[];
  json: boolean;
}

/** Reads the command line of `npm run bench`; `names` are the existing parts. Throws CommanderError, already printed. */
export function readOptions(args: readonly string[], names: readonly string[]): Options {
  const only = (text: string, before: readonly string[] = []): string[] => {
    const asked = text.split(',').map((name) => name.trim());
    const strange = asked.find((name) => !names.includes(name));
    if (strange === undefined) return [...before, ...asked];
    throw new InvalidArgumentError(`There is no part '${strange}', only ${names.join(', ')}.`);
  };
  const tool = openTool(
    'bench',
    'Measures what the product takes, each figure against its goal; all of it takes half an hour. Needs a build.',
  )
    .option('--only <parts>', 'measure these parts alone, separated by commas', only)
    .option('--json', 'print the lines as JSON', false)
    .addHelpText('after', `\nParts: ${names.join(', ')}`)
    .parse(args, { from: 'user' });
  const asked = tool.opts<{ only?: string[]; json: boolean }>();
  const chosen = asked.only ?? names;
  return { parts: names.filter((name) => chosen.includes(name)), json: asked.json };
}
