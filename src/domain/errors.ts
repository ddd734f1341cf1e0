import { limitText } from './text.ts';

/**
 * Every error has two texts: `merchant`, a Spanish sentence for the person who runs the shop, and `message`, an English one for
 * the engineer (what happened, to what, what to do). Neither holds keys, secrets, raw bodies or buyers' data; quotations are cut.
 */
export class FacturapuenteError extends Error {
  readonly code: string;
  readonly merchant: string;

  constructor(code: string, merchant: string, engineer: string, options?: ErrorOptions) {
    super(limitText(engineer), options);
    this.name = new.target.name;
    this.code = code;
    this.merchant = limitText(merchant);
  }
}

/** The configuration cannot be used; names the path and the resolution. */
export class ConfigError extends FacturapuenteError {}

/** A command cannot be carried out; says why, and what to do instead. */
export class CommandError extends FacturapuenteError {}

/** Bytes from outside that are not what was expected (not an order, unreadable JSON …). */
export class PayloadError extends FacturapuenteError {}

/** The shop's API could not be read or written. `retryable`: waiting may help. */
export class ShopError extends FacturapuenteError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** The shop revoked our access: only the merchant can connect it again. */
  readonly disconnected: boolean;
  /** The shop as a whole failed without a time to retry: counts for its circuit breaker. Default: retryable without such a time. */
  readonly outage: boolean;

  constructor(
    code: string,
    merchant: string,
    engineer: string,
    options: ErrorOptions & {
      retryable: boolean;
      retryAfterMs?: number;
      disconnected?: boolean;
      outage?: boolean;
    },
  ) {
    super(code, merchant, engineer, options);
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.disconnected = options.disconnected ?? false;
    this.outage =
      options.outage ?? (options.retryable && options.retryAfterMs === undefined && !this.disconnected);
  }
}

/** The ledger cannot be opened or used (held by another process, a changed migration …). */
export class LedgerError extends FacturapuenteError {}

/** Another run or row already holds what this one is about; nothing of this one was written. */
export class IntegrityError extends FacturapuenteError {}

/** A message to somebody outside (a webhook, a mailbox) was not delivered. */
export class DeliveryError extends FacturapuenteError {
  readonly retryable = true;
  readonly retryAfterMs: number | null;

  constructor(
    code: string,
    merchant: string,
    engineer: string,
    options: ErrorOptions & { retryAfterMs?: number | null } = {},
  ) {
    super(code, merchant, engineer, options);
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
