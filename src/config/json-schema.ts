import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The JSON Schema of the config file, for editors; `docs/config.schema.json` is this text (npm run reference). */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  return `${JSON.stringify({ title: 'facturapuente.config', ...schema }, null, 2)}\n`;
}
