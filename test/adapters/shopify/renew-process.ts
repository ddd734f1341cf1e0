/** Renews a shop's token 20 times at once when told to. Argument: the ledger's URL and the stand-in's, as JSON. */

import { validInstall } from '../../../adapters/shopify/credentials.ts';
import { Connection, placeOf } from '../../../adapters/shopify/settings.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { credentialsOf } from '../../../src/app/stores.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { oauthApp } from './oauth-shop.ts';

const { url, adminUrl } = JSON.parse(process.argv[2] ?? '{}');
const clock = { now: () => new Date() };
const ledger = await openLedger({ url, encryptionKey: Buffer.alloc(32, 1) }, clock, silentLog);
const context = {
  clock,
  log: silentLog,
  userAgent: 'facturapuente/test',
  outbound: openOutbound(),
  credentials: credentialsOf('shopify', ledger, clock),
};
const place = placeOf(
  oauthApp,
  Connection.parse({ app: 'app', shop: 'quito.myshopify.com', adminUrl, timeoutMs: 10_000 }),
);
console.log('ready');
process.stdin.once('data', async () => {
  const found = await Promise.all(Array.from({ length: 20 }, () => validInstall(place, context)));
  console.log(JSON.stringify([...new Set(found.map(({ accessToken }) => accessToken))]));
  await ledger.close();
  process.stdin.destroy();
});
