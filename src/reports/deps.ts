import type { StepDeps } from '../jobs/deps.ts';

/** What accounting works with: it reads shops, ledger and service, and changes nothing in any of them. */
export type AccountingDeps = Pick<
  StepDeps,
  'ledger' | 'clock' | 'log' | 'alerts' | 'shop' | 'service' | 'accounts' | 'revoked' | 'invoiceFrom'
>;
