import type { GuiaRemisionBody } from './guia-remision.ts';
import type { NotaCreditoBody } from './nota-credito.ts';
import type { RetencionBody } from './retencion.ts';
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
      shirts(2),
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

/**
 * A nota de crédito of one of the two shirts, as it is described in public and numbered 1; `numero`
 * (`001-001-000000001`) and `fecha` are the factura's.
 */
export function exampleNotaCredito(day: string, numero: string, fecha: string): NotaCreditoBody {
  return {
    emisor: { ...issuer(day), secuencial: '000000001' },
    ambiente: 1,
    comprador: buyer(),
    items: [shirts(1)],
    documento_modificado: {
      codigo_documento_sustento: 1,
      numero_documento_sustento: numero.replaceAll('-', ''),
      fecha_documento_sustento: fecha,
      motivo: 'Devolución de un producto',
    },
    informacion_adicional: [{ nombre: 'Pedido', detalle: '1001' }],
  };
}

/** A guía de remisión of the two shirts, from Quito to Cuenca on the day of issue. */
export function exampleGuiaRemision(day: string): GuiaRemisionBody {
  const { codigo_principal = '', descripcion, cantidad } = shirts(2);
  return {
    emisor: { ...issuer(day), secuencial: '000000001' },
    ambiente: 1,
    transportista: {
      tipo_identificacion: '04',
      identificacion: '1790016919001',
      razon_social: 'Transportes de Ejemplo S.A.',
      placa: 'PBA-1234',
    },
    destinatario: buyer(),
    traslado: {
      direccion_destino: 'Calle de Ejemplo 1, Cuenca',
      fecha_inicio_transporte: day,
      fecha_fin_transporte: day,
      motivo_traslado: 'Venta',
    },
    items: [{ codigo_principal, descripcion, cantidad }],
    informacion_adicional: [{ nombre: 'Pedido', detalle: '1001' }],
  };
}

/** A retención on a supplier's factura of 115.00: renta of 1.75 %, and 30 % of its IVA. */
export function exampleRetencion(day: string): RetencionBody {
  const withheld = (codigoimpuesto: 1 | 2, code: string, base: number, percent: number, value: number) => ({
    base_imponible: base,
    codigoimpuesto,
    codigo_retencion: code,
    porcentaje_retencion: percent,
    valor_retenido: value,
  });
  return {
    emisor: { ...issuer(day), secuencial: '000000001' },
    ambiente: 1,
    codigoDoc: '07',
    proveedor: {
      identificacion: '1790016919001',
      tipo_identificacion: '04',
      razon_social: 'Proveedor de Ejemplo S.A.',
      direccion: 'Av. de los Shyris 200, Quito',
    },
    sustento: {
      codigo_sustento_tributario: '01',
      codigo_documento_sustento: '01',
      numero_documento_sustento: '001001000000077',
      numero_autorizacion: '1234567890',
      fecha_documento_sustento: day,
      fecha_registro_contable: day,
      gastos: [
        {
          descripcion: 'Embalaje',
          subtotal_iva: 100,
          subtotal_siniva: 0,
          subtotal_ivacero: 0,
          tipo_iva: 4,
        },
      ],
    },
    retenciones: [withheld(1, '312', 100, 1.75, 1.75), withheld(2, '1', 15, 30, 4.5)],
  };
}

function shirts(cantidad: number): FacturaBody['items'][number] {
  return {
    codigo_principal: 'CAM-01',
    descripcion: 'Camiseta de algodón',
    cantidad,
    precio_unitario: 8.695652,
    tipoproducto: 1,
    tipo_iva: 4,
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
