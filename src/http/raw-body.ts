import express, { type Request, type Response } from 'express';
import type { RawDelivery } from '../core/platform.ts';

/**
 * Reads a request exactly as it came, up to `limit` bytes: signatures are made over these bytes. Compressed
 * bodies are refused, for nobody who signs sends them. Rejects with an error that carries its status (413 …).
 */
export function openRawBody(limit: number): (req: Request, res: Response) => Promise<RawDelivery> {
  const parse = express.raw({ type: () => true, limit, inflate: false });
  return async (req, res) => {
    await new Promise<void>((resolve, reject) =>
      parse(req, res, (error?: unknown) => (error ? reject(error) : resolve())),
    );
    const body: unknown = req.body;
    return {
      headers: req.headers as Readonly<Record<string, string | undefined>>,
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    };
  };
}
