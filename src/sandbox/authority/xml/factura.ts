import { Decimal } from 'decimal.js';
import { dayFirst } from '../../clock.ts';
import type { Figures, Line } from '../../emission/arithmetic.ts';
import type { FacturaDocument } from '../../emission/documents.ts';
import { branch, leaf, optionalBranch, writeXml, type XmlElement, xmlDeclaration } from './xml.ts';

/** The factura as the tax authority receives it: version 1.1.0, elements in the order of its XSD. */
export function writeFactura(document: FacturaDocument): string {
  const factura: XmlElement = {
    name: 'factura',
    attributes: { id: 'comprobante', version: '1.1.0' },
    content: [
      infoTributaria(document),
      infoFactura(document),
      branch('detalles', document.figures.lines.map(detalle)),
      ...optionalBranch('infoAdicional', infoAdicional(document)),
    ],
  };
  return xmlDeclaration + writeXml(factura);
}

function infoFactura({ body, figures, fechaEmision }: FacturaDocument): XmlElement {
  const { emisor, comprador } = body;
  return branch(
    'infoFactura',
    leaf('fechaEmision', dayFirst(fechaEmision)),
    leaf('dirEstablecimiento', emisor.direccion_establecimiento),
    leaf('contribuyenteEspecial', emisor.contribuyente_especial),
    leaf('obligadoContabilidad', emisor.obligado_contabilidad),
    leaf('tipoIdentificacionComprador', comprador.tipo_identificacion),
    leaf('guiaRemision', body.guiaremision),
    leaf('razonSocialComprador', comprador.razon_social),
    leaf('identificacionComprador', comprador.identificacion),
    leaf('direccionComprador', comprador.direccion),
    leaf('totalSinImpuestos', figures.totalSinImpuestos),
    leaf('totalSubsidio', figures.totalSubsidio),
    leaf('totalDescuento', figures.totalDescuento),
    [branch('totalConImpuestos', totalConImpuestos(figures))],
    leaf('propina', '0.00'),
    leaf('importeTotal', figures.importeTotal),
    leaf('moneda', 'DOLAR'),
    leaf('placa', body.placa),
    optionalBranch('pagos', pagos(figures)),
  );
}

function infoTributaria({ body, ...document }: FacturaDocument): XmlElement {
  const { emisor } = body;
  const rimpe = emisor.regimen_rimpe_popular
    ? 'CONTRIBUYENTE NEGOCIO POPULAR - RÉGIMEN RIMPE'
    : emisor.regimen_rimpe
      ? 'CONTRIBUYENTE RÉGIMEN RIMPE'
      : undefined;
  return branch(
    'infoTributaria',
    leaf('ambiente', String(document.ambiente)),
    leaf('tipoEmision', String(body.tipo_emision ?? 1)),
    leaf('razonSocial', emisor.razon_social || emisor.nombre_comercial),
    leaf('nombreComercial', emisor.nombre_comercial),
    leaf('ruc', document.ruc),
    leaf('claveAcceso', document.claveacceso),
    leaf('codDoc', document.tipo),
    leaf('estab', document.establecimiento),
    leaf('ptoEmi', document.puntoEmision),
    leaf('secuencial', document.secuencial),
    leaf('dirMatriz', emisor.direccion_matriz),
    leaf('agenteRetencion', emisor.agente_retencion ? emisor.numero_resolucion : undefined),
    leaf('contribuyenteRimpe', rimpe),
  );
}

function totalConImpuestos({ groups }: Figures): XmlElement[] {
  return groups.map((group) =>
    branch(
      'totalImpuesto',
      leaf('codigo', '2'),
      leaf('codigoPorcentaje', group.codigoPorcentaje),
      leaf('descuentoAdicional', group.descuentoAdicional),
      leaf('baseImponible', group.base),
      leaf('tarifa', group.tarifa),
      leaf('valor', group.valor),
    ),
  );
}

function pagos(figures: Figures): XmlElement[] {
  return figures.pagos.map((pago) =>
    branch(
      'pago',
      leaf('formaPago', pago.formaPago),
      leaf('total', pago.total),
      leaf('plazo', pago.plazo),
      leaf('unidadTiempo', pago.unidadTiempo),
    ),
  );
}

function detalle({ item, ...line }: Line): XmlElement {
  const extras = (item.detalles_adicionales ?? []).map(({ nombre, detalle: valor }) => ({
    name: 'detAdicional',
    attributes: { nombre, valor },
    content: '',
  }));
  const fullPrice = item.subsidio
    ? new Decimal(item.precio_unitario).plus(item.subsidio).toFixed(6)
    : undefined;
  return branch(
    'detalle',
    leaf('codigoPrincipal', item.codigo_principal),
    leaf('codigoAuxiliar', item.codigo_auxiliar),
    leaf('descripcion', item.descripcion),
    leaf('unidadMedida', item.unidad_medida?.toString()),
    leaf('cantidad', line.cantidad),
    leaf('precioUnitario', line.precioUnitario),
    leaf('precioSinSubsidio', fullPrice),
    leaf('descuento', line.descuento),
    leaf('precioTotalSinImpuesto', line.total),
    optionalBranch('detallesAdicionales', extras),
    [
      branch('impuestos', [
        branch(
          'impuesto',
          leaf('codigo', '2'),
          leaf('codigoPorcentaje', String(item.tipo_iva)),
          leaf('tarifa', line.tarifa),
          leaf('baseImponible', line.total),
          leaf('valor', line.iva),
        ),
      ]),
    ],
  );
}

function infoAdicional({ informacionAdicional }: FacturaDocument): XmlElement[] {
  return informacionAdicional.flatMap(({ nombre, detalle }) => leaf('campoAdicional', detalle, { nombre }));
}
