import { createHmac, randomBytes } from 'node:crypto';
import { bareNumber, examine, rucOwner } from '../../domain/identification.ts';
import type { Attribute, Order } from '../../domain/order.ts';
import { mayBeTelephone } from '../../domain/stated-identification.ts';

/** Words that decide how an order is read and say nothing of the buyer. */
const kept = new Set(
  'consumidor final s.a. s.a s.a.s. s.a.s cia cia. cía. ltda ltda. cedula cédula ruc pasaporte si sí no 04 05 06 07 08'.split(
    ' ',
  ),
);

/**
 * An order with other people in it: every name, number, address and free text of the buyer replaced by one of the same
 * shape, the same word always by the same one. Identifications stay what they were (a cédula, a wrong one, a company's
 * RUC), so that the order is planned as the real one was. Nothing of it can be traced back: the key is thrown away.
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

function openMask(): { text(value: string): string } {
  const key = randomBytes(32);
  const known = new Map<string, string>();

  /** As many pseudo-random bytes as asked, the same for the same text. */
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
        if (/\d/.test(sign)) return String(byte % 10);
        if (!/\p{L}/u.test(sign)) return sign;
        const letter = String.fromCharCode(97 + (byte % 26));
        return sign === sign.toLocaleUpperCase('es') ? letter.toUpperCase() : letter;
      })
      .join('');
  }

  /** Another number of which the same may be said. */
  function identification(value: string): string {
    const number = bareNumber(value);
    if (/^9+$/.test(number)) return value;
    const wanted = about(number);
    // Province, third digit and establishment decide whose it is; the digits between them are the person.
    for (let n = 0; n < 100_000; n += 1) {
      const middle = shape(number.slice(3, 10), `${n} ${number}`);
      const other = `${number.slice(0, 3)}${middle}${number.slice(10)}`;
      if (other === number || about(other) !== wanted) continue;
      // With signs between its digits it is disguised as a whole.
      return value.includes(number) ? value.replace(number, other) : other;
    }
    return shape(value);
  }

  return {
    text(value) {
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

/** What the identity gate sees in a number. */
function about(number: string): string {
  const examined = examine(number);
  if (!examined.ok) return `${examined.flaw} ${examined.digits}`;
  const { type, warning } = examined.found;
  return [type, warning !== null, type === 'ruc' && rucOwner(number), mayBeTelephone(number)].join(' ');
}
