import { createHmac, randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { z } from 'zod';
import { packageVersion } from '../../app/platforms.ts';
import { CommandError } from '../../domain/errors.ts';
import { bareNumber, examine, mayBeTelephone, rucOwner } from '../../domain/identification.ts';
import type { Attribute, Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import { writePrivate } from '../../reports/write-private.ts';
import { type ConfigFlag, jsonText, withStores } from '../own-ledger.ts';

export interface BundleFlags extends ConfigFlag {
  store?: string;
  out?: string;
}

const mark = 'facturapuente support bundle';

/** Writes an order for support, with its buyer's data replaced; answers a sentence. Throws FacturapuenteError. */
export function writeBundle(name: string, { store, out, ...flags }: BundleFlags): Promise<string> {
  return withStores(flags, async ({ config, settings, reader }) => {
    const timelines = (await reader.timelines.find(name)).filter(
      ({ order }) => !store || order.storeId === store,
    );
    const [timeline, ...others] = timelines;
    if (!timeline)
      throw new CommandError(
        'order-unknown',
        `El registro no conoce ningún pedido ${name}.`,
        `No order ${name}.`,
      );
    if (others.length > 0)
      throw new CommandError(
        'order-ambiguous',
        `Hay ${timelines.length} pedidos ${name}: indique la tienda con --store (${timelines.map(({ order }) => order.storeId).join(', ')}).`,
        `${timelines.length} orders are named ${name}; name the store.`,
      );
    const { snapshot, decision, ...order } = timeline.order;
    const bundle = {
      bundle: mark,
      madeAt: new Date().toISOString(),
      version: packageVersion,
      node: process.version,
      ledger: 'url' in config.ledger ? 'postgresql' : 'sqlite',
      redis: config.redis !== null,
      store: outlineOf(settings.stores.get(order.storeId)),
      order: maskOrder(snapshot as Order),
      about: order,
      decision,
      documents: timeline.documents,
      jobs: timeline.jobs,
    };
    const file = resolve(process.cwd(), out ?? `soporte-${order.name.replace(/[^\w-]/g, '')}.json`);
    await writePrivate(file, jsonText(bundle));
    return `${file}: sin nombres, identificaciones, direcciones ni claves. Se puede repetir con «facturapuente plan ${file}».\n`;
  });
}

/** How a store decides, without keys, secrets and addresses. */
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
  order: z.looseObject({ platform: z.string() }),
  store: z.looseObject({ platform: z.string(), policy: z.looseObject({}) }).nullable(),
});

/** The order of a bundle and its store's policy; null where the file is no bundle. The order is trusted as written. */
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

/** Words that decide how an order is read and do not name the buyer. */
const kept = new Set(
  'consumidor final s.a. s.a s.a.s. s.a.s cia cia. cía. ltda ltda. cedula cédula ruc pasaporte si sí no 04 05 06 07 08'.split(
    ' ',
  ),
);

/**
 * Replaces every name, number, address and free text of the buyer by one of the same shape; equal words become equal words.
 * An identification stays of its kind (a cédula, a wrong one, a company's RUC), so that the plan is the same. The random
 * key is not kept: the original cannot be recovered.
 */
export function maskOrder(order: Order): Order {
  const mask = openMask();
  const { buyer } = order;
  const attributes = (all: readonly Attribute[]) =>
    all.map(({ name, value }) => ({ name, value: mask.text(value) }));
  return {
    ...order,
    note: order.note && mask.text(order.note),
    attributes: attributes(order.attributes),
    lines: order.lines.map((line) => ({ ...line, attributes: attributes(line.attributes) })),
    refunds: order.refunds.map((refund) => ({
      ...refund,
      reason: refund.reason && mask.text(refund.reason),
    })),
    buyer: {
      name: buyer.name && mask.text(buyer.name),
      company: buyer.company && mask.text(buyer.company),
      email: buyer.email && mask.text(buyer.email),
      phone: buyer.phone && mask.text(buyer.phone),
      ...(buyer.phones && { phones: buyer.phones.map(mask.text) }),
      address: buyer.address && mask.text(buyer.address),
      country: buyer.country,
      ids: buyer.ids.map((one) => ({ ...one, value: mask.text(one.value) })),
      ...(buyer.registered && {
        registered: { id: mask.text(buyer.registered.id), name: mask.text(buyer.registered.name) },
      }),
      ...(buyer.asked && {
        asked: {
          ...buyer.asked,
          answer: buyer.asked.answer && {
            ...buyer.asked.answer,
            id: mask.text(buyer.asked.answer.id),
            name: mask.text(buyer.asked.answer.name),
            email: buyer.asked.answer.email && mask.text(buyer.asked.answer.email),
          },
        },
      }),
    },
  };
}

function openMask() {
  const key = randomBytes(32);
  const known = new Map<string, string>();

  /** `length` pseudo-random bytes, the same for the same text. */
  function stream(text: string, length: number): Buffer {
    const parts: Buffer[] = [];
    for (let n = 0; n * 32 < length; n += 1)
      parts.push(createHmac('sha256', key).update(`${n} ${text}`).digest());
    return Buffer.concat(parts).subarray(0, length);
  }

  /** Letters become letters, digits digits, the rest stays. */
  function shape(word: string, seed = word): string {
    const bytes = stream(seed.toLocaleLowerCase('es'), word.length);
    return [...word]
      .map((sign, at) => {
        const byte = bytes[at % Math.max(bytes.length, 1)] ?? 0;
        // A zero at the beginning of a number is no part of it where telephones are compared.
        if (/\d/.test(sign) && !/\d/.test(word[at - 1] ?? ''))
          return sign === '0' ? '0' : String(1 + (byte % 9));
        if (/\d/.test(sign)) return String(byte % 10);
        if (!/\p{L}/u.test(sign)) return sign;
        const letter = String.fromCharCode(97 + (byte % 26));
        return sign === sign.toLocaleUpperCase('es') ? letter.toUpperCase() : letter;
      })
      .join('');
  }

  /** Another number of the same kind. */
  function identification(value: string): string {
    const number = bareNumber(value);
    if (/^9+$/.test(number)) return value;
    const wanted = kindOf(number);
    // Province, third digit and establishment decide the kind; the digits between them name the person.
    for (let n = 0; n < 100_000; n += 1) {
      const middle = shape(number.slice(3, 10), `${n} ${number}`);
      const other = `${number.slice(0, 3)}${middle}${number.slice(10)}`;
      if (other === number || kindOf(other) !== wanted) continue;
      // With separators between its digits the whole value is replaced.
      return value.includes(number) ? value.replace(number, other) : other;
    }
    return shape(value);
  }

  return {
    text(value: string): string {
      if (/^\d{10}$|^\d{13}$/.test(bareNumber(value))) return identification(value);
      return value.replace(/[^\s,;]+/gu, (word) => {
        if (kept.has(word.toLocaleLowerCase('es'))) return word;
        const other =
          known.get(word) ?? (/^\d{10}$|^\d{13}$/.test(word) ? identification(word) : shape(word));
        known.set(word, other);
        return other;
      });
    },
  };
}

/** What the planner distinguishes in a number. */
function kindOf(number: string): string {
  const examined = examine(number);
  if (!examined.ok) return `${examined.flaw} ${examined.digits}`;
  const { type, warning } = examined.found;
  return [type, warning !== null, type === 'ruc' && rucOwner(number), mayBeTelephone(number)].join(' ');
}
