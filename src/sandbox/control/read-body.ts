import type { Request, Response } from 'express';
import { z } from 'zod';

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
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  refuse(z.prettifyError(read.error));
  return undefined;
}
