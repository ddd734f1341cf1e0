import type { Command } from 'commander';
import { catalogue, lookUp } from '../domain/error-catalogue/catalogue.ts';
import { ConfigError } from '../domain/errors.ts';
import { authorityErrors } from '../jobs/authority-errors.ts';

/** `facturapuente error CÓDIGO`: what a code means, and what to do. */
export function addErrorCommand(program: Command): void {
  program
    .command('error')
    .description('Dice qué significa un código de facturapuente o del SRI, y qué hacer.')
    .argument('<código>', 'como está en el registro, en --json o en el mensaje del SRI: buyer-id-missing, 39')
    .action((code: string) => {
      process.stdout.write(`${explained(code).join('\n')}\n`);
    });
}

function explained(code: string): string[] {
  const ours = lookUp(code).flatMap(({ title, entry: [means, cure] }) => [
    `${code} (${title})`,
    `  ${means}`,
    `  Qué hacer: ${cure}`,
  ]);
  const row = authorityErrors.find((one) => String(one.code) === code);
  const theirs = row ? [`${code} (SRI)`, `  ${row.says}`] : [];
  const found = [...ours, ...theirs];
  if (found.length > 0) return found;
  const alike = catalogue.flatMap(({ entries }) => Object.keys(entries)).filter((one) => one.includes(code));
  const hint = alike.length > 0 ? ` Parecidos: ${[...new Set(alike)].slice(0, 8).join(', ')}.` : '';
  throw new ConfigError(
    'code-unknown',
    `Nadie usa el código «${code}»; todos están en docs/errors.md.${hint}`,
    `There is no code ${code}.`,
  );
}
