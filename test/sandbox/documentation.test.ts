import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addSandboxCommand } from '../../sandbox/cli/sandbox.ts';
import { magicBuyers } from '../../sandbox/emulator/authority/magic.ts';
import { faultSchema } from '../../sandbox/emulator/faults/schema.ts';

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
/** What the page says in code style. */
const named = new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code));

test('docs/sandbox.md names every option of the command', () => {
  const program = new Command();
  addSandboxCommand(program);
  const flags = program.commands[0]?.options.map(({ long }) => long) ?? [];
  expect(flags.filter((flag) => !named.has(flag ?? ''))).toEqual([]);
});

test('docs/sandbox.md names every fault', () => {
  expect(Object.keys(faultSchema.shape).filter((kind) => !named.has(kind))).toEqual([]);
});

test('docs/sandbox.md tells every magic buyer by both identifications and in the sandbox’s words', () => {
  const rows = magicBuyers.map(
    ({ cedula, pasaporte, says }) => `| \`${cedula}\` | \`${pasaporte}\` | ${says} |`,
  );
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
