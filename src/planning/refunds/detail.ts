import type { Balance } from '../../../mappers/credit/balance.ts';
import { Hold } from '../../../mappers/hold.ts';
import type { Refund } from '../../core/refund.ts';

/**
 * Money whose purpose the source does not tell can be prorated only where everything left bears one rate: else
 * the tax that goes back would be a guess.
 * @throws Hold `refund-detail-missing`.
 */
export function demandDetail(refund: Refund, { groups }: Balance): void {
  const rates = groups.filter(({ gross }) => gross.gt(0)).length;
  if (refund.parts !== null || rates <= 1) return;
  throw new Hold(
    'refund-detail-missing',
    `La tienda no dice qué líneas cubre el reembolso ${refund.id} y el pedido tiene varias tarifas de IVA. Configure el acceso a la API de la tienda para leer el detalle, o emita el documento a mano.`,
  );
}
