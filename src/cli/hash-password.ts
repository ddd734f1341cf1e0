import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { ConfigError } from '../domain/errors.ts';

/** `facturapuente hash-password`: asks for a password and prints what the config keeps of it. */
export function addHashPasswordCommand(program: Command): void {
  program
    .command('hash-password')
    .description('Pide una contraseña e imprime lo que va en passwordHash de panel.users o de operator.')
    .action(async () => {
      const password = process.stdin.isTTY
        ? await ask('Contraseña: ')
        : (await text(process.stdin)).replace(/\r?\n$/, '');
      const { hashPassword, leastCharacters, mostBytes, tooLong, tooShort } = await import(
        '../web/password.ts'
      );
      if (tooShort(password))
        throw new ConfigError(
          'password-short',
          `La contraseña debe tener al menos ${leastCharacters} caracteres.`,
          `The password must have at least ${leastCharacters} characters.`,
        );
      if (tooLong(password))
        throw new ConfigError(
          'password-long',
          `La contraseña puede ocupar hasta ${mostBytes} bytes: una letra ocupa uno, con tilde dos.`,
          `The password may take at most ${mostBytes} bytes (UTF-8).`,
        );
      process.stdout.write(`${await hashPassword(password)}\n`);
    });
}

/** Reads a line of the terminal without showing it. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer;
}
