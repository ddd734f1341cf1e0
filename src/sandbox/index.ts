import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccountOptions, openAccount } from './accounts/accounts.ts';
import { readClock } from './clock.ts';
import { type Audit, audit } from './control/audit.ts';
import { openDocuments, type StoredDocument } from './emission/documents.ts';
import { type Faults, openFaults } from './faults.ts';
import { openRateLimit } from './http/rate-limit.ts';
import { openRequestLog, type RequestRecord } from './http/requests.ts';
import { otherDocumentPaths } from './operations/emision.ts';
import { buildServer } from './server.ts';
import { openTimers } from './timers.ts';
import type { SandboxOptions, World } from './world.ts';

export type { AccountOptions, DeliveryAttempt } from './accounts/accounts.ts';
export { readTestClock, type SandboxClock } from './clock.ts';
export type { Audit, Duplicate, Gap } from './control/audit.ts';
export type { StoredDocument } from './emission/documents.ts';
export type { FaultInput, Faults } from './faults.ts';
export type { RequestRecord } from './http/requests.ts';
export type { SandboxOptions } from './world.ts';

/** A running stand-in for the tax document service. */
export interface Sandbox {
  /** `http://127.0.0.1:4010` */
  url: string;
  port: number;
  faults: Faults;
  addAccount(account: AccountOptions): void;
  /** Every document stored, in the order of arrival. */
  documents(): StoredDocument[];
  requests(): RequestRecord[];
  /** Duplicated numbers, gaps, credits spent: what a client's own books must agree with. */
  audit(): Audit;
  /** Forgets documents, numbers, requests, faults and deliveries; accounts start afresh. */
  reset(): void;
  /** Stops listening; nothing keeps running afterwards. */
  close(): Promise<void>;
}

/** Starts a sandbox. Rejects when the port is taken or an account's webhook URL would be refused. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const log = options.log ?? (() => {});
  const clock = readClock(options.now);
  const world: World = {
    settings: {
      authorizeDelayMs: options.authorizeDelayMs ?? 300,
      allowLoopbackWebhooks: options.allowLoopbackWebhooks ?? false,
      codigoNumerico: options.codigoNumerico ?? 'fijo',
      webhookRetryDelaysMs: options.webhookRetryDelaysMs ?? [1, 5, 15, 60].map((minutes) => minutes * 60_000),
      otherDocumentPaths: { ...otherDocumentPaths, ...options.otherDocumentPaths },
      log,
    },
    clock,
    accounts: new Map(),
    documents: openDocuments(),
    requests: openRequestLog(),
    faults: openFaults(),
    rateLimit: openRateLimit(clock),
    timers: openTimers((error) => log(`Error interno: ${error instanceof Error ? error.stack : error}`)),
    touch() {},
    baseUrl: '',
  };
  const given: AccountOptions[] = [];
  const open = (account: AccountOptions) =>
    world.accounts.set(account.apiKey, openAccount(account, world.settings.allowLoopbackWebhooks));
  const addAccount = (account: AccountOptions) => {
    open(account);
    given.push(account);
  };
  const reset = () => {
    world.timers.clear();
    world.documents.clear();
    world.requests.clear();
    world.faults.clear();
    world.rateLimit.clear();
    given.forEach(open);
  };
  (options.accounts ?? []).forEach(addAccount);

  const server = createServer(buildServer(world, reset));
  const host = options.host ?? '127.0.0.1';
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  world.baseUrl = `http://${reachable}:${port}`;
  return {
    url: world.baseUrl,
    port,
    faults: world.faults,
    addAccount,
    documents: () => world.documents.all(),
    requests: () => world.requests.all(),
    audit: () => audit(world),
    reset,
    async close() {
      world.timers.clear();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
