import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { parseJson } from '../domain/json.ts';
import { readTestClock, type TimeSource } from '../sandbox/clock.ts';
import type { Seed } from '../sandbox/index.ts';

// How the values of the sandbox's options are read; each throws InvalidArgumentError with its reason.

/** Gathers an option that may be given several times. */
export const collect = (value: string, before: string[]) => [...before, value];

/** The JSON of a seed file; what it says is looked at when the sandbox starts. */
export function seedFile(path: string): Seed {
  try {
    return parseJson(readFileSync(path, 'utf8')) as Seed;
  } catch (error) {
    throw new InvalidArgumentError(
      `No se puede leer ${path}: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** 0, 1, 2, … */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Debe ser un número entero.');
  return Number(text);
}

/** An ISO instant. */
export function instant(text: string): Date {
  const read = new Date(text);
  if (Number.isNaN(read.getTime())) {
    throw new InvalidArgumentError('Debe ser un instante ISO: 2026-11-20T23:59:00-05:00.');
  }
  return read;
}

/** A factor from 0. */
export function rate(text: string): number {
  const read = Number(text);
  if (text.trim() === '' || !Number.isFinite(read) || read < 0) {
    throw new InvalidArgumentError('Debe ser un número desde 0: 60 es una hora por minuto.');
  }
  return read;
}

/** `anchor=<ISO>,offset=<ms>,rate=<number>`. */
export function testClock(text: string): TimeSource {
  try {
    return readTestClock(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
