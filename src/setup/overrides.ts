import type { InstallItem } from '../domain/install.ts';
import { type Override, variableOf } from '../domain/overrides.ts';
import { item } from './items.ts';

/** What counts instead of the variable, and what to do. The address itself is never told: it holds a password. */
const says: Record<Override, { counts: string; cure: string }> = {
  'ledger.directory': {
    counts: 'el registro está en la carpeta que dice ledger.directory',
    cure: 'Si debe estar en PostgreSQL, detenga facturapuente start, llévelo con «facturapuente move --to "$DATABASE_URL"» y después quite ledger.directory de la configuración. Si debe seguir en la carpeta, inicie facturapuente sin esa variable.',
  },
  'ledger.url': {
    counts: 'el registro está en la base que dice ledger.url, y la variable dice otra dirección',
    cure: 'En la base de ledger.url están los comprobantes y los números ya dados: inicie facturapuente sin esa variable, o con la misma dirección.',
  },
  'redis.url': {
    counts: 'el trabajo pasa por el Redis que dice redis.url, y la variable dice otra dirección',
    cure: 'Inicie facturapuente sin esa variable o, si debe ser ese Redis, quite redis.url de la configuración en todos los procesos.',
  },
};

/** A variable that is set, and does not count because the config names another place. */
export function overrideItem(setting: Override): InstallItem {
  const { counts, cure } = says[setting];
  return item('environment', `${variableOf[setting]} está definida y no cuenta: ${counts}`, 'warning', {
    cure,
  });
}
