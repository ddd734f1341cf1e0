import { join } from 'node:path';
import { loadConfig, openClock } from '../config/load.ts';
import { ConfigError } from '../domain/errors.ts';
import { silentLog } from '../domain/ports.ts';
import { moveLedger } from '../ledger/move/move.ts';
import { type ConfigFlag, whoAmI } from './given.ts';

export async function moveFile({
  config: path,
  to,
  schema,
}: ConfigFlag & { to: string; schema?: string }): Promise<string> {
  // DATABASE_URL may name the target already; the ledger is still in its directory.
  const { DATABASE_URL: _target, ...env } = process.env;
  const config = await loadConfig({ path, cwd: process.cwd(), env });
  if (!('directory' in config.ledger)) {
    throw new ConfigError('nothing-to-do', { why: 'moved' });
  }
  const { directory } = config.ledger;
  const target = { url: to, ...(schema !== undefined && { schema }) };
  const clock = openClock(config.testClock);
  const { tables, already } = await moveLedger(directory, target, { clock, log: silentLog, by: whoAmI() });
  const rows = Object.entries(tables).map(([name, count]) => `  ${name.padEnd(12)} ${count}`);
  return [
    already
      ? 'El registro ya estaba movido; se comparó de nuevo y es igual:'
      : 'El registro se movió y es igual, fila por fila:',
    ...rows,
    '',
    'Antes de iniciar facturapuente start, ponga en la configuración (o en el entorno):',
    `  ledger.url: la dirección de la base${schema === undefined || schema === 'facturapuente' ? '' : `, y ledger.schema: ${schema}`} (o DATABASE_URL), en lugar de ledger.directory si está`,
    ...(config.secret === undefined
      ? [
          `  secret: el contenido de ${join(directory, 'secret.key')} (o FACTURAPUENTE_SECRET); sin él no se lee lo guardado`,
        ]
      : []),
    `La carpeta ${directory} queda como respaldo y ya no se usa.`,
    '',
  ].join('\n');
}
