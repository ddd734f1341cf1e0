import { rucOwner } from '../domain/identification.ts';
import type { InstallItem } from '../domain/install.ts';
import type { Issuer } from '../domain/settings.ts';
import { item } from './items.ts';

/** What a negocio popular must know before facturas leave in its name; it may issue them for other activities. */
const rimpePopularCaveat =
  'Un negocio popular (RIMPE) emite notas de venta, no facturas, por sus actividades de ese régimen, y una nota de venta no lleva IVA desglosado. Compruebe en su RUC, o con su contador, que lo que vende en la tienda es de otra actividad o que ya no está en ese régimen; si es del régimen, no lo facture con facturapuente.';

/** Foreigners without a cédula may have a RUC like a company's, so it is not refused. */
const companyCaveat =
  'El RUC parece de una sociedad, y negocio popular solo puede ser una persona natural: compruebe en el portal del SRI el RUC y el régimen, y corrija el que no sea.';

/** What to know before facturas leave under this RUC, where the issuer is said to be a negocio popular. */
export const rimpePopularCaveats = (ruc: string): string[] =>
  rucOwner(ruc) === 'company' ? [companyCaveat, rimpePopularCaveat] : [rimpePopularCaveat];

/** Of an issuer whose config says that it is a negocio popular: nothing is held, the merchant is warned. */
export function rimpeItems({ ruc, regimen_rimpe_popular }: Issuer): InstallItem[] {
  if (regimen_rimpe_popular !== true) return [];
  return [
    item('rimpe-popular', `Negocio popular (RIMPE), RUC ${ruc}`, 'warning', {
      cure: rimpePopularCaveats(ruc).join(' '),
    }),
  ];
}
