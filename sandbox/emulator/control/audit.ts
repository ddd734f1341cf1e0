import { mask } from '../accounts/accounts.ts';
import { isAuthorised, isRefused, type StoredDocument } from '../emission/documents.ts';
import type { World } from '../world.ts';

/** A number that more than one stored document carries. */
export interface Duplicate {
  series: string;
  numero: string;
  claves: string[];
  /** More than one here means: the tax authority authorised the same number twice. */
  authorised: number;
}

/** Numbers without a stored document between the first and the last one of a series, both ends included. */
export interface Gap {
  series: string;
  from: string;
  to: string;
  missing: number;
}

/** What a client's own books must agree with. */
export interface Audit {
  documents: { total: number; authorised: number; refused: number; processing: number };
  duplicates: Duplicate[];
  gaps: Gap[];
  /** Authorised production documents by account (key masked): each has cost one credit. */
  creditsSpent: { key: string; credits: number }[];
  /** How often each status was answered since the start; `"0"` is a connection that ended without an answer. */
  requests: { total: number; byStatus: Record<string, number> };
}

/** Compares everything stored with itself: nothing here comes from what a client says. */
export function audit(world: World): Audit {
  const documents = world.documents.all();
  const series = bySeries(documents);
  return {
    documents: {
      total: documents.length,
      authorised: documents.filter(isAuthorised).length,
      refused: documents.filter(isRefused).length,
      processing: documents.filter(({ estado }) => estado === 1).length,
    },
    duplicates: [...series].flatMap(([name, members]) => duplicatesOf(name, members)),
    gaps: [...series].flatMap(([name, members]) => gapsOf(name, members)),
    creditsSpent: [...world.accounts.values()].map(({ apiKey }) => ({
      key: mask(apiKey),
      credits: documents.filter((d) => d.apiKey === apiKey && d.ambiente === 2 && isAuthorised(d)).length,
    })),
    requests: world.requests.counts(),
  };
}

/** `1792146739001 ambiente 1 tipo 01 001-001` */
const seriesName = (d: StoredDocument) =>
  `${d.ruc} ambiente ${d.ambiente} tipo ${d.tipo} ${d.establecimiento}-${d.puntoEmision}`;

function bySeries(documents: readonly StoredDocument[]): Map<string, StoredDocument[]> {
  return Map.groupBy(documents, seriesName);
}

function duplicatesOf(series: string, members: readonly StoredDocument[]): Duplicate[] {
  return [...Map.groupBy(members, ({ numero }) => numero)]
    .filter(([, same]) => same.length > 1)
    .map(([numero, same]) => ({
      series,
      numero,
      claves: same.map(({ claveacceso }) => claveacceso),
      authorised: same.filter(isAuthorised).length,
    }));
}

function gapsOf(series: string, members: readonly StoredDocument[]): Gap[] {
  const numbers = [...new Set(members.map(({ secuencial }) => Number(secuencial)))].sort((a, b) => a - b);
  const written = (number: number) => String(number).padStart(9, '0');
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1];
    if (before === undefined || number === before + 1) return [];
    return [{ series, from: written(before + 1), to: written(number - 1), missing: number - before - 1 }];
  });
}
