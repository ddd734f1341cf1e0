import type { Order } from '../src/core/order.ts';
import type { FacturaBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { oneLine } from './text.ts';

/** `informacion_adicional`: the order's name for people, and our reference for recognising the document again. */
export function toAdditionalInfo(
  order: Order,
  context: MappingContext,
): FacturaBody['informacion_adicional'] {
  return [
    { nombre: 'Pedido', detalle: oneLine(order.name, 300) },
    { nombre: referenceField, detalle: oneLine(context.reference, 300) },
  ];
}

/** The entry's name; the authorised XML carries it as a campoAdicional. */
export const referenceField = 'Referencia';
