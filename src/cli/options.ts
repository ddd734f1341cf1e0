import { type Command, type CommandOptions, InvalidArgumentError, Option } from 'commander';
import type { Day } from '../domain/clock.ts';
import { documentKinds } from '../domain/document.ts';

/** A command that reads the config. */
export const commandOf = (parent: Command, name: string, options: CommandOptions = {}): Command =>
  parent
    .command(name, options)
    .option('--config <archivo>', 'configuración; por defecto facturapuente.config.{yaml,json,ts}');

/** A command about one document, by its id or number. */
export const documentCommand = (parent: Command, name: string): Command =>
  commandOf(parent, name)
    .argument('<documento>', 'su id, o su número: 001-001-000000123')
    .option('--store <tienda>', 'de qué tienda es el número, si varias lo usan')
    .addOption(new Option('--kind <tipo>', 'qué documento es el número').choices(documentKinds));

/** A command about one order, by its id or number. */
export const orderCommand = (parent: Command, name: string): Command =>
  commandOf(parent, name)
    .argument('<pedido>', 'su número (#1001) o su id en la tienda')
    .option('--store <tienda>', 'de qué tienda, si varias tienen un pedido con ese número');

/** Whether a text is a day that exists, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

export function parseDay(text: string): Day {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Escriba un día que exista, por ejemplo 2026-11-20.');
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Es un número entero mayor que 0.');
}
