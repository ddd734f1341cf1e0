import type { GuiaRemisionDocument } from '../emission/documents.ts';
import { goodsDocument, transportOf } from '../emission/guia-remision.ts';
import type { World } from '../world.ts';
import type { Check } from './structure-check.ts';
import { dateThatIsNone, unknownDocument } from './supporting-document.ts';
import type { Finding } from './tables.ts';

// What the authority looks at in a guía de remisión beside what it looks at in every document.

/** What GuiaRemision_V1.1.0.xsd refuses of its own elements. */
export function guiaRemisionStructure(
  { need, oneLine, day, amount, extras }: Check,
  { body }: GuiaRemisionDocument,
) {
  const { transportista, destinatario } = body;
  const transport = transportOf(body);
  oneLine('dirPartida', transport.partida);
  oneLine('razonSocialTransportista', transportista.razon_social);
  oneLine('rucTransportista', transportista.identificacion);
  day('fechaIniTransporte', transport.inicio);
  day('fechaFinTransporte', transport.fin);
  need(transport.placa !== '', 'placa', 'es obligatoria');
  oneLine('placa', transport.placa);
  oneLine('identificacionDestinatario', destinatario.identificacion);
  oneLine('razonSocialDestinatario', destinatario.razon_social);
  oneLine('dirDestinatario', transport.destino);
  need(transport.motivo !== '', 'motivoTraslado', 'es obligatorio');
  oneLine('motivoTraslado', transport.motivo);
  day('fechaEmisionDocSustento', goodsDocument(body).fecha);
  oneLine('docAduaneroUnico', body.documento_sustento?.documento_aduanero);
  oneLine('ruta', transport.ruta);
  body.items.forEach((item, index) => {
    const at = `detalle ${index + 1}`;
    oneLine(`${at} codigoInterno`, item.codigo_principal);
    oneLine(`${at} codigoAdicional`, item.codigo_auxiliar);
    oneLine(`${at} descripcion`, item.descripcion);
    amount(`${at} cantidad`, item.cantidad, 6, 18);
    extras(at, item.detalles_adicionales);
  });
}

/** A day that does not exist (67), or a transport that begins before the guía is issued or after its own end (82). */
export function impossibleTransport({ body, fechaEmision }: GuiaRemisionDocument): Finding | undefined {
  const { inicio, fin } = transportOf(body);
  const none = dateThatIsNone(inicio, fin, goodsDocument(body).fecha);
  if (none) return none;
  if (inicio < fechaEmision) {
    return [82, `El transporte comienza (${inicio}) antes de la emisión de la guía (${fechaEmision})`];
  }
  return fin < inicio ? [82, `El transporte comienza (${inicio}) después de terminar (${fin})`] : undefined;
}

/** The warning 68: the document that the goods travel with is not authorised. */
export function unknownGoodsDocument(world: World, document: GuiaRemisionDocument): Finding | undefined {
  const { tipo, numero } = goodsDocument(document.body);
  return tipo && numero ? unknownDocument(world, document, tipo, numero) : undefined;
}
