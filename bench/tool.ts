import { Command, CommanderError } from 'commander';

/**
 * A tool of this repository as a command line: it lists its options, and an option or word it does not know is
 * refused, for what a tool begins by mistake may take half an hour.
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

/** What was asked, or the end of the process: 0 once its use is printed, 2 after a sentence that says what is wrong. */
export function askedOrEnd<T>(read: (args: readonly string[]) => T): T {
  try {
    return read(process.argv.slice(2));
  } catch (error) {
    // It has been told by the command line itself, help as well as refusal.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    if (!(error instanceof RangeError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(2);
  }
}
