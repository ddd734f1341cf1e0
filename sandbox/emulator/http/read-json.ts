import type { Request } from 'express';
import { UnreadableBody } from './answers.ts';

// No body of the service is nested deeper than a handful; recursion over thousands would end the process.
const deepest = 64;

/** The JSON a request carries; throws UnreadableBody on anything else. */
export function readJson(req: Request): unknown {
  if (!req.is('application/json')) {
    throw new UnreadableBody('El cuerpo debe ser JSON, con Content-Type: application/json.');
  }
  const value = parse(Buffer.isBuffer(req.body) ? decode(req.body) : '');
  if (isDeeper(value, deepest)) {
    throw new UnreadableBody(`El cuerpo tiene más de ${deepest} niveles anidados.`);
  }
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableBody('El cuerpo no es UTF-8 válido.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableBody('El cuerpo no es JSON válido.');
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
