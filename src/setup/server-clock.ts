import type { InstallItem } from '../domain/install.ts';
import { item } from './items.ts';

/** Far below what a date or a signature suffers, and above what a busy network makes of the question. */
const toleratedMs = 5_000;

export const clocksAgree = (aheadMs: number): boolean => Math.abs(aheadMs) <= toleratedMs;

/** The clock of this machine against that of the database server, which all processes share. */
export function serverClockItem(aheadMs: number): InstallItem {
  const what = 'Reloj de esta máquina frente al de PostgreSQL';
  if (clocksAgree(aheadMs)) return item('server-clock', what, 'ok');
  const seconds = Math.round(aheadMs / 1000);
  return item('server-clock', what, 'warning', {
    cure: `El de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${Math.abs(seconds)} s: sincronice ambos (NTP). Se trabaja con la hora de PostgreSQL, que va en los documentos.`,
  });
}
