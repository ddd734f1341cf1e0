import { type Command, type CommandOptions, InvalidArgumentError } from 'commander';
import { type Day, isDay } from '../domain/clock.ts';

export const commandOf = (parent: Command, name: string, options: CommandOptions = {}): Command =>
  parent
    .command(name, options)
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}');

export function parseDay(text: string): Day {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Escriba un día que exista, por ejemplo 2026-11-20.');
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Es un número entero mayor que 0.');
}
