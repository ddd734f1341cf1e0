import { isCedula } from '../accounts/identifications.ts';
import {
  isAuthorised,
  isRefused,
  isWritten,
  receiverOf,
  type StoredDocument,
  type Tipo,
} from '../emission/documents.ts';
import type { World } from '../world.ts';
import { impossibleTransport, unknownGoodsDocument } from './guia-remision.ts';
import { impossibleDate, unknownModified, unmodifiable } from './nota-credito.ts';
import { impossibleSustentoDate, withheldDifferences } from './retencion.ts';
import { structureFaults } from './structure.ts';
import { consumidorFinal, type Finding, type SriMessage, sriMessage } from './tables.ts';
import { writeDocument } from './xml/document.ts';

const maxDocumentBytes = 320 * 1024;

export interface Judgement {
  errores: SriMessage[];
  advertencias: SriMessage[];
}

/** The phases in the authority's order; the first one with an error answers alone. */
export function judge(world: World, document: StoredDocument): Judgement {
  const [error, ...more] = findErrors(world, document);
  if (error) return { errores: [error, ...more].map(reported), advertencias: [] };
  return { errores: [], advertencias: findWarnings(world, document).map(reported) };
}

const reported = ([code, detail]: Finding) => sriMessage(code, detail);

function findErrors(world: World, document: StoredDocument): Finding[] {
  const structure = isWritten(document) ? structureFaults(document) : [];
  if (structure.length > 0) {
    const opening = 'Se encontró el siguiente error en la estructura del comprobante:';
    return structure.map((fault) => [35, `${opening} ${fault}`]);
  }
  if (isWritten(document) && Buffer.byteLength(writeDocument(document)) > maxDocumentBytes) {
    return [[26, 'Máximo 320 KB']];
  }
  const date = dateFault(document);
  if (date) return [date];
  const holder = numberHolder(world, document);
  if (holder) return [[45, `El número ${document.numero} ya fue presentado con la clave ${holder}`]];
  if (document.body.tipo_emision === 2) return [[58, 'El esquema offline solo admite el tipo de emisión 1']];
  const receiver = receiverFault(document);
  if (receiver) return [[69, receiver]];
  const modified = document.tipo === '04' && unmodifiable(document);
  if (modified) return [modified];
  const differences =
    document.tipo === '07' ? withheldDifferences(document) : (document.figures?.differences ?? []);
  return differences.map((difference) => [52, difference]);
}

/** A date in the document that cannot be. */
function dateFault(document: StoredDocument): Finding | undefined {
  if (document.tipo === '04') return impossibleDate(document);
  if (document.tipo === '06') return impossibleTransport(document);
  return document.tipo === '07' ? impossibleSustentoDate(document) : undefined;
}

function findWarnings(world: World, document: StoredDocument): Finding[] {
  const warnings: Finding[] = document.ambiente === 1 ? [[60, '']] : [];
  const { tipo_identificacion: kind, identificacion = '' } = receiverOf(document) ?? {};
  if (kind === '05' && !isCedula(identificacion)) warnings.push([62, identificacion]);
  const unknown = unknownReference(world, document);
  return unknown ? [...warnings, unknown] : warnings;
}

/** The document this one is about, where it is not authorised. The sandbox does not know those of a supplier. */
function unknownReference(world: World, document: StoredDocument): Finding | undefined {
  if (document.tipo === '04') return unknownModified(world, document);
  return document.tipo === '06' ? unknownGoodsDocument(world, document) : undefined;
}

/** The key of another document that came first with this number, or has been authorised with it. */
function numberHolder(world: World, document: StoredDocument): string | undefined {
  return world.documents
    .byNumber(document, document.secuencial)
    .find(
      (other) => other !== document && !isRefused(other) && (other.id < document.id || isAuthorised(other)),
    )?.claveacceso;
}

/** Types that must say who the buyer is (ficha técnica, tabla 6). */
const identifiesBuyer: readonly Tipo[] = ['03', '04', '05', '07'];

// Only what can be no identification of its kind; wrong check digits are a warning (ficha técnica §11).
function receiverFault(document: StoredDocument): string | undefined {
  const { tipo } = document;
  const { tipo_identificacion: kind, identificacion: id } = receiverOf(document) ?? {};
  if (id === undefined) return undefined;
  if (kind === '07' && id !== consumidorFinal) return `Consumidor final se identifica con ${consumidorFinal}`;
  if (kind === '07' && identifiesBuyer.includes(tipo)) {
    return `Un comprobante de tipo ${tipo} debe identificar al comprador: no admite consumidor final (07)`;
  }
  if (kind !== '07' && id === consumidorFinal)
    return `${consumidorFinal} solo identifica a consumidor final (07)`;
  if (kind === '04' && !/^\d{13}$/.test(id)) return 'Un RUC tiene 13 dígitos';
  if (kind === '05' && !/^\d{10}$/.test(id)) return 'Una cédula tiene 10 dígitos';
  return undefined;
}
