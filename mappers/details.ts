import type { FacturaBody } from './body.ts';
import type { Entry } from './entries.ts';
import { optionalLine } from './text.ts';

type Detail = FacturaBody['informacion_adicional'][number];

/** `detalles_adicionales`: variants and line properties, three at the most (XSD), none of them empty. */
export function toDetails({ item, notes }: Entry): Detail[] {
  if (!('quantity' in item)) return [];
  const details = item.attributes.flatMap(({ name, value }): Detail[] => {
    const nombre = optionalLine(name, 300);
    const detalle = optionalLine(value, 300);
    return nombre && detalle ? [{ nombre, detalle }] : [];
  });
  if (details.length > 3) notes.push(`${details.length - 3} propiedades sin lugar en detalles_adicionales`);
  return details.slice(0, 3);
}
