import { dayFirst } from '../../clock.ts';
import type { Figures, Line } from '../../emission/arithmetic.ts';
import type { NotaCreditoDocument } from '../../emission/documents.ts';
import { modifiedDocument } from '../../emission/modified-document.ts';
import { comprobante, detallesAdicionales, impuestos } from './shared-blocks.ts';
import { branch, leaf, type XmlElement } from './xml.ts';

/** The nota de crédito as the tax authority receives it: version 1.1.0, elements in the order of its XSD. */
export function writeNotaCredito(document: NotaCreditoDocument): string {
  const lines = branch('detalles', document.figures.lines.map(detalle));
  return comprobante({ name: 'notaCredito', version: '1.1.0' }, document, [infoNotaCredito(document), lines]);
}

// Its order is not the factura's: the buyer before the issuer's obligations, the reason last.
function infoNotaCredito({ body, figures, fechaEmision }: NotaCreditoDocument): XmlElement {
  const { emisor, comprador } = body;
  const modified = modifiedDocument(body);
  return branch(
    'infoNotaCredito',
    leaf('fechaEmision', dayFirst(fechaEmision)),
    leaf('dirEstablecimiento', emisor.direccion_establecimiento),
    leaf('tipoIdentificacionComprador', comprador.tipo_identificacion),
    leaf('razonSocialComprador', comprador.razon_social),
    leaf('identificacionComprador', comprador.identificacion),
    leaf('contribuyenteEspecial', emisor.contribuyente_especial),
    leaf('obligadoContabilidad', emisor.obligado_contabilidad),
    leaf('codDocModificado', modified.tipo),
    leaf('numDocModificado', modified.numero),
    leaf('fechaEmisionDocSustento', dayFirst(modified.fecha)),
    leaf('totalSinImpuestos', figures.totalSinImpuestos),
    leaf('valorModificacion', figures.importeTotal),
    leaf('moneda', 'DOLAR'),
    [branch('totalConImpuestos', totalConImpuestos(figures))],
    leaf('motivo', modified.motivo),
  );
}

function totalConImpuestos({ groups }: Figures): XmlElement[] {
  return groups.map((group) =>
    branch(
      'totalImpuesto',
      leaf('codigo', group.codigo),
      leaf('codigoPorcentaje', group.codigoPorcentaje),
      leaf('baseImponible', group.base),
      leaf('valor', group.valor),
    ),
  );
}

function detalle(line: Line): XmlElement {
  const { item } = line;
  return branch(
    'detalle',
    leaf('codigoInterno', item.codigo_principal),
    leaf('codigoAdicional', item.codigo_auxiliar),
    leaf('descripcion', item.descripcion),
    leaf('cantidad', line.cantidad),
    leaf('precioUnitario', line.precioUnitario),
    leaf('descuento', line.descuento),
    leaf('precioTotalSinImpuesto', line.total),
    detallesAdicionales(line.item),
    impuestos(line),
  );
}
