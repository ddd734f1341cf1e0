import type { Store } from '../domain/settings.ts';

/** A fictional issuer, so that `plan` and `demo` need no credentials. */
export const demoIssuer: Pick<Store, 'issuer' | 'series'> = {
  issuer: {
    ambiente: 1,
    ruc: '1790012345001',
    razon_social: 'Tienda de Ejemplo Cía. Ltda.',
    nombre_comercial: 'Tienda de Ejemplo',
    direccion_matriz: 'Av. Amazonas N34-451 y Atahualpa, Quito',
    direccion_establecimiento: 'Av. Amazonas N34-451 y Atahualpa, Quito',
    obligado_contabilidad: 'SI',
  },
  series: { establecimiento: '001', puntoEmision: '001', first: 1, firstCreditNote: 1 },
};
