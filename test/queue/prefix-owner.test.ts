import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkPrefix } from '../../src/app/working.ts';
import type { Alert } from '../../src/domain/alerts.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { askPrefixOwner } from '../../src/queue/redis.ts';
import { hasRedis, ownName, redisUrl, removeKeys } from '../support/servers.ts';

/** Two installations on one Redis prefix. */
const clock = { now: () => new Date('2026-11-20T15:00:00Z') };
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});
const prefixOf = () => {
  const prefix = `{${ownName('fp')}}`;
  cleanups.push(() => removeKeys(prefix));
  return prefix;
};
async function open() {
  const directory = await mkdtemp(join(tmpdir(), 'facturapuente-prefix-'));
  const ledger = await openLedger({ directory, encryptionKey: new Uint8Array(32).fill(7) }, clock, silentLog);
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  cleanups.push(() => ledger.close());
  return ledger;
}

it('an installation has one name, for all who ask at once', async () => {
  const ledger = await open();
  const names = await Promise.all([1, 2, 3].map(() => ledger.installation.id(clock.now())));
  expect(new Set(names).size).toBe(1);
  expect(names[0]).not.toBe(await (await open()).installation.id(clock.now()));
});

describe.skipIf(!hasRedis)('a prefix', () => {
  it('belongs to the first that names itself, and to nobody where nobody answers', async () => {
    const prefix = prefixOf();
    expect(await askPrefixOwner(redisUrl, prefix, 'uno')).toBe('uno');
    expect(await askPrefixOwner(redisUrl, prefix, 'dos')).toBe('uno');
    expect(await askPrefixOwner(redisUrl, prefix, 'uno')).toBe('uno');
    expect(await askPrefixOwner('redis://127.0.0.1:9', prefix, 'uno')).toBeNull();
  });

  it('of another installation is an alert, its own is none', async () => {
    const redis = { url: redisUrl, prefix: prefixOf() };
    const raised: Alert[] = [];
    const over: string[] = [];
    const alerts = {
      raise: async (alert: Alert) => void raised.push(alert),
      over: async ({ subject }: { subject: string }) => void over.push(subject),
    };
    for (const ledger of [await open(), await open()]) await checkPrefix({ redis, ledger, clock, alerts });
    expect(over).toEqual([redis.prefix]);
    expect(raised).toMatchObject([{ code: 'redis-shared', subject: redis.prefix }]);
  });
});
