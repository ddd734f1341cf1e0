import { ecuadorDay } from '../src/domain/calendar.ts';
import type { Order } from '../src/domain/order.ts';
import { isProviderRuc } from '../src/domain/provider-ruc.ts';
import type { Refund } from '../src/domain/refund.ts';
import type { FacturaBody } from './body.ts';
import type { DocumentContext } from './context.ts';
import { fold } from './glob.ts';
import { oneLine, optionalLine } from './text.ts';

type Info = FacturaBody['informacion_adicional'];

/**
 * `informacion_adicional`: the merchant's templates, and our reference for recognising the document again. A
 * template that asks for what the order does not know is left out: empty values are refused (XSD, 1..300). `credit` is of
 * a nota de crédito: the refund, and entries of its own.
 */
export function toAdditionalInfo(
  order: Order,
  context: DocumentContext,
  credit: { refund: Refund; ours: Info } | null = null,
): Info {
  const ours = credit?.ours ?? [];
  const days = {
    saleDay: credit ? null : otherDay(order.paidAt ?? order.placedAt, context),
    refundDay: otherDay(credit?.refund.at ?? null, context),
  };
  const filled = context.policy.additionalInfo.flatMap(({ name, value }): Info => {
    const nombre = optionalLine(name, 300);
    const detalle = optionalLine(fill(value, order, days), 300);
    return nombre && detalle && !isProviderRuc(nombre) ? [{ nombre, detalle }] : [];
  });
  return [
    ...filled.slice(0, 13 - ours.length),
    ...ours,
    { nombre: referenceField, detalle: oneLine(context.reference, 300) },
  ];
}

/** The entry's name; the authorised XML carries it as a campoAdicional. */
export const referenceField = 'Referencia';

/** Ecuador's day of an instant, as Ecuadorians write it; null where it is the document's own date. */
function otherDay(at: string | null, { today }: DocumentContext): string | null {
  const day = at === null ? today : ecuadorDay(new Date(at));
  return day === today ? null : day.split('-').toReversed().join('/');
}

type Days = Record<'saleDay' | 'refundDay', string | null>;

/** Null where every placeholder of the template is unknown. */
function fill(template: string, order: Order, days: Days): string | null {
  let asked = 0;
  let known = 0;
  const text = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    asked += 1;
    const value = knownOf(name, order, days)?.trim() ?? '';
    if (value !== '') known += 1;
    return value;
  });
  return asked > 0 && known === 0 ? null : text;
}

function knownOf(name: string, order: Order, days: Days): string | null {
  const { buyer, presentment } = order;
  switch (name) {
    case 'order':
      return order.name;
    case 'id':
      return order.id;
    case 'shop':
      return order.shop;
    case 'email':
      return buyer.email;
    case 'phone':
      return buyer.phone;
    case 'note':
      return order.note;
    case 'presentment':
      return presentment && `${presentment.currency} ${presentment.total}`;
    case 'saleDay':
    case 'refundDay':
      return days[name];
    default:
      return name.startsWith('attribute.')
        ? attributeOf(order, [name.slice('attribute.'.length)], () => true)
        : null;
  }
}

/** The first attribute of one of these names whose value will do; case, accents, blanks and dashes do not count. */
export function attributeOf(
  order: Order,
  names: readonly string[],
  accepts: (value: string) => boolean,
): string | null {
  const plain = (name: string) =>
    fold(name)
      .replace(/[\s_-]+/g, ' ')
      .trim();
  const wanted = names.map(plain);
  const found = order.attributes.find(
    ({ name, value }) => wanted.includes(plain(name)) && accepts(value.trim()),
  );
  return found?.value.trim() ?? null;
}
