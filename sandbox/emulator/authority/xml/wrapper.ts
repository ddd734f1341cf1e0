import type { WrittenDocument } from '../../emission/documents.ts';
import { writeDocument } from './document.ts';
import { branch, leaf, writeXml, xmlDeclaration } from './xml.ts';

/** The authority's answer with the document inside, as it returns authorised documents (ficha técnica SRI). */
export function wrapAuthorised(document: WrittenDocument): string {
  const head = branch(
    'autorizacion',
    leaf('estado', 'AUTORIZADO'),
    leaf('numeroAutorizacion', document.claveacceso),
    leaf('fechaAutorizacion', document.fechaAutorizacion ?? undefined),
    leaf('ambiente', document.ambiente === 1 ? 'PRUEBAS' : 'PRODUCCIÓN'),
  );
  const mensajes = branch(
    'mensajes',
    document.advertencias.map((message) =>
      branch(
        'mensaje',
        leaf('identificador', message.identificador),
        leaf('mensaje', message.mensaje),
        leaf('informacionAdicional', message.informacionAdicional),
        leaf('tipo', message.tipo),
      ),
    ),
  );
  const opening = writeXml(head).replace('</autorizacion>', '');
  // Our XML never contains "]]>", so the section needs no splitting (see xml.ts).
  return `${xmlDeclaration}${opening}<comprobante><![CDATA[${writeDocument(document)}]]></comprobante>${writeXml(mensajes)}</autorizacion>`;
}
