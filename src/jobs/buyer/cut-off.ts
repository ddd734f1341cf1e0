import { owner } from '../../domain/scope.ts';
import type { Store } from '../../domain/settings.ts';
import { done, readOrderSubject, type Step } from '../../domain/work.ts';
import type { Action } from '../../planner/action.ts';
import { waitsForBuyer } from '../../planner/identity/sentences.ts';
import { askOrder } from '../ask.ts';
import { priorities, type StepDeps } from '../deps.ts';

/** The time to answer is over: the order is planned again, and the policy decides (planner/identity-gate.ts). */
export function buyerCutOff(deps: StepDeps): Step {
  return async ({ subject, storeId }) => {
    const key = readOrderSubject(subject);
    const question = await deps.ledger.questions.get(key);
    if (!question || question.answeredAt !== null || question.passedAt !== null) return done;
    const now = deps.clock.now();
    const dueAt = new Date(question.cutOffAt);
    if (dueAt > now) return { kind: 'again', dueAt, reason: 'the buyer still has time to answer' };
    await deps.ledger.transaction(async (tables) => {
      if (!(await tables.questions.mark(key, 'passed', now))) return;
      await askOrder(
        tables,
        'sync-order',
        { ...key, storeId },
        { dueAt: now, priority: priorities.question },
      );
    });
    return done;
  };
}

/** After a plan: a person is told once that nobody answered, and once that it is over. */
export async function tellUnanswered(
  { ledger, alerts, clock }: Pick<StepDeps, 'ledger' | 'alerts' | 'clock'>,
  {
    store,
    order,
    actions,
  }: { store: Store; order: { id: string; name: string }; actions: readonly Action[] },
): Promise<void> {
  const key = { platform: store.platform.name, shop: store.shop, orderId: order.id };
  const question = await ledger.questions.get(key);
  if (!question) return;
  const held = actions.some(
    ({ kind, action, code }) => kind === 'factura' && action === 'hold' && waitsForBuyer(code),
  );
  const alert = { code: 'buyer-unanswered', subject: `${store.id}/${order.id}` };
  if (held && question.passedAt !== null && question.toldAt === null) {
    // The mark comes last: whoever dies between tells it once more, and the ledger keeps one alert.
    await alerts.raise({
      ...alert,
      about: owner.shop(key),
      what: `El pedido ${order.name} de «${store.id}» sigue retenido: el comprador no dio su identificación hasta la hora límite.`,
      cure: 'Pida al comprador su cédula, RUC o pasaporte y escríbalo en el pedido, o envíele de nuevo su enlace: facturapuente identification-link muestra uno.',
    });
    await ledger.questions.mark(key, 'told', clock.now());
  } else if (!held && question.toldAt !== null) {
    await alerts.over(alert);
    await ledger.questions.unmark(key, 'told');
  }
}
