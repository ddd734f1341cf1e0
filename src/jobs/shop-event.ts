import { z } from 'zod';
import { owner } from '../domain/scope.ts';
import { done, type Step, type StepOutcome } from '../domain/work.ts';
import type { StoredDelivery } from '../ledger/shop-tables.ts';
import { uninstalledAlert } from './connection.ts';
import type { StepDeps } from './deps.ts';
import { forgetBuyer } from './forget-buyer.ts';
import { unknownDoor } from './unknown-store.ts';

const Payload = z.object({
  /** The id of the door it came through. */
  door: z.string(),
  dedupeKey: z.string(),
  platform: z.string(),
  shop: z.string(),
});
export type EventPayload = z.output<typeof Payload>;

/** The alert that a buyer asks for what is held of him; over once it was exported. */
export function buyerAlert({ platform, shop, request }: { platform: string; shop: string; request: string }) {
  return { code: 'buyer-asked', subject: `${platform} ${shop} ${request}` };
}

/**
 * Handles what a shop tells of itself or of its buyers (domain/shop-event.ts). The body stays in the delivery, where
 * it is found again; the work names it only.
 */
export function shopEvent(deps: StepDeps): Step {
  return async (work) => {
    const told = Payload.parse(work.payload);
    const delivery = await deps.ledger.deliveries.find({ connection: told.door, dedupeKey: told.dedupeKey });
    if (!delivery || delivery.body.length === 0) {
      deps.log.info({ shop: told.shop }, 'The event is no longer kept; nothing was done');
      return done;
    }
    const { topic, body } = delivery;
    const event = await deps.onEvent(told.door, { topic, shop: told.shop, body });
    if (event === null) throw unknownDoor(told);
    return handle(deps, told, delivery, event);
  };
}

async function handle(
  deps: StepDeps,
  told: EventPayload,
  delivery: StoredDelivery,
  event: NonNullable<Awaited<ReturnType<StepDeps['onEvent']>>>,
): Promise<StepOutcome> {
  const { log, alerts } = deps;
  const { shop } = told;
  const fields = { shop, topic: delivery.topic, request: delivery.id };
  switch (event.kind) {
    case 'nothing':
      log.info({ ...fields, reason: event.reason }, 'An event of a shop asked for nothing');
      return done;
    case 'access-ended':
      await alerts.raise({
        ...uninstalledAlert(told),
        about: owner.shop(told),
        what: `La tienda ${shop} quitó la app: sus claves se borraron y sus pedidos esperan. Lo que ya tenía número se termina de emitir.`,
        cure: 'Si fue un error, vuelva a instalarla: lo que espera sigue solo.',
      });
      return done;
    case 'access-changed':
      await tellScopes(deps, told, event.missing);
      return done;
    case 'buyer-asked':
      await alerts.raise({
        ...buyerAlert({ ...told, request: delivery.id }),
        about: owner.shop(told),
        what: `Un comprador de ${shop} pidió los datos que se guardan de él; hay 30 días para dárselos.`,
        cure: `Escriba «facturapuente privacy export ${delivery.id}» y entréguele el archivo.`,
      });
      return done;
    case 'forget-buyer':
      return forgetBuyer(deps, { ...told, delivery, mark: event.buyer });
    case 'forget-shop':
      return forgetBuyer(deps, { ...told, delivery, mark: null });
  }
}

async function tellScopes(
  { alerts }: StepDeps,
  { platform, shop }: EventPayload,
  missing: readonly string[],
): Promise<void> {
  const name = { code: 'shop-scopes', subject: `${platform} ${shop}` };
  if (missing.length === 0) {
    await alerts.over(name);
    return;
  }
  await alerts.raise({
    ...name,
    about: owner.shop({ platform, shop }),
    what: `A la app le faltan permisos en ${shop}: ${missing.join(', ')}.`,
    cure: 'Publique la configuración con esos permisos y haga que la tienda los acepte.',
  });
}
