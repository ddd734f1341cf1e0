import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { LedgerError } from '../domain/errors.ts';
import type { StepDeps } from '../jobs/deps.ts';

/** Exactly what will be done when its id comes back. */
const planShape = z.object({
  tool: z.string(),
  /** The token it was shown to: it is no other's. */
  by: z.string(),
  /** What it is done to, and how that stood when it was shown. */
  subject: z.record(z.string(), z.string()),
  seen: z.string(),
  until: z.string(),
  used: z.boolean(),
});
export type Plan = z.output<typeof planShape>;

type PlanDeps = Pick<StepDeps, 'ledger' | 'clock'>;

/** Beside what shops gave us, sealed like it: shared by all processes, and written by compare-and-set. */
const platform = 'asistente:plan';
const livesMs = 10 * 60_000;

/** The plans of one token. */
export interface Plans {
  /** Keeps a plan for ten minutes; its id is what the writing tool takes. */
  keep(plan: Pick<Plan, 'tool' | 'subject' | 'seen'>): Promise<{ plan: string; until: string }>;
  /** A plan, used up by being taken. Throws LedgerError `plan-unknown`, `plan-expired`, `plan-used`. */
  take(tool: string, id: string): Promise<Plan>;
}

export const openPlans = (deps: PlanDeps, by: string): Plans => ({
  keep: (plan) => keepPlan(deps, { ...plan, by }),
  take: (tool, id) => takePlan(deps, { tool, by }, id),
});

async function keepPlan(
  deps: PlanDeps,
  plan: Pick<Plan, 'tool' | 'by' | 'subject' | 'seen'>,
): Promise<{ plan: string; until: string }> {
  const { ledger, clock } = deps;
  await forgetOld(deps);
  const now = clock.now();
  const id = `plan-${randomBytes(9).toString('base64url')}`;
  const until = new Date(now.getTime() + livesMs).toISOString();
  const kept: Plan = { ...plan, until, used: false };
  await ledger.credentials.put({ platform, shop: id }, kept, null, now);
  return { plan: id, until };
}

async function takePlan(
  { ledger, clock }: PlanDeps,
  { tool, by }: Pick<Plan, 'tool' | 'by'>,
  id: string,
): Promise<Plan> {
  const key = { platform, shop: id };
  const found = /^plan-[\w-]{12}$/.test(id) ? await ledger.credentials.get(key) : null;
  const plan = planShape.safeParse(found?.value).data;
  if (!found || plan?.tool !== tool || plan.by !== by)
    throw refusal('plan-unknown', `No hay ningún plan ${id} para ${tool}: pida primero el plan y muéstrelo.`);
  if (plan.used) throw refusal('plan-used', `El plan ${id} ya se ejecutó: pida otro.`);
  if (clock.now() > new Date(plan.until))
    throw refusal('plan-expired', `El plan ${id} venció: pida otro y muéstrelo.`);
  const taken = await ledger.credentials.put(key, { ...plan, used: true }, found.version, clock.now());
  if (!taken) throw refusal('plan-used', `El plan ${id} ya se está ejecutando.`);
  return plan;
}

/** What was shown is no longer so: nothing is done. */
export function refuseChanged(plan: Plan, seen: string): void {
  if (plan.seen !== seen)
    throw refusal(
      'plan-changed',
      'Lo que se mostró cambió desde entonces y no se hizo nada: pida el plan otra vez.',
    );
}

export const refusal = (code: string, merchant: string): LedgerError =>
  new LedgerError(code, merchant, `The assistant was refused: ${code}.`);

async function forgetOld({ ledger, clock }: PlanDeps): Promise<void> {
  for (const shop of await ledger.credentials.shops(platform)) {
    const found = await ledger.credentials.get({ platform, shop });
    const until = planShape.safeParse(found?.value).data?.until;
    // A used one is remembered as long as it might come back.
    if (until === undefined || clock.now().getTime() > Date.parse(until) + livesMs)
      await ledger.credentials.remove({ platform, shop });
  }
}
