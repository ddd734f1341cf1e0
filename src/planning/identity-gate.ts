import type { Recipient } from '../../mappers/context.ts';
import { identificationCodes } from '../../mappers/tables/identification.ts';
import { finalConsumerId, identify } from '../core/identification.ts';
import { decimal } from '../core/money.ts';
import type { IdCandidate, Order } from '../core/order.ts';
import type { Policy } from '../core/settings.ts';

export type Identity =
  | { ok: true; recipient: Recipient; source: string; warning: string | null }
  | { ok: false; code: 'buyer-id-wrong' | 'buyer-id-missing' | 'buyer-name-missing'; reason: string };

/** A valid identification and where it was found. */
interface Found {
  type: keyof typeof identificationCodes;
  id: string;
  source: string;
  warning: string | null;
}

/**
 * Who the document names. The first valid identification in the configured order of sources counts, a RUC
 * before a cédula (the buyer asked for a company invoice). Consumidor final is a decision, allowed up to the
 * policy's limit with tax (art. 19 Reglamento, USD 50) and never a default above it: such a factura can never
 * be credited. An identification that is present but wrong is held.
 */
export function identifyBuyer(order: Order, policy: Pick<Policy, 'finalConsumer'>): Identity {
  const candidates = order.buyer.ids.filter((candidate) => !isPhone(candidate, order));
  const found = candidates.map(readCandidate);
  const valid = found.filter((item): item is Found => item !== null);
  const chosen =
    valid.find((item) => item.type === 'ruc') ?? valid.find((item) => item.type !== 'consumidor-final');
  if (chosen) return named(chosen, order);
  const wrong = candidates.find((_, at) => found[at] === null);
  if (wrong) {
    return {
      ok: false,
      code: 'buyer-id-wrong',
      reason: `La identificación del comprador (${wrong.source}) no es una cédula ni un RUC válido. Pida el número correcto al comprador.`,
    };
  }
  return finalConsumer(order, policy, valid[0]?.source ?? 'sin identificación en el pedido');
}

function readCandidate(candidate: IdCandidate): Found | null {
  const { value, source } = candidate;
  // Passports and foreign IDs follow no rule: believed only where their type is stated.
  if (candidate.type === 'pasaporte' || candidate.type === 'exterior') {
    return /^[\p{L}\d-]{3,20}$/u.test(value)
      ? { type: candidate.type, id: value, source, warning: null }
      : null;
  }
  const read = identify(value);
  return read ? { type: read.type, id: read.value, source, warning: read.warning } : null;
}

/** A phone number is never taken for a cédula. */
function isPhone(candidate: IdCandidate, order: Order): boolean {
  const phone = (order.buyer.phone ?? '').replace(/\D/g, '');
  const digits = candidate.value.replace(/\D/g, '');
  return phone.length >= 9 && digits.length >= 9 && phone.slice(-9) === digits.slice(-9);
}

function named(chosen: Found, order: Order): Identity {
  const { name, company } = order.buyer;
  const legalName = chosen.type === 'ruc' ? (company ?? name) : (name ?? company);
  if (!legalName) {
    return {
      ok: false,
      code: 'buyer-name-missing',
      reason:
        'El pedido trae la identificación del comprador, pero no su nombre. Complete el nombre en el pedido.',
    };
  }
  const recipient = { type: identificationCodes[chosen.type], id: chosen.id, name: legalName };
  return { ok: true, recipient, source: chosen.source, warning: chosen.warning };
}

function finalConsumer(order: Order, policy: Pick<Policy, 'finalConsumer'>, source: string): Identity {
  const { allowed, limit } = policy.finalConsumer;
  if (!allowed || decimal(order.total).gt(limit)) {
    const why = allowed
      ? `el total de ${order.total} supera el límite de ${limit} para consumidor final`
      : 'la tienda no factura a consumidor final';
    return {
      ok: false,
      code: 'buyer-id-missing',
      reason: `El pedido no trae cédula, RUC ni pasaporte del comprador y ${why}. Pida la identificación al comprador.`,
    };
  }
  return {
    ok: true,
    recipient: {
      type: identificationCodes['consumidor-final'],
      id: finalConsumerId,
      name: 'CONSUMIDOR FINAL',
    },
    source,
    warning: 'Una factura a consumidor final no admite nota de crédito.',
  };
}
