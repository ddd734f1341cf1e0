import { isAuthorised, isPriced, isRefused, type StoredDocument } from '../emission/documents.ts';
import type { World } from '../world.ts';
import { structureFaults } from './structure.ts';
import { consumidorFinal, type SriMessage, sriMessage } from './tables.ts';
import { writeDocument } from './xml/document.ts';

const maxDocumentBytes = 320 * 1024;

/** The phases in the authority's order; the first one with an error answers alone. */
export function judge(
  world: World,
  document: StoredDocument,
): { errores: SriMessage[]; advertencias: SriMessage[] } {
  const refused = (code: number, details: string[]) => ({
    errores: details.map((detail) => sriMessage(code, detail)),
    advertencias: [],
  });
  const structure = isPriced(document) ? structureFaults(document) : [];
  if (structure.length > 0) {
    const opening = 'Se encontró el siguiente error en la estructura del comprobante:';
    return refused(
      35,
      structure.map((fault) => `${opening} ${fault}`),
    );
  }
  if (isPriced(document) && Buffer.byteLength(writeDocument(document)) > maxDocumentBytes) {
    return refused(26, ['Máximo 320 KB']);
  }
  const holder = numberHolder(world, document);
  if (holder) return refused(45, [`El número ${document.numero} ya fue presentado con la clave ${holder}`]);
  const { tipo_emision, comprador } = document.body;
  if (tipo_emision === 2) return refused(58, ['El esquema offline solo admite el tipo de emisión 1']);
  const receiver = comprador && receiverFault(comprador);
  if (receiver) return refused(69, [receiver]);
  if (document.figures && document.figures.differences.length > 0) {
    return refused(52, document.figures.differences);
  }
  const advertencias = document.ambiente === 1 ? [sriMessage(60)] : [];
  if (comprador?.tipo_identificacion === '05' && !isCedula(comprador.identificacion)) {
    advertencias.push(sriMessage(62, comprador.identificacion));
  }
  return { errores: [], advertencias };
}

/** The key of another document that came first with this number, or has been authorised with it. */
function numberHolder(world: World, document: StoredDocument): string | undefined {
  return world.documents
    .byNumber(document, document.secuencial)
    .find(
      (other) => other !== document && !isRefused(other) && (other.id < document.id || isAuthorised(other)),
    )?.claveacceso;
}

// Only what can be no identification of its kind; wrong check digits are a warning (ficha técnica §11).
function receiverFault({
  tipo_identificacion: kind,
  identificacion: id,
}: NonNullable<StoredDocument['body']['comprador']>) {
  if (kind === '07' && id !== consumidorFinal) return `Consumidor final se identifica con ${consumidorFinal}`;
  if (kind !== '07' && id === consumidorFinal)
    return `${consumidorFinal} solo identifica a consumidor final (07)`;
  if (kind === '04' && !/^\d{13}$/.test(id)) return 'Un RUC tiene 13 dígitos';
  if (kind === '05' && !/^\d{10}$/.test(id)) return 'Una cédula tiene 10 dígitos';
  return undefined;
}

function isCedula(id: string): boolean {
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    const product = Number(id[i]) * (i % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return (10 - (sum % 10)) % 10 === Number(id[9]);
}
