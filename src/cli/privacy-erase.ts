import type { CommandAnswer } from '../domain/commands.ts';
import { carryOut } from './carry-out.ts';
import { type BuyerFlags, markOf } from './privacy-requests.ts';

/** Forgets a buyer the flags name, here or by the `start` that holds the ledger. Throws ConfigError and LedgerError. */
export async function eraseBuyer(flags: BuyerFlags): Promise<CommandAnswer> {
  const { email, phone, orders } = markOf(flags);
  return carryOut('forget-buyer', { store: flags.store ?? '', email, phone, orders }, flags);
}
