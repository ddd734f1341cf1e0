import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openConnector } from '../../src/app/connector.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { parseConfig } from '../../src/config/load.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { moveLedger } from '../../src/ledger/move/move.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { document, encryptionKey, noon } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

const clock = { now: () => noon };
const store = {
  platform: 'shopify',
  issuer: 'propio',
  series: { establecimiento: '001', puntoEmision: '001' },
  connection: { app: 'app', shop: 'quito.myshopify.com' },
};
const written = {
  publicUrl: 'https://conector.example',
  accounts: { cuenta: { baseUrl: 'http://127.0.0.1:9', apiKey: 'clave' } },
  issuers: { propio: { account: 'cuenta', ...demoIssuer.issuer } },
  apps: {
    app: {
      platform: 'shopify',
      access: 'oauth',
      clientId: 'id',
      clientSecrets: ['secreto-de-la-app-propia-0123456789abcdef'],
    },
  },
  stores: { quito: store },
  secret: 'un-secreto-de-al-menos-treinta-y-dos-caracteres',
};

/** The ledger that a first `start` left beside the config. */
async function sqliteBeside(folder: string, documents: number): Promise<string> {
  const directory = join(folder, '.facturapuente');
  const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
  for (let n = 0; n < documents; n += 1) await ledger.documents.create(document({ sourceId: `o${n}` }));
  await ledger.close();
  return directory;
}

async function openTarget(): Promise<string> {
  const database = await openDatabase();
  onTestFinished(() => database.drop());
  return database.url;
}

/** Starts on PostgreSQL with the config in `folder`; answers the code of what refuses it. */
async function refusal(folder: string, url: string, schema?: string): Promise<string | null> {
  const file = join(folder, 'facturapuente.config.yaml');
  const config = parseConfig({ ...written, ledger: { url, schema } }, { file, env: {} });
  const starting = openConnector({ config, role: 'web', log: silentLog, port: 0, host: '127.0.0.1' });
  return starting.then(
    async (connector) => {
      await connector.close(0);
      return null;
    },
    (error: { code?: string }) => error.code ?? String(error),
  );
}

describe.skipIf(!hasPostgres)('start on PostgreSQL beside a directory', () => {
  test('with documents that were not moved is refused, and the move still finds its target empty', async () => {
    const folder = temporaryDirectory();
    const directory = await sqliteBeside(folder, 2);
    const url = await openTarget();
    expect(await refusal(folder, url)).toBe('ledger-left-behind');
    const { tables } = await moveLedger(directory, { url }, { clock, log: silentLog });
    expect(tables).toMatchObject({ documents: 2 });
  });

  test('that was moved begins where it went, and nowhere else that is empty', async () => {
    const folder = temporaryDirectory();
    const directory = await sqliteBeside(folder, 2);
    const [url, other] = [await openTarget(), await openTarget()];
    await moveLedger(directory, { url, schema: 'facturas' }, { clock, log: silentLog });
    expect(await refusal(folder, url)).toBe('ledger-moved');
    expect(await refusal(folder, other, 'facturas')).toBe('ledger-moved');
    expect(await refusal(folder, url, 'facturas')).toBeNull();
  });

  test('that never held a document, or without one, begins', async () => {
    const folder = temporaryDirectory();
    await sqliteBeside(folder, 0);
    expect(await refusal(folder, await openTarget())).toBeNull();
    expect(await refusal(temporaryDirectory(), await openTarget())).toBeNull();
  });
});
