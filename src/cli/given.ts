import { hostname, userInfo } from 'node:os';
import { type Config, loadConfig } from '../config/load.ts';
import type { Store } from '../domain/settings.ts';

export interface ConfigFlag {
  config?: string | undefined;
}

/** Default: the config file of this folder. Throws ConfigError. */
export const readConfig = ({ config: path }: ConfigFlag): Promise<Config> =>
  loadConfig({ path, cwd: process.cwd(), env: process.env });

export const demoIssuer: Pick<Store, 'issuer' | 'series'> = {
  issuer: {
    ambiente: 1,
    ruc: '1790012345001',
    razon_social: 'Tienda de Ejemplo Cía. Ltda.',
    nombre_comercial: 'Tienda de Ejemplo',
    direccion_matriz: 'Av. Amazonas N34-451 y Atahualpa, Quito',
    direccion_establecimiento: 'Av. Amazonas N34-451 y Atahualpa, Quito',
    obligado_contabilidad: 'SI',
  },
  series: { establecimiento: '001', puntoEmision: '001', first: 1, firstCreditNote: 1 },
};

/** For instance "ana@maquina", for histories and the audit log. */
export const whoAmI = (): string => `${userInfo().username}@${hostname()}`;
