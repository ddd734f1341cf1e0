import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConnector } from '../../src/app/connector.ts';
import { keptUnder } from '../../src/app/stores.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { parseConfig } from '../../src/config/load.ts';
import { openSecrets } from '../../src/config/secret.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { noon } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';

const sha256 = createHash('sha256').update('fpmcp_x').digest('hex');
/** As `hash-password` writes it; nobody signs in here. */
const passwordHash = `scrypt:15:8:3:${'a'.repeat(22)}:${'b'.repeat(43)}`;
const written = (limited: string[]) => ({
  publicUrl: 'https://conector.example',
  accounts: { cuenta: { baseUrl: 'http://127.0.0.1:9', apiKey: 'clave' } },
  issuers: { propio: { account: 'cuenta', ...demoIssuer.issuer } },
  apps: {
    app: {
      platform: 'shopify',
      access: 'oauth',
      clientId: 'id',
      clientSecrets: ['secreto-de-la-app-9k3v-0123456789abcdef'],
    },
  },
  stores: {
    quito: {
      platform: 'shopify',
      issuer: 'propio',
      series: { establecimiento: '001', puntoEmision: '001' },
      connection: { app: 'app', shop: 'quito.myshopify.com' },
    },
  },
  panel: { users: [{ user: 'ana', passwordHash, stores: limited }] },
  mcp: { tokens: { asistente: { sha256, stores: limited } } },
  secret: 'un-secreto-de-al-menos-treinta-y-dos-caracteres',
});

const configOf = (folder: string, limited: string[]) =>
  parseConfig(written(limited), { file: join(folder, 'facturapuente.config.yaml'), env: {} });

/** Starts and stops; answers why it was refused. */
async function start(folder: string, limited: string[]): Promise<string | null> {
  const config = configOf(folder, limited);
  const starting = openConnector({ config, role: 'web', log: silentLog, port: 0, host: '127.0.0.1' });
  return starting.then(
    async (connector) => {
      await connector.close(0);
      return null;
    },
    (error: { merchant: string }) => error.merchant,
  );
}

test('a limit to an unknown store keeps the product from starting, with its path and the known stores', async () => {
  const folder = await temporaryDirectory();
  const refused = await start(folder, ['quito', 'quitto']);
  expect(refused).toContain('panel.users.0.stores.1: No existe «quitto». Hay: quito.');
  expect(refused).toContain('mcp.tokens.asistente.stores.1: No existe «quitto». Hay: quito.');
  expect(await start(folder, ['quito'])).toBeNull();
});

test('a person can be limited to a store of «store add»', async () => {
  const folder = await temporaryDirectory();
  const config = configOf(folder, ['loja']);
  const { directory } = config.ledger as { directory: string };
  const { cipher } = await openSecrets(config);
  const ledger = await openLedger({ directory, encryptionKey: cipher }, { now: () => noon }, silentLog);
  await ledger.credentials.put({ platform: keptUnder, shop: 'loja' }, {}, null, noon);
  await ledger.close();
  expect(await start(folder, ['loja'])).toBeNull();
  expect(await start(folder, ['loja', 'macas'])).toContain('Hay: quito, loja.');
});

test('an empty list limits to nothing anybody meant', () => {
  expect(() => configOf('/x', [])).toThrow('panel.users.0.stores');
});
