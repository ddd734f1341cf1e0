import { builtInPlatforms } from '../../src/app/platforms.ts';
import { policyOf } from '../mappers/policy.ts';
import { store as demo } from '../support/orders.ts';
import { rules } from './payloads.ts';
import type { Sale } from './sales.ts';

/** A shop as installed, whose merchant wrote a rule for everything that no rate decides. */
export const store = { ...demo, policy: policyOf({ tax: { rules } }) };

export function platformOf(name: Sale['platform']) {
  const platform = builtInPlatforms.find((one) => one.name === name);
  if (!platform) throw new Error(`no platform ${name}`);
  return { platform, connection: platform.demoConnection() };
}
