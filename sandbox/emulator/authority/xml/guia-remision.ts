import { dayFirst } from '../../clock.ts';
import { six } from '../../emission/decimals.ts';
import type { GuiaRemisionDocument } from '../../emission/documents.ts';
import { type GuiaRemisionItem, goodsDocument, transportOf } from '../../emission/guia-remision.ts';
import { comprobante, detallesAdicionales } from './shared-blocks.ts';
import { branch, leaf, type XmlElement } from './xml.ts';

/** The guía de remisión as the tax authority receives it: version 1.1.0, elements in the order of its XSD. */
export function writeGuiaRemision(document: GuiaRemisionDocument): string {
  const root = { name: 'guiaRemision', version: '1.1.0' };
  return comprobante(root, document, [
    infoGuiaRemision(document),
    branch('destinatarios', [destinatario(document)]),
  ]);
}

// The day of issue has no element: it is in the access key.
function infoGuiaRemision({ body }: GuiaRemisionDocument): XmlElement {
  const { emisor, transportista } = body;
  const transport = transportOf(body);
  return branch(
    'infoGuiaRemision',
    leaf('dirEstablecimiento', emisor.direccion_establecimiento),
    leaf('dirPartida', transport.partida),
    leaf('razonSocialTransportista', transportista.razon_social),
    leaf('tipoIdentificacionTransportista', transportista.tipo_identificacion),
    leaf('rucTransportista', transportista.identificacion),
    leaf('obligadoContabilidad', emisor.obligado_contabilidad),
    leaf('contribuyenteEspecial', emisor.contribuyente_especial),
    leaf('fechaIniTransporte', dayFirst(transport.inicio)),
    leaf('fechaFinTransporte', dayFirst(transport.fin)),
    leaf('placa', transport.placa),
  );
}

function destinatario({ body }: GuiaRemisionDocument): XmlElement {
  const transport = transportOf(body);
  const goods = goodsDocument(body);
  return branch(
    'destinatario',
    leaf('identificacionDestinatario', body.destinatario.identificacion),
    leaf('razonSocialDestinatario', body.destinatario.razon_social),
    leaf('dirDestinatario', transport.destino),
    leaf('motivoTraslado', transport.motivo),
    leaf('docAduaneroUnico', goods.aduanero),
    leaf('codEstabDestino', transport.establecimientoDestino),
    leaf('ruta', transport.ruta),
    leaf('codDocSustento', goods.tipo),
    leaf('numDocSustento', goods.numero),
    leaf('numAutDocSustento', goods.autorizacion),
    leaf('fechaEmisionDocSustento', goods.fecha && dayFirst(goods.fecha)),
    [branch('detalles', body.items.map(detalle))],
  );
}

function detalle(item: GuiaRemisionItem): XmlElement {
  return branch(
    'detalle',
    leaf('codigoInterno', item.codigo_principal),
    leaf('codigoAdicional', item.codigo_auxiliar),
    leaf('descripcion', item.descripcion),
    leaf('cantidad', six(item.cantidad)),
    detallesAdicionales(item),
  );
}
