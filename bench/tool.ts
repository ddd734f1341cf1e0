import { Command, CommanderError } from 'commander';

/**
 * A command line tool of this repository: it lists its options and refuses unknown ones, because a run started by mistake
 * may take half an hour.
 */
export function openTool(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .showHelpAfterError(`(npm run ${name} -- --help lists what it takes)`)
    .allowExcessArguments(false)
    .exitOverride();
}

/** A whole number of an option. Throws a RangeError in a sentence. */
export function whole(name: string, text: string, least = 0): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least)
    throw new RangeError(`--${name} ${text}: give a whole number from ${least}.`);
  return value;
}

/** The parsed options. Exits with 0 after `--help`, with 2 after a wrong option. */
export function askedOrEnd<T>(read: (args: readonly string[]) => T): T {
  try {
    return read(process.argv.slice(2));
  } catch (error) {
    // Commander has printed help or error already.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    if (!(error instanceof RangeError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(2);
  }
}
