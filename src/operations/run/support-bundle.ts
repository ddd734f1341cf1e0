import { resolve } from 'node:path';
import { z } from 'zod';
import {
  bareNumber,
  finalConsumerId,
  identify,
  mayBeTelephone,
  rucOwner,
} from '../../domain/identification.ts';
import type { Attribute, Order } from '../../domain/order.ts';
import { owner, type Store } from '../../domain/settings.ts';
import { writePrivate } from '../../reports/write-private.ts';
import type { Carried, Context } from '../operation.ts';
import { jsonText } from '../operation.ts';
import { theOrder } from './facts.ts';

const mark = 'facturapuente support bundle';

/** The buyer's data are omitted. Throws FacturapuenteError. */
export async function writeBundle(
  { ledger, jobDeps, stores, about }: Context,
  { order: name, store, out }: { order: string; store?: string | undefined; out?: string | undefined },
): Promise<Carried> {
  const timeline = await theOrder(ledger, name, store);
  const { snapshot, decision, ...order } = timeline.order;
  const bundle = {
    bundle: mark,
    madeAt: jobDeps.clock.now().toISOString(),
    version: about.version,
    node: process.version,
    ledger: jobDeps.ledger.engine,
    redis: about.redis,
    store: outlineOf(stores.get(order.storeId)),
    order: maskOrder(snapshot as Order),
    about: order,
    decision,
    documents: timeline.documents,
    jobs: timeline.jobs,
  };
  const file = resolve(out ?? `soporte-${order.name.replace(/[^\w-]/g, '')}.json`);
  await writePrivate(file, jsonText(bundle));
  return {
    done: true,
    message: `${file}: sin nombres, identificaciones, direcciones ni claves. «facturapuente plan ${file}» repite sus montos; lo que se decidió de la identificación está en el archivo (decision).`,
    subject: order.orderId,
    about: owner.shop(order),
  };
}

/** Keys, secrets and addresses are omitted. */
function outlineOf(store: Store | undefined) {
  if (!store) return null;
  const { id, platform, series, policy, issuer } = store;
  const { ambiente, obligado_contabilidad, regimen_rimpe, regimen_rimpe_popular, exportador_habitual } =
    issuer;
  return {
    id,
    platform: platform.name,
    series,
    policy,
    issuer: { ambiente, obligado_contabilidad, regimen_rimpe, regimen_rimpe_popular, exportador_habitual },
  };
}

const shape = z.looseObject({
  bundle: z.literal(mark),
  madeAt: z.iso.datetime(),
  order: z.looseObject({ platform: z.string().max(63) }),
  store: z.looseObject({ platform: z.string().max(63), policy: z.looseObject({}) }).nullable(),
});

/** null where the file is no bundle. The order is trusted as written. */
export function readBundle(
  payload: unknown,
): { order: Order; policy: Store['policy'] | null; madeAt: Date } | null {
  const found = shape.safeParse(payload).data;
  if (!found) return null;
  const policy = found.store?.policy as (Store['policy'] & { invoiceFrom: string | null }) | undefined;
  return {
    order: found.order as unknown as Order,
    policy: policy
      ? { ...policy, invoiceFrom: policy.invoiceFrom === null ? null : new Date(policy.invoiceFrom) }
      : null,
    madeAt: new Date(found.madeAt),
  };
}

/**
 * z and 1 replace what the buyer wrote at the same length (the planner takes x and 0 for nothing). Amounts are planned as
 * before; a cédula that may be a telephone, or words with a meaning to the planner, may be judged in another way.
 */
export function maskOrder(order: Order): Order {
  const { buyer } = order;
  const attributes = (all: readonly Attribute[]) =>
    all.map(({ name, value }) => ({ name, value: mask(value) }));
  return {
    ...order,
    note: order.note && mask(order.note),
    attributes: attributes(order.attributes),
    lines: order.lines.map((line) => ({ ...line, attributes: attributes(line.attributes) })),
    refunds: order.refunds.map((refund) => ({
      ...refund,
      reason: refund.reason && mask(refund.reason),
    })),
    buyer: {
      name: buyer.name && mask(buyer.name),
      company: buyer.company && mask(buyer.company),
      email: buyer.email && mask(buyer.email),
      phone: buyer.phone && mask(buyer.phone),
      ...(buyer.phones && { phones: buyer.phones.map(mask) }),
      address: buyer.address && mask(buyer.address),
      country: buyer.country,
      ids: buyer.ids.map((one) => ({ ...one, value: mask(one.value) })),
      ...(buyer.registered && {
        registered: { id: mask(buyer.registered.id), name: mask(buyer.registered.name) },
      }),
      ...(buyer.asked && {
        asked: {
          ...buyer.asked,
          answer: buyer.asked.answer && {
            ...buyer.asked.answer,
            id: mask(buyer.asked.answer.id),
            name: mask(buyer.asked.answer.name),
            email: buyer.asked.answer.email && mask(buyer.asked.answer.email),
          },
        },
      }),
    },
  };
}

/** The documentation uses the same numbers. */
const examples = { person: '1710034065', company: '1790012345001', wrong: '1710034066' };

function mask(text: string): string {
  const found = identify(text);
  if (found?.type === 'consumidor-final') return finalConsumerId;
  if (found?.type === 'cedula') return examples.person;
  if (found?.type === 'ruc')
    return rucOwner(found.value) === 'company' ? examples.company : `${examples.person}001`;
  const number = bareNumber(text);
  if (/^\d{10}$/.test(number) && !mayBeTelephone(number)) return examples.wrong;
  return text.replace(/\p{L}/gu, 'z').replace(/\p{N}/gu, '1');
}
