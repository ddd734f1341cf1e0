import type { Line } from '../../emission/arithmetic.ts';
import type { WithExtras } from '../../emission/blocks.ts';
import type { WrittenDocument } from '../../emission/documents.ts';
import type { Tax } from '../../emission/line-taxes.ts';
import { rimpeLegend } from '../tables.ts';
import { branch, leaf, optionalBranch, writeXml, type XmlElement, xmlDeclaration } from './xml.ts';

// Blocks that several kinds of documents share, element by element.

/** The whole document around what its kind says of itself. */
export function comprobante(
  { name, version }: { name: string; version: string },
  document: WrittenDocument,
  own: readonly XmlElement[],
): string {
  const root: XmlElement = {
    name,
    attributes: { id: 'comprobante', version },
    content: [infoTributaria(document), ...own, ...infoAdicional(document)],
  };
  return xmlDeclaration + writeXml(root);
}

function infoTributaria({ body, ...document }: WrittenDocument): XmlElement {
  const { emisor } = body;
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
    leaf('contribuyenteRimpe', rimpeLegend(emisor)),
  );
}

/** What a line of the body says beside what has an element of its own. */
export function detallesAdicionales(item: WithExtras): XmlElement[] {
  const extras = (item.detalles_adicionales ?? []).map(({ nombre, detalle: valor }) => ({
    name: 'detAdicional',
    attributes: { nombre, valor },
    content: '',
  }));
  return optionalBranch('detallesAdicionales', extras);
}

/** The taxes of one line. */
export function impuestos({ impuestos: taxes }: Line): XmlElement[] {
  return [branch('impuestos', taxes.map(impuesto))];
}

const impuesto = (tax: Tax) =>
  branch(
    'impuesto',
    leaf('codigo', tax.codigo),
    leaf('codigoPorcentaje', tax.codigoPorcentaje),
    leaf('tarifa', tax.tarifa),
    leaf('baseImponible', tax.base),
    leaf('valor', tax.valor),
  );

function infoAdicional({ informacionAdicional }: WrittenDocument): XmlElement[] {
  const entries = informacionAdicional.flatMap(({ nombre, detalle }) =>
    leaf('campoAdicional', detalle, { nombre }),
  );
  return optionalBranch('infoAdicional', entries);
}
