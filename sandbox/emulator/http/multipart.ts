import type { Request } from 'express';
import type { Form } from '../operation.ts';
import { UnreadableBody } from './answers.ts';

// The body as a whole is bounded where it is received; these bound the work a small one can ask for.
const limits = { fields: 30, files: 5, parts: 35, headerPairs: 20, fieldNameSize: 100, fieldSize: Infinity };

/**
 * The fields and files of a multipart body, or null when the body is of another type. Throws UnreadableBody on
 * a body that is cut short, has no boundary, or names a field twice.
 */
export async function readForm(req: Request): Promise<Form | null> {
  if (!req.is('multipart/form-data')) return null;
  const { Busboy } = await import('@fastify/busboy');
  const fields = new Map<string, string>();
  const files = new Map<string, { name: string; bytes: Buffer }>();
  const contentType = req.headers['content-type'] ?? '';
  await new Promise<void>((resolve, reject) => {
    const refuse = (sentence: string) => reject(new UnreadableBody(sentence));
    const isNew = (name: string | undefined): name is string => {
      if (!name) refuse('El cuerpo multipart tiene una parte sin nombre.');
      else if (fields.has(name) || files.has(name)) refuse(`El campo ${name} llegó más de una vez.`);
      else return true;
      return false;
    };
    const broken = () => refuse('El cuerpo multipart está incompleto o dañado.');
    const tooMany = () => refuse('El cuerpo multipart tiene demasiadas partes.');
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({ headers: { 'content-type': contentType }, limits });
    } catch {
      refuse('El Content-Type multipart/form-data no dice su límite (boundary).');
      return;
    }
    parser.on('field', (name, value) => {
      if (isNew(name)) fields.set(name, value);
    });
    parser.on('file', (name, stream, fileName) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      // Without a listener of its own a part that ends early would end the process.
      stream.on('error', broken);
      stream.on('end', () => {
        if (isNew(name)) files.set(name, { name: fileName ?? '', bytes: Buffer.concat(chunks) });
      });
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, tooMany);
    parser.on('error', broken);
    parser.on('finish', resolve);
    parser.end(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0));
  });
  return { fields: Object.fromEntries(fields), files: Object.fromEntries(files) };
}
