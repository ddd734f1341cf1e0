import { judge } from '../../sandbox/emulator/authority/judge.ts';
import { type SriMessage, stateAfterError } from '../../sandbox/emulator/authority/tables.ts';
import { buildAccessKey } from '../../sandbox/emulator/emission/access-key.ts';
import type {
  PricedDocument,
  StoredDocument,
  Tipo,
  WrittenDocument,
} from '../../sandbox/emulator/emission/documents.ts';
import { kindsOf, type Reading } from '../../sandbox/emulator/emission/kinds.ts';
import { openWorld } from '../../sandbox/emulator/open-world.ts';
import { today } from './support.ts';

type ContentsOf<Document> = Document extends WrittenDocument
  ? Pick<Document, 'tipo' | 'body' | 'figures'>
  : never;

/** The document as the emission route would store it, with the fifteenth entry that the service adds. */
export function stored(contents: ContentsOf<PricedDocument>): PricedDocument;
export function stored(contents: ContentsOf<WrittenDocument>): WrittenDocument;
export function stored(contents: ContentsOf<WrittenDocument>): WrittenDocument {
  const { emisor, ambiente, informacion_adicional: entries = [] } = contents.body;
  const series = {
    ruc: emisor.ruc,
    ambiente,
    establecimiento: emisor.codigo_establecimiento,
    puntoEmision: emisor.codigo_puntoemision,
    secuencial: '000000123',
  };
  const parts = { codDoc: contents.tipo, fechaEmision: emisor.fecha_emision, codigoNumerico: '12345678' };
  return {
    ...series,
    ...contents,
    id: 1,
    claveacceso: buildAccessKey({ ...series, ...parts, tipoEmision: 1 }),
    apiKey: 'k',
    numero: `${series.establecimiento}-${series.puntoEmision}-${series.secuencial}`,
    fechaEmision: emisor.fecha_emision,
    informacionAdicional: [...entries, { nombre: 'RUC Proveedor', detalle: '1790016919001' }],
    recibido: '2026-11-20T10:00:00-05:00',
    estado: 1,
    errores: [],
    advertencias: [],
    fechaAutorizacion: null,
  };
}

const standard: Reading = { dialect: 'described', arithmetic: 'totals' };
const kinds = kindsOf(standard);

/** The stored document of a body, read as the emission route reads it. */
export function written<T extends Tipo>(
  tipo: T,
  body: unknown,
  reading?: Partial<Reading>,
): Extract<StoredDocument, { tipo: T }> {
  const kind = (reading ? kindsOf({ ...standard, ...reading }) : kinds)[tipo];
  const checked = kind.read(body, today);
  if ('errors' in checked) throw new Error(checked.errors.join('\n'));
  return stored(checked.body as WrittenDocument) as StoredDocument as Extract<StoredDocument, { tipo: T }>;
}

/** The sentences the emission route refuses a body with; undefined when it takes it. */
export function refusalOf(tipo: Tipo, body: unknown): string[] | undefined {
  const checked = kinds[tipo].read(body, today);
  return 'errors' in checked ? checked.errors : undefined;
}

export interface Judged {
  /** Of the first error; without one the document is authorised. */
  code: string | undefined;
  estado: number;
  errores: SriMessage[];
  warnings: string[];
}

/** What the authority says of a document, and of what it knows of `before`. */
export function judged(document: StoredDocument, before: readonly StoredDocument[] = []): Judged {
  const { world, close } = openWorld({});
  close();
  for (const one of before) world.documents.put(one);
  const { errores, advertencias } = judge(world, document);
  const code = errores[0]?.identificador;
  const estado = code === undefined ? 4 : stateAfterError(Number(code));
  return { code, estado, errores, warnings: advertencias.map(({ identificador }) => identificador) };
}
