import { InvalidArgumentError } from 'commander';
import { openTool } from './tool.ts';

/**
 * The parts that the command line of `npm run bench` asks for; `names` are the existing ones. Throws CommanderError, already
 * printed.
 */
export function readOptions(args: readonly string[], names: readonly string[]): string[] {
  const only = (text: string, before: readonly string[] = []): string[] => {
    const asked = text.split(',').map((name) => name.trim());
    const strange = asked.find((name) => !names.includes(name));
    if (strange === undefined) return [...before, ...asked];
    throw new InvalidArgumentError(`There is no part '${strange}', only ${names.join(', ')}.`);
  };
  const tool = openTool(
    'bench',
    'Measures what the product takes, each figure against its goal; all of it takes ten minutes. Needs a build.',
  )
    .option('--only <parts>', 'measure these parts alone, separated by commas', only)
    .addHelpText('after', `\nParts: ${names.join(', ')}`)
    .parse(args, { from: 'user' });
  return tool.opts<{ only?: string[] }>().only ?? [...names];
}
