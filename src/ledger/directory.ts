import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LedgerError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';

const anybodyElse = 0o077;
const everybody = 0o007;
const everybodyWrites = 0o002;

/**
 * The directory of a SQLite ledger is for its owner alone (0700), and so are its files (0600): they hold orders, bodies,
 * buyers and `secret.key`. Made where there is none. One that is open to others is closed, which is logged; where somebody
 * else owns it, or others could have put something into it that is not ours, it is refused. Throws LedgerError
 * `ledger-open-to-others`.
 */
export function openDirectory(directory: string, log: Log): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const user = process.getuid?.();
  // Such rights do not exist there.
  if (user === undefined) return;
  const isOurs = (uid: number) => user === 0 || uid === user;
  const { mode, uid } = statSync(directory);
  // A group is not everybody: volumes of containers are handed over by one.
  if (!isOurs(uid) && (mode & everybody) !== 0)
    throw refusal(directory, 'la carpeta es de otro usuario y está abierta a todos');
  const inside = readdirSync(directory).flatMap((name) => {
    const place = join(directory, name);
    // Another process that ends may take a file away meanwhile.
    const found = lstatSync(place, { throwIfNoEntry: false });
    return found ? { name, place, found } : [];
  });
  const planted = inside.find(({ found }) => found.isSymbolicLink() || !isOurs(found.uid));
  if ((mode & everybodyWrites) !== 0 && planted)
    throw refusal(
      directory,
      `cualquiera pudo escribir en ella, y «${planted.name}» es un enlace o de otro usuario`,
    );
  const closed: string[] = [];
  const close = (place: string, to: number) => {
    chmodSync(place, to);
    closed.push(place);
  };
  if (isOurs(uid) && (mode & anybodyElse) !== 0) close(directory, 0o700);
  for (const { place, found } of inside)
    if (found.isFile() && isOurs(found.uid) && (found.mode & anybodyElse) !== 0) close(place, 0o600);
  if (closed.length > 0)
    log.warn(
      { closed },
      'Other users of this machine could read the ledger; these are for their owner alone now',
    );
}

function refusal(directory: string, why: string): LedgerError {
  return new LedgerError(
    'ledger-open-to-others',
    `No se usa la carpeta del registro ${directory}: ${why}. Revise lo que contiene, bórrele lo ajeno y entréguela al usuario que ejecuta facturapuente («chown»), o use otra carpeta.`,
    `${directory} is or was open to other users of this machine: check what lies in it, and give it to the user who runs facturapuente.`,
  );
}
