/** Keeps calls to addresses that others named (a shop's site, a webhook receiver) out of private networks. */
export interface Outbound {
  /** It works as `dns.lookup`. Fails with EPRIVATE for names in private networks. */
  lookup: Lookup;
  /** Checks a host written as an IP address, which has no look-up. Loopback is allowed on purpose. */
  refuses(hostname: string): boolean;
}

export interface FoundAddress {
  address: string;
  family: number;
}

export type Found = (error: Error | null, address: string | FoundAddress[], family?: number) => void;
export type Lookup = (hostname: string, options: { all?: boolean | undefined }, callback: Found) => void;

export const privateAddress = 'EPRIVATE';

/** This machine: plain http and emulators are allowed here alone. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

export interface Letter {
  to: readonly string[];
  subject: string;
  text: string;
}

/** `send` throws DeliveryError when the mail server did not accept it. */
export interface Mailer {
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** The methods of a structured logger that the modules use; pino has them. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** Signed texts that open one page or endpoint until they expire. They name nobody and hold no secret. */
export interface Tickets {
  /** `use` says what the ticket opens. Only base64url letters and a dot. */
  issue(use: string, until: Date): string;
  admits(use: string, ticket: string): boolean;
}
