import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type AccountOptions, createSandbox } from '../../sandbox/emulator/index.ts';
import { openLiveSettings } from '../../src/app/settings.ts';
import { type ServiceFlags, setUpService } from '../../src/cli/install-service.ts';
import { parseConfig } from '../../src/config/load.ts';
import { inWords, type ShownItem } from '../../src/domain/checks.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { openSetupLedger, type SetupLedger } from '../../src/setup/health.ts';
import { type CertificateFacts, certificate, p12 } from '../sandbox/p12-support.ts';

export const ruc = '1790012345001';
const issuer = {
  account: 'cuenta',
  ambiente: 1,
  ruc,
  razon_social: 'Mi Empresa Cía. Ltda.',
  nombre_comercial: 'Mi Tienda',
  direccion_matriz: 'Quito',
  direccion_establecimiento: 'Quito',
  obligado_contabilidad: 'SI',
};
const secret = 'secreto-del-servicio-0123456789abcdef';

export interface InstallationOptions {
  account?: Partial<AccountOptions>;
  issuer?: Record<string, unknown>;
  config?: Record<string, unknown>;
  webhookSecrets?: string[];
  allowLoopbackWebhooks?: boolean;
}

/** The service's sandbox, which issues for registered companies with a signature only, a ledger, and a config. */
export async function openInstallation(options: InstallationOptions = {}) {
  const { allowLoopbackWebhooks = true } = options;
  const sandbox = await createSandbox({
    strict: true,
    allowLoopbackWebhooks,
    authorizeDelayMs: 0,
    accounts: [{ apiKey: 'clave-1', ...options.account }],
  });
  const folder = await mkdtemp(join(tmpdir(), 'fp-setup-'));
  const clock = { now: () => new Date() };
  const ledger = await openLedger({ directory: folder, encryptionKey: new Uint8Array(32) }, clock, silentLog);
  onTestFinished(async () => {
    await ledger.close();
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  let changes: InstallationOptions = options;
  const place = async () => {
    const value = {
      publicUrl: 'http://127.0.0.1:8080',
      accounts: {
        cuenta: {
          baseUrl: sandbox.url,
          apiKey: 'clave-1',
          webhookSecrets: changes.webhookSecrets ?? [secret],
        },
      },
      issuers: { emisor: { ...issuer, ...changes.issuer } },
      stores: {
        tienda: {
          platform: 'woocommerce',
          issuer: 'emisor',
          series: { establecimiento: '001', puntoEmision: '001' },
          connection: { url: 'https://mitienda.ec' },
        },
      },
      ...changes.config,
    };
    const config = parseConfig(value, { file: join(folder, 'facturapuente.config.yaml'), env: {} });
    return { config, live: await openLiveSettings(config) };
  };
  const setupLedger = openSetupLedger(ledger, { settings: (await place()).live.settings, now: clock.now });

  /** One run of the service's side; items by their code. */
  async function run(
    flags: Partial<ServiceFlags> & { check?: boolean } = {},
    through: SetupLedger = setupLedger,
  ): Promise<Record<string, ShownItem>> {
    const { check = false, ...more } = flags;
    const all = { production: false, replace: false, resend: false, ...more };
    const sections = await setUpService({ ...(await place()), setupLedger: through }, all, !check);
    return Object.fromEntries(
      sections.flatMap(({ items }) => items.map((item) => [item.code, inWords(item)])),
    );
  }
  return {
    sandbox,
    ledger,
    setupLedger,
    run,
    folder,
    /** As documents are made of them. */
    stores: async () => [...(await place()).live.settings.stores.values()],
    file: (name: string, bytes: Uint8Array) => writeFile(join(folder, name), bytes),
    /** Writes another config from now on. */
    change(next: InstallationOptions) {
      changes = { ...changes, ...next };
    },
    /** What changed something at the service, in order. */
    writes: () =>
      sandbox
        .requests()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path, status }) => `${method} ${path} ${status}`),
    /** Whether the service issues for the company: registered, and signed for. */
    async issues(): Promise<boolean> {
      const body = sandbox.exampleFactura() as { emisor: object };
      const answer = await fetch(`${sandbox.url}/api/factura/emision`, {
        method: 'POST',
        headers: { 'X-API-KEY': 'clave-1', 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, emisor: { ...body.emisor, ruc } }),
      });
      return ((await answer.json()) as { creado: boolean }).creado;
    },
  };
}

export const signature = { file: 'firma.p12', passwordEnv: 'FIRMA_DE_PRUEBA' };

/** The states of some items, by code. */
export const states = (items: Record<string, ShownItem>) =>
  Object.fromEntries(Object.entries(items).map(([code, { state }]) => [code, state]));

/** A .p12 whose certificate runs from a day ago for so many days. */
export const p12For = (days: number, facts: CertificateFacts = {}) =>
  p12({ certificates: [certificateFor(days, facts)] });

function certificateFor(days: number, facts: CertificateFacts = {}) {
  const at = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  return certificate({ from: at(-2), to: at(days), ruc, ...facts });
}
