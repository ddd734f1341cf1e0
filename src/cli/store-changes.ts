import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ConfigError } from '../domain/errors.ts';
import { addStore } from '../operations/installation.ts';
import type { ConfigFlag } from './given.ts';
import { commandFor, printAnswer } from './operation-command.ts';

export function addStoreCommand(program: Command): void {
  commandFor(program, addStore.name)
    .description(addStore.description)
    .argument('<archivo>', 'YAML o JSON con las secciones stores, issuers y accounts de la configuración')
    .action(async (file: string, flags: ConfigFlag) => {
      const { carryOut } = await import('./carry-out.ts');
      printAnswer(await carryOut(addStore, await readStoreFile(file), flags, { mayBegin: true }));
    });
}

/** Throws ConfigError with everything that is wrong with the file. */
async function readStoreFile(file: string): Promise<{ id: string; raw: unknown }> {
  const { readFragment } = await import('../config/resolve.ts');
  const path = resolve(process.cwd(), file);
  const text = await readFile(path, 'utf8').catch(({ message: reason }: Error) => {
    throw new ConfigError('config-invalid', { why: 'unreadable', file: path, place: '', reason });
  });
  return readFragment(text, { file: path, env: process.env });
}
