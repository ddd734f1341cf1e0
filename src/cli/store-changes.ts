import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readFragment } from '../config/resolve.ts';
import { ConfigError } from '../domain/errors.ts';
import { storeOf } from '../domain/settings.ts';
import type { Confirmation } from '../domain/shop-identity.ts';
import { withInstallation } from './installation.ts';
import { type ConfigFlag, readConfig, whoAmI } from './own-ledger.ts';

/** Throws ConfigError with everything that is wrong with the file. */
export async function addStore(file: string, flags: ConfigFlag): Promise<string> {
  const path = resolve(process.cwd(), file);
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new ConfigError('config-invalid', {
      why: 'unreadable',
      file: path,
      place: '',
      reason: cause.message,
    });
  });
  const { id, raw } = readFragment(text, { file: path, env: process.env });
  const done = await withInstallation(await readConfig(flags), ({ storing }) =>
    storing.add(id, raw, whoAmI()),
  );
  if (done === 'same') return `La tienda «${id}» ya estaba así.\n`;
  const what = done === 'added' ? 'registrada' : 'cambiada';
  return `La tienda «${id}» quedó ${what}; los procesos en marcha la toman en unos segundos.\n`;
}

export async function removeStore(id: string, flags: ConfigFlag): Promise<string> {
  await withInstallation(await readConfig(flags), ({ storing }) => storing.remove(id, whoAmI()));
  return `La tienda «${id}» ya no se factura; sus comprobantes siguen en el registro.\n`;
}

/** A person's decision about a store whose shop is held. Throws ConfigError. */
export async function confirmStore(
  id: string,
  { as, ...flags }: ConfigFlag & { as: Confirmation },
): Promise<string> {
  await withInstallation(await readConfig(flags), ({ live, storing }) => {
    storeOf(live.settings, id);
    return storing.confirm(id, as, whoAmI());
  });
  const ending = {
    moved: 'sigue en su nueva dirección con sus pedidos y comprobantes',
    same: 'sigue con sus pedidos y comprobantes',
    new: 'empieza de nuevo; los comprobantes de la anterior quedan en el registro',
  };
  return `La tienda «${id}» ${ending[as]}.\n`;
}

export async function listStores(flags: ConfigFlag): Promise<string> {
  const { stores, waiting } = await withInstallation(await readConfig(flags), ({ storing }) =>
    storing.list(),
  );
  const lines = stores.map(
    ({ id, platform, shop, ruc, ambiente, from, held }) =>
      `${id}  ${platform}  ${shop}  RUC ${ruc}  ambiente ${ambiente}  ${from === 'config' ? 'configuración' : 'store add'}${held === null ? '' : `  RETENIDA: ${held}`}`,
  );
  const open = waiting.map(
    ({ platform, shop }) => `(sin registrar)  ${platform}  ${shop}  instaló la app; falta «store add»`,
  );
  if (lines.length + open.length === 0) return 'Todavía no hay ninguna tienda.\n';
  return [...lines, ...open, ''].join('\n');
}
