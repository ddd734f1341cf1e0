import { type Command, Option } from 'commander';
import { flagOf, questions } from './questions.ts';
import type { Initialized } from './run.ts';

/** `facturapuente init`: asks what a store needs and writes its config. */
export function addInitCommand(program: Command): void {
  const command = program
    .command('init')
    .description(
      'Pregunta los datos de su tienda y escribe la configuración; cada respuesta es también una opción.',
    )
    .option('--yes', 'no pregunta: toma lo que no se dio por su valor usual', false)
    .option('--force', 'escribe aunque ya haya una configuración', false);
  for (const { id, hint, ask, choices } of questions) {
    const option = new Option(`${flagOf(id)} <valor>`, `${ask}; ${hint}`);
    command.addOption(choices ? option.choices(choices.map(({ value }) => value)) : option);
  }
  command.action(
    async ({ yes, force, ...given }: Record<string, string> & { yes: boolean; force: boolean }) => {
      const { init } = await import('./run.ts');
      const terminal = process.stdin.isTTY && process.stdout.isTTY ? {} : null;
      const done = await init({ folder: process.cwd(), given, yes, force, terminal });
      process.stdout.write(nextSteps(done));
    },
  );
}

function nextSteps({ written, caveats }: Initialized): string {
  const own = written.includes('.env')
    ? 'Complete los secretos que faltan en .env.'
    : 'Su .env quedó como estaba: agregue lo que .env.example nombra y a él le falte.';
  return [
    `Se escribió ${written.join(', ')}.`,
    '',
    `1. ${own}`,
    '2. «facturapuente install --check» muestra qué falta; «facturapuente install» lo hace.',
    '3. «facturapuente start» factura; «facturapuente doctor» revisa todo.',
    '',
    ...caveats.flatMap((caveat) => [`Atención: ${caveat}`, '']),
  ].join('\n');
}
