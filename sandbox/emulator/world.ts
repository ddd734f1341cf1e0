import type { Account, AccountOptions } from './accounts/accounts.ts';
import type { SandboxClock, TimeSource } from './clock.ts';
import type { DocumentStore } from './emission/documents.ts';
import type { Faults } from './faults/faults.ts';
import type { RateLimit } from './http/rate-limit.ts';
import type { RequestLog } from './http/requests.ts';
import type { OtherDocumentPaths } from './operations/emision.ts';
import type { ServiceStatus } from './status.ts';
import type { Seed } from './store/seed.ts';
import type { Timers } from './timers.ts';
import type { ArithmeticName, DialectName } from './variants.ts';
import type { DeliveryStore } from './webhooks/deliveries.ts';

/** What `createSandbox` takes; every field has a default. */
export interface SandboxOptions {
  /** 0 takes any free port. */
  port?: number;
  host?: string;
  accounts?: AccountOptions[];
  /** Real milliseconds until the tax authority decides. */
  authorizeDelayMs?: number;
  /** Takes webhook URLs on this machine and in private networks, which the service refuses. */
  allowLoopbackWebhooks?: boolean;
  /**
   * How the eight free digits of an access key come to be. `fijo`: always the same, so a number repeated on its day repeats
   * its key (409). `aleatorio`: by chance, so it gets a new one, as in both on another day, which is refused later (45).
   */
  codigoNumerico?: 'fijo' | 'aleatorio';
  /** Which public shapes of the service it takes and answers: `described` when left out (docs/sandbox.md). */
  dialect?: DialectName;
  /** How it works out the totals of a document: `totals` when left out. */
  arithmetic?: ArithmeticName;
  /** Emits only for companies registered in the account with a valid signature, in both ambientes. */
  strict?: boolean;
  /** Waits between the attempts of one delivery, on the sandbox's clock. */
  webhookRetryDelaysMs?: number[];
  /** Keeps everything in this directory, made when missing; without it a sandbox forgets when it ends. */
  dataDirectory?: string;
  /** What it begins with; documents only where none is stored yet. */
  seed?: Seed;
  /** The public address of this sandbox, for its links: `http://sandbox:4010`. */
  publicUrl?: string;
  /** Paths of the emission routes the specification does not show. */
  otherDocumentPaths?: Partial<OtherDocumentPaths>;
  /** Its time, real when left out; `clock.set` and `clock.step` lie on top of it, `clock.run` replaces it. */
  /** Its port is published out of a container: the page and the control routes take calls from there. */
  inContainer?: boolean;
  now?: TimeSource;
  /** Receives one line per noteworthy thing; nothing secret is in it. */
  log?: (line: string) => void;
}

/** Everything the sandbox's parts share. */
export interface World {
  settings: Required<
    Omit<
      SandboxOptions,
      'accounts' | 'now' | 'port' | 'host' | 'dataDirectory' | 'seed' | 'publicUrl' | 'otherDocumentPaths'
    >
  > & {
    otherDocumentPaths: OtherDocumentPaths;
  };
  clock: SandboxClock;
  accounts: Map<string, Account>;
  documents: DocumentStore;
  deliveries: DeliveryStore;
  requests: RequestLog;
  faults: Faults;
  rateLimit: RateLimit;
  timers: Timers;
  /** What the public status route says. */
  status: ServiceStatus;
  /** Says that an account has changed. */
  touch(account: Account): void;
  /** `http://127.0.0.1:4010`, known once it listens. */
  baseUrl: string;
}
