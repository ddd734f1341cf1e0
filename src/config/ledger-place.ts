import { dirname, join } from 'node:path';

/** Where the SQLite ledger lies unless the config says otherwise: beside the config file, with its `secret.key`. */
export const defaultDirectory = (configFile: string): string => join(dirname(configFile), '.facturapuente');
