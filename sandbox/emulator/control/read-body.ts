import type { Request, Response } from 'express';
import type { z } from 'zod';
import { inSpanish, sentence } from '../emission/validation.ts';

/** The JSON body of a control route; on anything else it answers 400 with the reason, and undefined here. */
export function readBody<T extends z.ZodType>(
  req: Request,
  res: Response,
  schema: T,
): z.output<T> | undefined {
  const refuse = (message: string) => void res.status(400).json({ success: false, message });
  let value: unknown;
  try {
    value = JSON.parse(Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '');
  } catch {
    refuse('El cuerpo no es JSON válido.');
    return undefined;
  }
  const read = schema.safeParse(value, { error: inSpanish });
  if (read.success) return read.data;
  refuse(read.error.issues.map(sentence).join(' '));
  return undefined;
}
