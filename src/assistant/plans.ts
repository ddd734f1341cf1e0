import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CommandError } from '../domain/errors.ts';
import type { JobDeps } from '../jobs/deps.ts';

const planShape = z.object({
  tool: z.string(),
  /** No other token may execute it. */
  by: z.string(),
  input: z.record(z.string(), z.unknown()),
  seen: z.string(),
  until: z.string(),
  used: z.boolean(),
});
export type Plan = z.output<typeof planShape>;

export type PlanDeps = Pick<JobDeps, 'ledger' | 'clock'>;

/** Encrypted, shared by all processes, written by compare-and-set. */
const platform = 'asistente:plan';
const validMs = 10 * 60_000;
const pruneEveryMs = 60_000;
let prunedAt = 0;

export interface Plans {
  keep(plan: Pick<Plan, 'tool' | 'input' | 'seen'>): Promise<{ plan: string; until: string }>;
  /** Once. Throws CommandError `plan-gone`. */
  take(tool: string, id: string): Promise<Plan>;
}

export function openPlans(deps: PlanDeps, by: string): Plans {
  const { ledger, clock } = deps;
  return {
    async keep(plan) {
      const now = clock.now();
      if (Math.abs(now.getTime() - prunedAt) > pruneEveryMs) {
        prunedAt = now.getTime();
        await removeExpired(deps);
      }
      const id = `plan-${randomBytes(9).toString('base64url')}`;
      const until = new Date(now.getTime() + validMs).toISOString();
      const kept: Plan = { ...plan, by, until, used: false };
      await ledger.credentials.put({ platform, shop: id }, kept, null, now);
      return { plan: id, until };
    },

    async take(tool, id) {
      const key = { platform, shop: id };
      const found = /^plan-[\w-]{12}$/.test(id) ? await ledger.credentials.get(key) : null;
      const plan = planShape.safeParse(found?.value).data;
      if (!found || plan?.tool !== tool || plan.by !== by)
        throw new CommandError('plan-gone', { why: 'unknown', id });
      if (plan.used) throw new CommandError('plan-gone', { why: 'used', id });
      if (clock.now() > new Date(plan.until)) throw new CommandError('plan-gone', { why: 'expired', id });
      const taken = await ledger.credentials.put(key, { ...plan, used: true }, found.version, clock.now());
      if (!taken) throw new CommandError('plan-gone', { why: 'used', id });
      return plan;
    },
  };
}

async function removeExpired({ ledger, clock }: PlanDeps): Promise<void> {
  for (const shop of await ledger.credentials.shops(platform)) {
    const found = await ledger.credentials.get({ platform, shop });
    const until = planShape.safeParse(found?.value).data?.until;
    // Kept for a while after it expires, so that the refusal names the reason.
    if (until === undefined || clock.now().getTime() > Date.parse(until) + validMs)
      await ledger.credentials.remove({ platform, shop });
  }
}
