import type { Config } from '../config/load.ts';
import type { Log } from '../domain/log.ts';
import { variableOf } from '../domain/overruling.ts';
import { overrulingItem } from '../setup/overruling.ts';

/**
 * Whoever sets DATABASE_URL believes that the ledger is there. The config wins all the same, so that a variable meant
 * for another program moves no ledger and stops no installation; but never without a word.
 */
export function warnOfOverruling({ overruling }: Pick<Config, 'overruling'>, log: Log): void {
  for (const setting of overruling) {
    const variable = variableOf[setting];
    const { what, cure } = overrulingItem(setting);
    log.warn({ variable, setting, aviso: `${what}. ${cure}` }, `${variable} is set, but ${setting} counts`);
  }
}
