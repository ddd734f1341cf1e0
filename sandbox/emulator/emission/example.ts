import type { FacturaBody } from './schema.ts';

/**
 * A correct factura body to begin with: 15 % and 0 %, 23.50 in all; `day` is today in Ecuador (`YYYY/MM/DD`).
 * The sandbox numbers it.
 */
export function exampleFactura(day: string): FacturaBody {
  return {
    emisor: issuer(day),
    ambiente: 1,
    comprador: buyer(),
    items: [
      {
        codigo_principal: 'CAM-01',
        descripcion: 'Camiseta de algodón',
        cantidad: 2,
        precio_unitario: 8.695652,
        tipoproducto: 1,
        tipo_iva: 4,
      },
      {
        codigo_principal: 'LIB-01',
        descripcion: 'Libro',
        cantidad: 1,
        precio_unitario: 3.5,
        tipoproducto: 1,
        tipo_iva: 0,
      },
    ],
    pagos: [{ tipo: 19, total: 23.5 }],
    informacion_adicional: [{ nombre: 'Pedido', detalle: '1001' }],
  };
}

function issuer(day: string): FacturaBody['emisor'] {
  return {
    nombre_comercial: 'Tienda de Ejemplo',
    razon_social: 'EJEMPLO S.A.',
    ruc: '1792146739001',
    codigo_establecimiento: '001',
    codigo_puntoemision: '001',
    direccion_matriz: 'Av. de los Shyris 100, Quito',
    direccion_establecimiento: 'Av. de los Shyris 100, Quito',
    obligado_contabilidad: 'SI',
    fecha_emision: day,
  };
}

function buyer(): FacturaBody['comprador'] {
  return {
    identificacion: '2459999997',
    tipo_identificacion: '05',
    razon_social: 'María José Peñafiel',
    direccion: 'Calle de Ejemplo 1, Cuenca',
    correo: 'compradora@example.com',
  };
}
