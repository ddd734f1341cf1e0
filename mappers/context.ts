import type { Day } from '../src/domain/calendar.ts';
import type { CreditPolicy } from '../src/domain/credit-policy.ts';
import type { MoneyPolicy } from '../src/domain/money-policy.ts';
import type { Issuer } from '../src/domain/settings.ts';
import type { IdentificationCode } from './tables/identification.ts';

/** Whom the document names, as the identity gate decided. */
export interface Recipient {
  type: IdentificationCode;
  id: string;
  name: string;
}

/** What every document needs beside its source. */
export interface DocumentContext {
  issuer: Issuer;
  series: { establecimiento: string; puntoEmision: string };
  /** Null while no number is reserved (offline planning). */
  secuencial: string | null;
  /** Today in Ecuador: the only date the service accepts. */
  today: Day;
  policy: MoneyPolicy & CreditPolicy;
  /** Our document reference, see domain/document.ts. */
  reference: string;
}

/** Everything the factura's mapper may know beside the order. */
export interface MappingContext extends DocumentContext {
  recipient: Recipient;
}
