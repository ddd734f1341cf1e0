import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountOptions } from './accounts/accounts.ts';
import { dayInEcuador, type SandboxClock } from './clock.ts';
import { type Audit, audit } from './control/audit.ts';
import type { StoredDocument } from './emission/documents.ts';
import { exampleFactura } from './emission/example.ts';
import type { Faults } from './faults/faults.ts';
import type { RequestRecord } from './http/requests.ts';
import { openWorld } from './open-world.ts';
import { resume } from './resume.ts';
import { buildServer } from './server.ts';
import type { DialectName } from './variants.ts';
import type { SandboxOptions } from './world.ts';

export type { AccountOptions, DeliveryAttempt } from './accounts/accounts.ts';
export { readTestClock, type SandboxClock, type TimeSource } from './clock.ts';
export type { Audit, Duplicate, Gap } from './control/audit.ts';
export type { StoredDocument } from './emission/documents.ts';
export type { Faults, StruckFault, WaitingFault } from './faults/faults.ts';
export type { FaultInput } from './faults/schema.ts';
export type { RequestRecord } from './http/requests.ts';
export type { Seed } from './store/seed.ts';
export type { ArithmeticName, DialectName } from './variants.ts';
export type { SandboxOptions } from './world.ts';

/** A running emulator of the tax document service. */
export interface Sandbox {
  /** `http://127.0.0.1:4010` */
  url: string;
  port: number;
  dialect: DialectName;
  /** The sandbox's time; moving it does at once what has become due. */
  clock: SandboxClock;
  faults: Faults;
  addAccount(account: AccountOptions): void;
  /** A correct factura body of today, to begin with. */
  exampleFactura(): Record<string, unknown>;
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
  const { world, addAccount, reset, plant, close } = openWorld(options);
  const server = createServer(buildServer(world, reset));
  const host = options.host ?? '127.0.0.1';
  try {
    server.listen(options.port ?? 0, host);
    await once(server, 'listening');
  } catch (error) {
    close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${reachable}:${port}`;
  world.baseUrl = options.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? url;
  const stop = async () => {
    close();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  try {
    resume(world);
    plant();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    port,
    dialect: world.settings.dialect,
    clock: world.clock,
    faults: world.faults,
    addAccount,
    exampleFactura: () => exampleFactura(dayInEcuador(world.clock.now())),
    documents: () => world.documents.all(),
    requests: () => world.requests.all(),
    audit: () => audit(world),
    reset,
    close: () => (closing ??= stop()),
  };
}
