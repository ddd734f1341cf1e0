import type { Command } from 'commander';
import { endingWith } from '../tellable.ts';

/** `facturapuente doctor`: everything an installation needs, looked at again; for people and for monitors. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Revisa toda la instalación y dice cómo arreglar cada falla. Termina en 0 bien, 1 avisos, 2 problemas.',
    )
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ json, ...flags }: { config?: string; json: boolean }) => {
      const { diagnose } = await import('./run.ts');
      const { sectionText } = await import('../install-text.ts');
      const diagnosis = await endingWith(2, () => diagnose(flags));
      process.stdout.write(
        json
          ? `${JSON.stringify(diagnosis, null, 2)}\n`
          : `${diagnosis.sections.map(sectionText).join('\n')}\n${last[diagnosis.state]}\n`,
      );
      process.exitCode = { ok: 0, warning: 1, problem: 2 }[diagnosis.state];
    });
}

const last = {
  ok: 'Todo está bien.',
  warning: 'Funciona; mire los avisos.',
  problem: 'Hay problemas: resuélvalos y repita.',
};
