import { dayFirst } from '../../clock.ts';
import type { Figures, Line } from '../../emission/arithmetic.ts';
import { exact } from '../../emission/decimals.ts';
import type { FacturaDocument } from '../../emission/documents.ts';
import { comprobante, detallesAdicionales, impuestos } from './shared-blocks.ts';
import { branch, leaf, optionalBranch, type XmlElement } from './xml.ts';

/** The factura as the tax authority receives it: version 1.1.0, elements in the order of its XSD. */
export function writeFactura(document: FacturaDocument): string {
  const lines = branch('detalles', document.figures.lines.map(detalle));
  return comprobante({ name: 'factura', version: '1.1.0' }, document, [infoFactura(document), lines]);
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

function totalConImpuestos({ groups }: Figures): XmlElement[] {
  return groups.map((group) =>
    branch(
      'totalImpuesto',
      leaf('codigo', group.codigo),
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

function detalle(line: Line): XmlElement {
  const { item } = line;
  const fullPrice = item.subsidio ? exact(item.precio_unitario).plus(item.subsidio).toFixed(6) : undefined;
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
    detallesAdicionales(line.item),
    impuestos(line),
  );
}
