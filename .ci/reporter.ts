import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node';

/**
 * Adds what failed and what was skipped to a file, a line each: "failed test/file.test.ts > test: first line of its
 * message", "skipped test/file.test.ts > test". A hook that fails has its place in the file, and so has a file that
 * cannot be read: Vitest counts the tests of both as skipped.
 */
export class CiReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failed = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map((error) => lineOf('outside of any test', error)),
    ];
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    const lines = [...failed.map((one) => `failed ${one}`), ...skipped.map((one) => `skipped ${one}`)];
    if (lines.length > 0) appendFileSync(this.#file, `${lines.join('\n')}\n`);
  }
}

function failuresOf(module: TestModule): string[] {
  const file = module.relativeModuleId;
  const ofGroup = (group: TestModule | TestSuite, name: string) =>
    group.errors().map((error) => lineOf(`${name} (${placeOf(file, error)})`, error));
  return [
    ...ofGroup(module, file),
    ...[...module.children.allSuites()].flatMap((suite) => ofGroup(suite, `${file} > ${suite.fullName}`)),
    ...[...module.children.allTests('failed')].map((test) =>
      lineOf(`${file} > ${test.fullName}`, test.result().errors?.[0]),
    ),
  ];
}

/** Where in the file the hook stands that failed. */
function placeOf(file: string, { stacks = [] }: SerializedError): string {
  const frame = stacks.find((one) => one.file.endsWith(file));
  return frame ? `hook at line ${frame.line}` : 'hook, or the file itself';
}

const lineOf = (where: string, error?: { message?: string }): string =>
  `${where}: ${(error?.message ?? '').split('\n')[0]?.slice(0, 300)}`;
