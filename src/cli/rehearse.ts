import { type Command, InvalidArgumentError } from 'commander';
import type { RehearseFlags } from './rehearse-store.ts';

/** `facturapuente rehearse`: the past of a shop through mapper and planner; nothing is sent or written. */
export function addRehearseCommand(program: Command): void {
  program
    .command('rehearse')
    .description(
      'Ensayo: pasa los pedidos y reembolsos ya hechos de una tienda por las reglas de facturación, sin enviar ni escribir nada, y deja un informe.',
    )
    .option('--since <cuánto>', 'desde hace cuánto (90d) o desde qué día (2026-08-01)', since, { days: 90 })
    .option('--store <tienda>', 'tienda de la configuración; se puede omitir si solo hay una')
    .option('--out <archivo>', 'dónde dejar el informe HTML; por defecto ensayo-<tienda>.html')
    .option('--most <pedidos>', 'lee a lo sumo tantos pedidos, los más recientes', positive, 20_000)
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}')
    .option('--json', 'imprime un objeto JSON, con cada documento', false)
    .action(async (flags: RehearseFlags) => {
      const { rehearseStore } = await import('./rehearse-store.ts');
      process.stdout.write(await rehearseStore(flags));
    });
}

function since(text: string): RehearseFlags['since'] {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) > 0) return { days: Number(days) };
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return { day: text };
  throw new InvalidArgumentError('Escriba cuántos días, como 90d, o un día, como 2026-08-01.');
}

function positive(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Es un número entero mayor que 0.');
}
